/// An EXIF block created by this program, with only the entries that the program uses.
///
/// It begins with the identifier `Exif\0\0`, as in a JPEG file, because libexif requires that. A
/// TIFF structure follows: the image, Exif and GPS directories one after another, and then all
/// values.
struct ExifBlock {
  /// An entry and the range of its value within all values.
  struct Entry {
    let tag: ExifTag
    let type: UInt16
    let count: UInt32
    let value: Range<Int>
  }

  /// The bytes of the whole block.
  private(set) var bytes: [UInt8] = []
  /// The TIFF structure in the block.
  var tiff: ArraySlice<UInt8> { bytes.dropFirst(Self.identifier.count) }

  private let order: ByteOrder

  private static let identifier: [UInt8] = Array("Exif\0\0".utf8)
  private static let headerLength = 8

  /// Creates a block.
  ///
  /// - Parameters:
  ///   - entries: The entries, at most one for each tag.
  ///   - values: The values of all entries, each at an even offset (TIFF 6.0, section 2).
  ///   - order: The byte order of the values.
  init(_ entries: [Entry], values: [UInt8], _ order: ByteOrder) {
    self.order = order
    // The image directory has two more entries, which point to the other directories.
    var counts: InlineArray<3, Int> = [2, 0, 0]
    for entry in entries { counts[entry.tag.directory.rawValue] += 1 }
    // Offsets are relative to the end of the identifier.
    let exifStart = Self.headerLength + Self.length(ofDirectory: counts[0])
    let gpsStart = exifStart + Self.length(ofDirectory: counts[1])
    let valuesStart = gpsStart + Self.length(ofDirectory: counts[2])

    bytes.reserveCapacity(Self.identifier.count + valuesStart + values.count)
    bytes += Self.identifier
    bytes += order == .little ? Self.littleEndian : Self.bigEndian
    append(UInt16(42))
    append(UInt32(Self.headerLength))
    for directory in TIFF.Directory.allCases {
      append(UInt16(counts[directory.rawValue]))
      for entry in entries where entry.tag.directory == directory {
        append(entry, values, valuesStart: valuesStart)
      }
      if directory == .image {
        appendPointer(TIFF.exifPointer, to: exifStart)
        appendPointer(TIFF.gpsPointer, to: gpsStart)
      }
      append(UInt32(0))  // no further directory
    }
    bytes += values
  }

  private static let littleEndian = Array("II".utf8)
  private static let bigEndian = Array("MM".utf8)

  private static func length(ofDirectory count: Int) -> Int { 2 + 12 * count + 4 }

  private mutating func append(_ entry: Entry, _ values: [UInt8], valuesStart: Int) {
    append(entry.tag.rawValue)
    append(entry.type)
    append(entry.count)
    // A value of up to four bytes is stored in place of its offset.
    guard entry.value.count <= 4 else {
      return append(UInt32(valuesStart + entry.value.lowerBound))
    }
    var inline: InlineArray<4, UInt8> = [0, 0, 0, 0]
    for place in 0..<entry.value.count { inline[place] = values[entry.value.lowerBound + place] }
    append(inline)
  }

  private mutating func appendPointer(_ tag: UInt16, to offset: Int) {
    append(tag)
    append(UInt16(4))  // LONG
    append(UInt32(1))
    append(UInt32(offset))
  }

  private mutating func append(_ number: UInt16) {
    let ordered = order == .little ? number : number.byteSwapped
    bytes.append(UInt8(truncatingIfNeeded: ordered))
    bytes.append(UInt8(truncatingIfNeeded: ordered >> 8))
  }

  private mutating func append(_ number: UInt32) {
    let ordered = order == .little ? number : number.byteSwapped
    append([
      UInt8(truncatingIfNeeded: ordered), UInt8(truncatingIfNeeded: ordered >> 8),
      UInt8(truncatingIfNeeded: ordered >> 16), UInt8(truncatingIfNeeded: ordered >> 24),
    ])
  }

  private mutating func append(_ four: InlineArray<4, UInt8>) {
    for place in four.indices { bytes.append(four[place]) }
  }
}
