internal import CLibExif

/// An EXIF block built by libexif.
enum EXIFBlock {
  /// Returns the block with the given entries, beginning with `Exif\0\0`.
  ///
  /// libexif orders the tags and writes the pointers between the directories. Its options that add
  /// or change tags are off. The result is deterministic.
  static func bytes(
    of entries: [EXIFEntry], order: ByteOrder
  ) throws(SampleError) -> [UInt8] {
    guard let memory = unsafe exif_mem_new_default() else { throw .exif }
    defer { unsafe exif_mem_unref(memory) }
    guard let block = unsafe exif_data_new_mem(memory) else { throw .exif }
    defer { unsafe exif_data_unref(block) }
    unsafe exif_data_unset_option(block, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
    unsafe exif_data_unset_option(block, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS)
    unsafe exif_data_set_byte_order(
      block, order == .bigEndian ? EXIF_BYTE_ORDER_MOTOROLA : EXIF_BYTE_ORDER_INTEL)
    for entry in entries {
      unsafe try add(entry, to: block, order: order, memory: memory)
    }
    return unsafe try save(block, memory: memory)
  }

  private static func add(
    _ entry: EXIFEntry, to block: UnsafeMutablePointer<ExifData>, order: ByteOrder,
    memory: OpaquePointer
  ) throws(SampleError) {
    let directory =
      switch entry.directory {
      case .image: unsafe block.pointee.ifd.0
      case .exif: unsafe block.pointee.ifd.2
      case .gps: unsafe block.pointee.ifd.3
      }
    let bytes = entry.bytes(in: order)
    guard let directory = unsafe directory, let made = unsafe exif_entry_new_mem(memory) else {
      throw .exif
    }
    // The directory retains the entry.
    defer { unsafe exif_entry_unref(made) }
    guard let value = unsafe exif_mem_alloc(memory, ExifLong(bytes.count)) else { throw .exif }
    unsafe value.copyMemory(from: bytes, byteCount: bytes.count)
    unsafe made.pointee.tag = ExifTag(rawValue: .init(entry.tag))
    unsafe made.pointee.format = ExifFormat(rawValue: .init(entry.format))
    unsafe made.pointee.components = UInt(entry.count)
    unsafe made.pointee.data = value.assumingMemoryBound(to: UInt8.self)
    unsafe made.pointee.size = UInt32(bytes.count)
    unsafe exif_content_add_entry(directory, made)
  }

  private static func save(
    _ block: UnsafeMutablePointer<ExifData>, memory: OpaquePointer
  ) throws(SampleError) -> [UInt8] {
    var saved: UnsafeMutablePointer<UInt8>?
    var length: UInt32 = 0
    unsafe exif_data_save_data(block, &saved, &length)
    guard let start = unsafe saved else { throw .exif }
    defer { unsafe exif_mem_free(memory, start) }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(length)))
  }
}
