/// Walks the directories of a TIFF structure, which every EXIF block is and most RAW files are: TIFF 6.0,
/// section 2; EXIF 2.32, section 4.6.
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
    /// Where the XMP packet of the image directory lies, as far as it is there: XMP specification part 3,
    /// section 1.1.4.
    var xmp: Range<Int>?
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
  private static let xmpPacket: UInt16 = 0x02BC

  /// The longest value that is taken; none of the wanted ones is near it.
  private static let maximumValueLength = 1024

  /// Extracts the wanted entries from a block that begins with a TIFF header; `nil` where it does not.
  static func extract(
    from block: Range<Int>, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Extract? {
    guard let layout = try TIFFLayout(block, of: &bytes) else { return nil }
    var walk = Walk(layout)
    var isDamaged = try !walk.read(.image, at: layout.firstDirectory, of: &bytes)
    if let offset = walk.exifOffset, try !walk.read(.exif, at: offset, of: &bytes) {
      isDamaged = true
    }
    if let offset = walk.gpsOffset, try !walk.read(.gps, at: offset, of: &bytes) {
      isDamaged = true
    }
    let damage = isDamaged ? "the EXIF block is cut off or damaged" : nil
    return Extract(
      bytes: assemble(walk.allEntries, layout.order), xmp: walk.xmp, damage: damage)
  }

  /// Extracts the wanted entries from blocks of which each is one directory; `nil` where none is.
  ///
  /// A block in another byte order than the first one counts as damaged.
  static func extract(
    fromParts parts: [(directory: Directory, block: Range<Int>)], of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Extract? {
    var whole: Walk?
    var isDamaged = false
    for (directory, block) in parts {
      guard let layout = try TIFFLayout(block, of: &bytes),
        layout.order == whole?.layout.order ?? layout.order
      else {
        isDamaged = true
        continue
      }
      var walk = Walk(layout)
      walk.entries = whole?.entries ?? []
      walk.misplaced = whole?.misplaced ?? []
      if try !walk.read(directory, at: layout.firstDirectory, of: &bytes) { isDamaged = true }
      whole = walk
    }
    guard let whole else { return nil }
    let damage = isDamaged ? "the EXIF block is cut off or damaged" : nil
    return Extract(bytes: assemble(whole.allEntries, whole.layout.order), damage: damage)
  }

  /// What a walk has found so far. It visits three directories at most, so pointers cannot lead it in
  /// circles.
  private struct Walk {
    let layout: TIFFLayout
    var entries: [Entry] = []
    /// Entries of the Exif directory in the image directory, where TIFF/EP (ISO 12234-2) has them; they
    /// count where the Exif directory has none.
    var misplaced: [Entry] = []
    var exifOffset: UInt64?
    var gpsOffset: UInt64?
    var xmp: Range<Int>?

    init(_ layout: TIFFLayout) { self.layout = layout }

    var allEntries: [Entry] {
      entries + misplaced.filter { entry in !entries.contains { $0.tag == entry.tag } }
    }

    /// Reads a directory's wanted entries; false where some could not be read.
    ///
    /// The values are read after the entries, in the order in which they lie, so that each part of a file
    /// is read once.
    mutating func read(
      _ directory: Directory, at offset: UInt64, of bytes: inout PhotoBytes
    ) throws(PhotoBytesError) -> Bool {
      guard let table = try layout.directory(at: offset, of: &bytes) else { return false }
      var isWhole = true
      var wanted: [(tag: ExifTag, value: TIFFLayout.Value)] = []
      do throws(PhotoBytesError) {
        for index in 0..<table.count {
          guard let entry = layout.entry(index, of: table) else { throw .beyondEnd }
          let number = try bytes.uint16(at: entry, layout.order)
          if let tag = Self.wantedTag(number, in: directory) {
            guard !wanted.contains(where: { $0.tag == tag }),
              let value = try layout.value(
                at: entry, upTo: TIFF.maximumValueLength, of: &bytes)
            else { continue }
            if value.isWhole { wanted.append((tag, value)) } else { isWhole = false }
          } else if try !follow(number, at: entry, of: directory, in: &bytes) {
            isWhole = false
          }
        }
      } catch {
        guard case .beyondEnd = error else { throw error }
        isWhole = false
      }
      return try take(wanted, of: directory, in: &bytes) && isWhole
    }

    private static func wantedTag(_ number: UInt16, in directory: Directory) -> ExifTag? {
      guard let tag = ExifTag(rawValue: number),
        tag.directory == directory || directory == .image && tag.directory == .exif
      else { return nil }
      return tag
    }

    /// Notes what another directory or the XMP packet is found by; false where that is cut off.
    private mutating func follow(
      _ number: UInt16, at entry: Int, of directory: Directory, in bytes: inout PhotoBytes
    ) throws(PhotoBytesError) -> Bool {
      switch number {
      case TIFF.exifPointer where directory == .image && exifOffset == nil:
        exifOffset = try layout.pointer(at: entry, of: &bytes)
      case TIFF.gpsPointer where directory != .gps && gpsOffset == nil:
        gpsOffset = try layout.pointer(at: entry, of: &bytes)
      case TIFF.xmpPacket where directory == .image && xmp == nil:
        let value = try layout.value(
          at: entry, upTo: MetadataBlocks.maximumPacketLength, of: &bytes)
        xmp = value?.range
        return value?.isWhole ?? true
      default: break
      }
      return true
    }

    /// Reads the values of entries; false where the file has become shorter.
    private mutating func take(
      _ wanted: [(tag: ExifTag, value: TIFFLayout.Value)], of directory: Directory,
      in bytes: inout PhotoBytes
    ) throws(PhotoBytesError) -> Bool {
      var isWhole = true
      for (tag, value) in wanted.sorted(by: {
        $0.value.range.lowerBound < $1.value.range.lowerBound
      }) {
        do throws(PhotoBytesError) {
          let entry = Entry(
            tag: tag, type: value.type, count: UInt32(value.count),
            value: try bytes.bytes(at: value.range.lowerBound, count: value.range.count))
          if tag.directory == directory { entries.append(entry) } else { misplaced.append(entry) }
        } catch {
          guard case .beyondEnd = error else { throw error }
          isWhole = false
        }
      }
      return isWhole
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
