/// Walks the directories of a TIFF structure, which every EXIF block is and most RAW files are:
/// TIFF 6.0, section 2; EXIF 2.32, section 4.6.
///
/// Only the entries that PhotoSpots uses are taken, the first of each, and are put together as a
/// small TIFF of their own for the decoder. So nothing else in a block is ever looked at (maker
/// notes, thumbnails, previews), and a block may be of any size, though the decoder reads 64 KiB at
/// most.
enum TIFF {
  /// An entry's place in the structure.
  enum Directory: Int, CaseIterable {
    case image, exif, gps
  }

  /// The entries that were found, and whether some could not be read.
  struct Extract {
    /// An EXIF block of these entries alone.
    var block: ExifBlock
    /// Where the XMP packet of the image directory lies, as far as it is there: XMP specification
    /// part 3, section 1.1.4.
    var xmp: Range<Int>?
    /// Why the block could not be read to its end.
    var damage: String?
  }

  /// The entries of the image directory that point to the Exif and GPS directories.
  static let exifPointer: UInt16 = 0x8769
  static let gpsPointer: UInt16 = 0x8825
  private static let xmpPacket: UInt16 = 0x02BC

  /// The longest value that is taken; none of the wanted ones is near it.
  private static let maximumValueLength = 1024

  /// Extracts the wanted entries from a block that begins with a TIFF header; `nil` where it does
  /// not.
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
    return Extract(block: walk.assembled(), xmp: walk.xmp, damage: damage)
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
      if let whole {
        walk.entries = whole.entries
        walk.misplaced = whole.misplaced
        walk.values = whole.values
      }
      if try !walk.read(directory, at: layout.firstDirectory, of: &bytes) { isDamaged = true }
      whole = walk
    }
    guard let whole else { return nil }
    let damage = isDamaged ? "the EXIF block is cut off or damaged" : nil
    return Extract(block: whole.assembled(), damage: damage)
  }

  /// What a walk has found so far. It visits three directories at most, so pointers cannot lead it
  /// in circles.
  private struct Walk {
    let layout: TIFFLayout
    var entries: [ExifBlock.Entry] = []
    /// Entries of the Exif directory in the image directory, where TIFF/EP (ISO 12234-2) has them;
    /// they count where the Exif directory has none.
    var misplaced: [ExifBlock.Entry] = []
    /// The values of the entries, one after another.
    var values: [UInt8] = []
    /// The entries of the directory that is being read.
    private var wanted: [(tag: ExifTag, value: TIFFLayout.Value)] = []
    var exifOffset: UInt64?
    var gpsOffset: UInt64?
    var xmp: Range<Int>?

    init(_ layout: TIFFLayout) {
      self.layout = layout
      // More than the entries and values of any photo, so that nothing is copied in growing.
      entries.reserveCapacity(ExifTag.allCases.count)
      values.reserveCapacity(512)
      wanted.reserveCapacity(ExifTag.allCases.count)
    }

    /// The entries as an EXIF block in the byte order that their values are in.
    func assembled() -> ExifBlock {
      var all = entries
      for entry in misplaced where !entries.contains(where: { $0.tag == entry.tag }) {
        all.append(entry)
      }
      return ExifBlock(all, values: values, layout.order)
    }

    /// Reads a directory's wanted entries; false where some could not be read.
    ///
    /// The values are read after the entries, in the order in which they lie, so that each part of
    /// a file is read once.
    mutating func read(
      _ directory: Directory, at offset: UInt64, of bytes: inout PhotoBytes
    ) throws(PhotoBytesError) -> Bool {
      guard let table = try layout.directory(at: offset, of: &bytes) else { return false }
      var isWhole = true
      wanted.removeAll(keepingCapacity: true)
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
      return try takeWanted(of: directory, in: &bytes) && isWhole
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

    /// Reads the values of the wanted entries; false where the file has become shorter.
    private mutating func takeWanted(
      of directory: Directory, in bytes: inout PhotoBytes
    ) throws(PhotoBytesError) -> Bool {
      var isWhole = true
      wanted.sort { $0.value.range.lowerBound < $1.value.range.lowerBound }
      for (tag, value) in wanted {
        do throws(PhotoBytesError) {
          let start = values.count
          values.append(
            contentsOf: try bytes.bytes(at: value.range.lowerBound, count: value.range.count))
          let entry = ExifBlock.Entry(
            tag: tag, type: value.type, count: UInt32(value.count), value: start..<values.count)
          // Values begin at even offsets (TIFF 6.0, section 2).
          if values.count % 2 == 1 { values.append(0) }
          if tag.directory == directory { entries.append(entry) } else { misplaced.append(entry) }
        } catch {
          guard case .beyondEnd = error else { throw error }
          isWhole = false
        }
      }
      return isWhole
    }
  }
}
