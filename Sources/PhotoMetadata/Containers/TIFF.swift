/// Walks the directories of a TIFF structure, which every EXIF block is: TIFF 6.0, section 2; EXIF 2.32,
/// section 4.6.
///
/// Only the entries that PhotoSpots uses are taken, the first of each, and are put together as a small TIFF
/// of their own for the decoder. So nothing else in a block is ever looked at (maker notes, thumbnails,
/// previews), and a block may be of any size, though the decoder reads 64 KiB at most.
enum TIFF {
  /// An entry's place in the structure.
  enum Directory: Int, CaseIterable {
    case image, exif, gps
  }

  /// The entries that were found, and whether some could not be read.
  struct Extract {
    /// A TIFF structure with the image directory, and below it the Exif and GPS directories.
    var bytes: [UInt8]
    /// Why the block could not be read to its end.
    var damage: String?
  }

  private struct Entry {
    let tag: ExifTag
    let type: UInt16
    let count: UInt32
    let value: ArraySlice<UInt8>
  }

  private static let exifPointer: UInt16 = 0x8769
  private static let gpsPointer: UInt16 = 0x8825

  /// Real directories have up to some hundred entries.
  private static let maximumEntries = 4096
  /// The longest value that is taken; none of the wanted ones is near it.
  private static let maximumValueLength = 1024

