internal import CLibExif

/// An encoder of EXIF blocks based on libexif.
enum ExifEncoder {
  /// An entry of a block.
  struct Entry {
    /// The directory of the entry.
    let directory: TIFF.Directory
    /// The tag: EXIF 2.32 (CIPA DC-008-2019), sections 4.6.4 to 4.6.6.
    let tag: UInt16
    /// The value.
    let value: Value
  }

  /// A value of one of TIFF's types (TIFF 6.0, section 2).
  enum Value {
    /// BYTE.
    case bytes([UInt8])
    /// ASCII, truncated at the first NUL; a final NUL is added.
    case text(String)
    /// SHORT.
    case short(UInt16)
    /// RATIONAL: numerators and denominators.
    case rationals([(UInt32, UInt32)])
    /// UNDEFINED.
    case undefined([UInt8])
  }

  /// Encodes entries as an EXIF block.
  ///
  /// libexif sorts the tags and writes the pointers between the directories; its options that add
  /// or change tags are off. The result is deterministic and big-endian.
  ///
  /// - Parameter entries: The entries, at most one for each tag, less than 60 KiB in total.
  /// - Returns: The block, beginning with `Exif\0\0`; `nil` if libexif cannot allocate memory.
  static func block(of entries: [Entry]) -> [UInt8]? {
    guard let memory = unsafe exif_mem_new_default() else { return nil }
    defer { unsafe exif_mem_unref(memory) }
    guard let block = unsafe exif_data_new_mem(memory) else { return nil }
    defer { unsafe exif_data_unref(block) }
    unsafe exif_data_unset_option(block, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
    unsafe exif_data_unset_option(block, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS)
    unsafe exif_data_set_byte_order(block, EXIF_BYTE_ORDER_MOTOROLA)
    for entry in entries {
      guard unsafe add(entry, to: block, memory: memory) else { return nil }
    }
    return unsafe save(block, memory: memory)
  }

  private static func add(
    _ entry: Entry, to block: UnsafeMutablePointer<ExifData>, memory: OpaquePointer
  ) -> Bool {
    let directory =
      switch entry.directory {
      case .image: unsafe block.pointee.ifd.0
      case .exif: unsafe block.pointee.ifd.2
      case .gps: unsafe block.pointee.ifd.3
      }
    let bytes = entry.value.bytes
    guard let directory = unsafe directory, let made = unsafe exif_entry_new_mem(memory) else {
      return false
    }
    // The directory retains its own reference.
    defer { unsafe exif_entry_unref(made) }
    guard let value = unsafe exif_mem_alloc(memory, ExifLong(bytes.count)) else { return false }
    unsafe value.copyMemory(from: bytes, byteCount: bytes.count)
    unsafe made.pointee.tag = CLibExif.ExifTag(rawValue: .init(entry.tag))
    unsafe made.pointee.format = entry.value.format
    unsafe made.pointee.components = UInt(entry.value.count)
    unsafe made.pointee.data = value.assumingMemoryBound(to: UInt8.self)
    unsafe made.pointee.size = UInt32(bytes.count)
    unsafe exif_content_add_entry(directory, made)
    return true
  }

  private static func save(
    _ block: UnsafeMutablePointer<ExifData>, memory: OpaquePointer
  ) -> [UInt8]? {
    var saved: UnsafeMutablePointer<UInt8>?
    var length: UInt32 = 0
    unsafe exif_data_save_data(block, &saved, &length)
    guard let start = unsafe saved else { return nil }
    defer { unsafe exif_mem_free(memory, start) }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(length)))
  }
}

extension ExifEncoder.Value {
  /// The type as numbered by libexif.
  fileprivate var format: ExifFormat {
    switch self {
    case .bytes: EXIF_FORMAT_BYTE
    case .text: EXIF_FORMAT_ASCII
    case .short: EXIF_FORMAT_SHORT
    case .rationals: EXIF_FORMAT_RATIONAL
    case .undefined: EXIF_FORMAT_UNDEFINED
    }
  }

  /// The number of elements.
  fileprivate var count: Int {
    switch self {
    case .short: 1
    case .rationals(let rationals): rationals.count
    default: bytes.count
    }
  }

  /// The encoded value.
  fileprivate var bytes: [UInt8] {
    switch self {
    case .bytes(let bytes), .undefined(let bytes): bytes
    case .text(let text): text.utf8.prefix { $0 != 0 } + [0]
    case .short(let number): Self.bigEndian(number)
    case .rationals(let rationals):
      rationals.flatMap { Self.bigEndian($0.0) + Self.bigEndian($0.1) }
    }
  }

  private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    stride(from: number.bitWidth - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: number >> $0)
    }
  }
}
