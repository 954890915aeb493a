/// A reader of the directories in a TIFF structure, the format of all EXIF blocks and most RAW
/// files: TIFF 6.0, section 2; EXIF 2.32, section 4.6.
///
/// Only the entries that PhotoSpots uses are extracted, and only the first of each tag. They are
/// assembled into a small TIFF structure for the decoder. So other parts of a block (maker notes,
/// thumbnails, previews) are never parsed, and a block may have any size, although the decoder
/// reads at most 64 KiB.
enum TIFF {
  /// A directory of the structure.
  enum Directory: Int, CaseIterable {
    case image, exif, gps
  }

  /// The extracted entries, and whether some could not be read.
  struct Extract {
    /// An EXIF block that contains only the extracted entries.
    var block: ExifBlock
    /// The range of the XMP packet in the image directory, clamped to the block: XMP specification
    /// part 3, section 1.1.4.
    var xmp: Range<Int>?
    /// The range of the IPTC metadata in the image directory, clamped to the block.
    var iptc: Range<Int>?
    /// The reason why some entries could not be read.
    var damage: String?
  }

  /// The tag of the pointer to the Exif directory.
  static let exifPointer: UInt16 = 0x8769
  /// The tag of the pointer to the GPS directory.
  static let gpsPointer: UInt16 = 0x8825
  /// The tag of the XMP packet.
  private static let xmpPacket: UInt16 = 0x02BC
  /// The tag of the IPTC metadata: XMP specification part 3, section 2.4.3.
  private static let iptcMetadata: UInt16 = 0x83BB

  /// Returns the maximum length in bytes of an extracted value; of a longer one the beginning is
  /// extracted. All but the texts of people are much shorter.
  static func maximumLength(of tag: ExifTag) -> Int { tag.isOfPerson ? 4096 : 1024 }

  /// Extracts the wanted entries from a block; `nil` if it does not begin with a TIFF header.
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
    return Extract(block: walk.assembled(), xmp: walk.xmp, iptc: walk.iptc, damage: damage)
  }

  /// Extracts the wanted entries from several blocks with one directory each; `nil` if no block has
  /// a TIFF header.
  ///
  /// A block whose byte order differs from that of the first block counts as damaged.
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

  /// The state of a walk through the directories. It visits at most three directories, so cyclic
  /// pointers are harmless.
  private struct Walk {
    let layout: TIFFLayout
    var entries: [ExifBlock.Entry] = []
    /// Entries of the Exif directory found in the image directory, where TIFF/EP (ISO 12234-2)
    /// stores them; used if the Exif directory does not have them.
    var misplaced: [ExifBlock.Entry] = []
    /// The values of the entries, concatenated.
    var values: [UInt8] = []
    /// The wanted entries of the current directory.
    private var wanted: [(tag: ExifTag, value: TIFFLayout.Value)] = []
    var exifOffset: UInt64?
    var gpsOffset: UInt64?
    var xmp: Range<Int>?
    var iptc: Range<Int>?

    init(_ layout: TIFFLayout) {
      self.layout = layout
      // Enough for the entries and values of any photo, to avoid reallocation.
      entries.reserveCapacity(ExifTag.allCases.count)
      values.reserveCapacity(512)
      wanted.reserveCapacity(ExifTag.allCases.count)
    }

    /// Returns the entries as an EXIF block in the byte order of their values.
    func assembled() -> ExifBlock {
      var all = entries
      for entry in misplaced where !entries.contains(where: { $0.tag == entry.tag }) {
        all.append(entry)
      }
      return ExifBlock(all, values: values, layout.order)
    }

    /// Reads the wanted entries of a directory; returns `false` if some could not be read.
    ///
    /// Values are read after all entries and in order of their offsets, so that each part of a file
    /// is read once.
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
                at: entry, upTo: TIFF.maximumLength(of: tag), of: &bytes)
            else { continue }
            if value.isWhole {
              wanted.append((tag, value))
            } else if !tag.isOfPerson {
              isWhole = false
            }
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

    /// Stores the location of another directory or of the XMP packet; returns `false` if it is
    /// truncated.
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
          at: entry, upTo: XMPPacket.maximumLength, of: &bytes)
        xmp = value?.range
        return value?.isWhole ?? true
      case TIFF.iptcMetadata where directory == .image && iptc == nil:
        iptc = try layout.value(at: entry, upTo: IPTCDatasets.maximumLength, of: &bytes)?.range
      default: break
      }
      return true
    }

    /// Reads the values of the wanted entries; returns `false` if the file has become shorter.
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
          if !tag.isOfPerson { isWhole = false }
        }
      }
      return isWhole
    }
  }
}
