/// An EXIF block of our own making, which holds only the entries that are used.
///
/// It begins with the identifier `Exif\0\0`, as in a JPEG file, because libexif wants it. A TIFF structure
/// follows: the image, Exif and GPS directories one behind another, and all values behind them.
struct ExifBlock {
  /// An entry, and where its value lies among all values.
  struct Entry {
    let tag: ExifTag
    let type: UInt16
    let count: UInt32
    let value: Range<Int>
  }

  /// The whole block.
  private(set) var bytes: [UInt8] = []
  /// The TIFF structure in it.
  var tiff: ArraySlice<UInt8> { bytes.dropFirst(Self.identifier.count) }

  private let order: ByteOrder

  private static let identifier: [UInt8] = Array("Exif\0\0".utf8)
  private static let headerLength = 8

  /// Puts a block together.
  ///
  /// - Parameters:
  ///   - entries: The entries, at most one of each tag.
  ///   - values: The values of all entries, each at an even offset (TIFF 6.0, section 2).
  ///   - order: The byte order that the values are in.
  init(_ entries: [Entry], values: [UInt8], _ order: ByteOrder) {
    self.order = order
    // The image directory has two more, which point to the others.
    let count = { (directory: TIFF.Directory) in
      entries.count { $0.tag.directory == directory } + (directory == .image ? 2 : 0)
    }
    // Offsets are counted from the end of the identifier.
    let exifStart = Self.headerLength + Self.length(ofDirectory: count(.image))
    let gpsStart = exifStart + Self.length(ofDirectory: count(.exif))
    let valuesStart = gpsStart + Self.length(ofDirectory: count(.gps))

    bytes.reserveCapacity(Self.identifier.count + valuesStart + values.count)
    bytes.append(contentsOf: Self.identifier)
    bytes.append(contentsOf: order == .little ? "II".utf8 : "MM".utf8)
    append(UInt16(42))
    append(UInt32(Self.headerLength))
    for directory in TIFF.Directory.allCases {
      append(UInt16(count(directory)))
      for entry in entries where entry.tag.directory == directory {
        append(entry, values, valuesStart: valuesStart)
      }
      if directory == .image {
        appendPointer(TIFF.exifPointer, to: exifStart)
        appendPointer(TIFF.gpsPointer, to: gpsStart)
      }
      append(UInt32(0))  // no further directory
    }
    bytes.append(contentsOf: values)
  }

  private static func length(ofDirectory count: Int) -> Int { 2 + 12 * count + 4 }

  private mutating func append(_ entry: Entry, _ values: [UInt8], valuesStart: Int) {
    append(entry.tag.rawValue)
    append(entry.type)
    append(entry.count)
    // A value of up to four bytes stands in the place of its offset.
    guard entry.value.count <= 4 else {
      return append(UInt32(valuesStart + entry.value.lowerBound))
    }
    for place in 0..<4 {
      bytes.append(place < entry.value.count ? values[entry.value.lowerBound + place] : 0)
    }
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
    for shift: UInt32 in [0, 8, 16, 24] {
      bytes.append(UInt8(truncatingIfNeeded: ordered >> shift))
    }
  }
}