  /// Extracts the wanted entries from a block that begins with a TIFF header; `nil` where it does not.
  static func extract(
    from block: Range<Int>, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Extract? {
    guard block.count >= 8, let order = try byteOrder(at: block.lowerBound, of: &bytes) else {
      return nil
    }
    var walk = Walk(block: block, order: order)
    let first = Int(try bytes.uint32(at: block.lowerBound + 4, order))
    var isDamaged = try !walk.read(.image, at: first, of: &bytes)
    if let offset = walk.exifOffset, try !walk.read(.exif, at: offset, of: &bytes) {
      isDamaged = true
    }
    if let offset = walk.gpsOffset, try !walk.read(.gps, at: offset, of: &bytes) {
      isDamaged = true
    }
    let damage = isDamaged ? "the EXIF block is cut off or damaged" : nil
    return Extract(bytes: assemble(walk.entries, order), damage: damage)
  }

  /// Extracts the wanted entries from blocks of which each is one directory; `nil` where none is.
  ///
  /// A block in another byte order than the first one counts as damaged.
  static func extract(
    fromParts parts: [(directory: Directory, block: Range<Int>)], of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Extract? {
    var whole: Walk?
    var isDamaged = false
    for (directory, block) in parts where block.count >= 8 {
      guard let order = try byteOrder(at: block.lowerBound, of: &bytes),
        order == whole?.order ?? order
      else {
        isDamaged = true
        continue
      }
      var walk = Walk(block: block, order: order, entries: whole?.entries ?? [])
      let first = Int(try bytes.uint32(at: block.lowerBound + 4, order))
      if try !walk.read(directory, at: first, of: &bytes) { isDamaged = true }
      whole = walk
    }
    guard let whole else { return nil }
    let damage = isDamaged ? "the EXIF block is cut off or damaged" : nil
    return Extract(bytes: assemble(whole.entries, whole.order), damage: damage)
  }

  private static func byteOrder(
    at offset: Int, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> ByteOrder? {
    switch try bytes.uint32(at: offset, .big) {
    case 0x4949_2A00: .little
    case 0x4D4D_002A: .big
    default: nil
    }
  }

  /// What a walk has found so far. It visits three directories at most, so pointers cannot lead it in
  /// circles.
  private struct Walk {
    let block: Range<Int>
    let order: ByteOrder
    var entries: [Entry] = []
    var exifOffset: Int?
    var gpsOffset: Int?

    /// Reads a directory's wanted entries; false where some could not be read.
    mutating func read(
      _ directory: Directory, at offset: Int, of bytes: inout PhotoBytes
    ) throws(PhotoBytesError) -> Bool {
      let start = block.lowerBound + offset
      guard start <= block.upperBound - 2 else { return false }
      let count = Int(try bytes.uint16(at: start, order))
      guard count <= TIFF.maximumEntries else { return false }
      var isWhole = true
      for index in 0..<count {
        let entry = start + 2 + index * 12
        guard entry + 12 <= block.upperBound else { return false }
        do throws(PhotoBytesError) {
          try readEntry(at: entry, in: directory, of: &bytes)
        } catch {
          guard case .beyondEnd = error else { throw error }
          isWhole = false
        }
      }
      return isWhole
    }

    private mutating func readEntry(
      at offset: Int, in directory: Directory, of bytes: inout PhotoBytes
    ) throws(PhotoBytesError) {
      let tag = try bytes.uint16(at: offset, order)
      if tag == TIFF.exifPointer, directory == .image, exifOffset == nil {
        exifOffset = Int(try bytes.uint32(at: offset + 8, order))
      } else if tag == TIFF.gpsPointer, directory != .gps, gpsOffset == nil {
        gpsOffset = Int(try bytes.uint32(at: offset + 8, order))
      }
      guard let tag = ExifTag(rawValue: tag), tag.directory == directory,
        !entries.contains(where: { $0.tag == tag })
      else { return }
      let type = try bytes.uint16(at: offset + 2, order)
      let count = try bytes.uint32(at: offset + 4, order)
      guard let unit = TIFF.length(ofType: type), count > 0 else { return }
      let taken = min(Int(count), TIFF.maximumValueLength / unit)
      let length = taken * unit
      let fitsInline = Int(count) * unit <= 4
      let start =
        fitsInline
        ? offset + 8 : block.lowerBound + Int(try bytes.uint32(at: offset + 8, order))
      guard start + length <= block.upperBound else { throw .beyondEnd }
      entries.append(
        Entry(
          tag: tag, type: type, count: UInt32(taken),
          value: try bytes.bytes(at: start, count: length)))
    }
  }

  /// The length in bytes of one value of a type: TIFF 6.0, section 2; 13 is IFD of the TIFF Technical
  /// Note 1.
  private static func length(ofType type: UInt16) -> Int? {
    switch type {
    case 1, 2, 6, 7: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12: 8
    default: nil
    }
  }

  /// Writes the entries as a TIFF structure in the byte order that their values are in.
  private static func assemble(_ entries: [Entry], _ order: ByteOrder) -> [UInt8] {
    var writer = TIFFWriter(order: order)
    let image = entries.filter { $0.tag.directory == .image }
    let exif = entries.filter { $0.tag.directory == .exif }
    let gps = entries.filter { $0.tag.directory == .gps }
    let exifStart = 8 + TIFFWriter.length(image.map { $0.value.count } + [4, 4])
    let gpsStart = exifStart + TIFFWriter.length(exif.map { $0.value.count })
    let pointers = [
      (tag: exifPointer, type: UInt16(4), count: UInt32(1), value: writer.bytes(of: exifStart)),
      (tag: gpsPointer, type: UInt16(4), count: UInt32(1), value: writer.bytes(of: gpsStart)),
    ]
    writer.append(image.map { ($0.tag.rawValue, $0.type, $0.count, $0.value) } + pointers)
    writer.append(exif.map { ($0.tag.rawValue, $0.type, $0.count, $0.value) })
    writer.append(gps.map { ($0.tag.rawValue, $0.type, $0.count, $0.value) })
    return writer.bytes
  }
}

/// Writes a TIFF structure, a directory at a time, each with its values behind it.
private struct TIFFWriter {
  private let order: ByteOrder
  private(set) var bytes: [UInt8]

  init(order: ByteOrder) {
    self.order = order
    bytes = order == .little ? [0x49, 0x49, 0x2A, 0x00] : [0x4D, 0x4D, 0x00, 0x2A]
    append(UInt32(8))
  }

  /// The length of a directory whose values have these lengths.
  static func length(_ valueLengths: [Int]) -> Int {
    valueLengths.reduce(2 + 4) { $0 + 12 + ($1 > 4 ? ($1 + 1) & ~1 : 0) }
  }

  func bytes(of offset: Int) -> ArraySlice<UInt8> {
    var writer = self
    writer.bytes = []
    writer.append(UInt32(offset))
    return writer.bytes[...]
  }

  mutating func append(
    _ entries: [(tag: UInt16, type: UInt16, count: UInt32, value: ArraySlice<UInt8>)]
  ) {
    var values: [UInt8] = []
    let valuesStart = bytes.count + 2 + 12 * entries.count + 4
    append(UInt16(entries.count))
    for entry in entries {
      append(entry.tag)
      append(entry.type)
      append(entry.count)
      if entry.value.count <= 4 {
        bytes.append(contentsOf: entry.value)
        bytes.append(contentsOf: repeatElement(0, count: 4 - entry.value.count))
      } else {
        append(UInt32(valuesStart + values.count))
        values.append(contentsOf: entry.value)
        if values.count % 2 == 1 { values.append(0) }
      }
    }
    append(UInt32(0))
    bytes.append(contentsOf: values)
  }

  private mutating func append(_ number: some FixedWidthInteger) {
    let ordered = order == .big ? number.bigEndian : number.littleEndian
    unsafe withUnsafeBytes(of: ordered) { unsafe bytes.append(contentsOf: $0) }
  }
}
