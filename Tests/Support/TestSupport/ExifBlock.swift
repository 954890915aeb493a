/// A builder of EXIF blocks, valid or malformed: a TIFF structure with up to three directories.
public struct ExifBlock: Sendable {
  /// A directory entry.
  public struct Entry: Sendable {
    /// The entry's tag.
    public var tag: UInt16
    /// The entry's value.
    public var value: Value

    /// Creates an entry.
    public init(_ tag: UInt16, _ value: Value) {
      (self.tag, self.value) = (tag, value)
    }
  }

  /// The value of an entry.
  public enum Value: Sendable {
    /// Text with a terminating NUL.
    case ascii(String)
    case bytes([UInt8])
    case shorts([UInt16])
    case longs([UInt32])
    /// Numerators and denominators.
    case rationals([(UInt32, UInt32)])
    case signedRationals([(Int32, Int32)])
    case floats([Float])
    case doubles([Double])
    /// Any type and count, with bytes that need not match them.
    case raw(type: UInt16, count: UInt32, [UInt8])
    /// Any type and count, with the content of the four bytes for the value or its offset.
    case field(type: UInt16, count: UInt32, UInt32)
  }

  /// The byte order: `MM`, or `II`.
  public var isBigEndian: Bool
  /// The entries of the image directory, without the pointers to the others.
  public var image: [Entry]
  /// The entries of the Exif directory; `nil` for no such directory.
  public var exif: [Entry]?
  /// The entries of the GPS directory; `nil` for no such directory.
  public var gps: [Entry]?
  /// The number of filler bytes before each directory and before its values.
  public var gap = 0
  /// The number of filler bytes after the last part.
  public var tail = 0
  /// The magic number: 42, or that of a camera maker's format.
  public var magic: UInt16 = 42
  /// Whether the block has BigTIFF's counts and offsets. The magic number is then 43.
  public var isBigTIFF = false
  /// The number of bytes omitted after the header, for files too large to be built completely.
  public var omitted = 0

  /// Creates a block.
  public init(
    isBigEndian: Bool = false, image: [Entry] = [], exif: [Entry]? = nil, gps: [Entry]? = nil
  ) {
    (self.isBigEndian, self.image, self.exif, self.gps) = (isBigEndian, image, exif, gps)
  }

  /// The positions of a block's parts, in bytes from its start.
  public struct Layout: Sendable {
    /// The whole block.
    public var bytes: [UInt8] = []
    /// The image directory.
    public var imageStart = 0
    /// The Exif directory; 0 if there is none.
    public var exifStart = 0
    /// The GPS directory; 0 if there is none.
    public var gpsStart = 0
    /// The end of the last value of the last directory.
    public var valuesEnd = 0
  }

  /// The block, beginning with its TIFF header.
  public var tiff: [UInt8] { layout.bytes }

  /// The block with the positions of its parts.
  public var layout: Layout {
    // The pointers have a fixed size, so a first pass with wrong pointers determines the positions.
    written(
      exifStart: 0, gpsStart: 0,
      then: { first in
        written(exifStart: first.exifStart, gpsStart: first.gpsStart, then: { $0 })
      })
  }

  private func written(
    exifStart: Int, gpsStart: Int, then next: (Layout) -> Layout
  ) -> Layout {
    var layout = Layout()
    layout.bytes = isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]
    layout.bytes += encode(isBigTIFF ? 43 : magic)
    if isBigTIFF { layout.bytes += encode(UInt16(8)) + encode(UInt16(0)) }
    layout.imageStart = omitted + headerLength + gap
    layout.bytes += encodeWide(layout.imageStart)
    var entries = image
    if exif != nil { entries.append(Entry(0x8769, .longs([UInt32(exifStart)]))) }
    if gps != nil { entries.append(Entry(0x8825, .longs([UInt32(gpsStart)]))) }
    append(entries, to: &layout.bytes)
    if let exif {
      layout.exifStart = omitted + layout.bytes.count + gap
      append(exif, to: &layout.bytes)
    }
    if let gps {
      layout.gpsStart = omitted + layout.bytes.count + gap
      append(gps, to: &layout.bytes)
    }
    layout.valuesEnd = layout.bytes.count
    layout.bytes += filler(tail)
    return next(layout)
  }

  private func append(_ entries: [Entry], to bytes: inout [UInt8]) {
    bytes += filler(gap)
    var values: [UInt8] = []
    let (countLength, entryLength, room) = isBigTIFF ? (8, 20, 8) : (2, 12, 4)
    let valuesStart =
      omitted + bytes.count + countLength + entryLength * entries.count + room + gap
    bytes += isBigTIFF ? encode(UInt64(entries.count)) : encode(UInt16(entries.count))
    for entry in entries {
      let (type, count, value) = encode(entry.value)
      bytes += encode(entry.tag) + encode(type) + encodeWide(Int(count))
      if value.count <= room {
        bytes += value + [UInt8](repeating: 0, count: room - value.count)
      } else {
        bytes += encodeWide(valuesStart + values.count)
        values += value
      }
    }
    bytes += encodeWide(0)
    bytes += filler(gap) + values
  }

  private func filler(_ count: Int) -> [UInt8] { [UInt8](repeating: 0xFE, count: count) }

  private func encode(_ value: Value) -> (type: UInt16, count: UInt32, bytes: [UInt8]) {
    switch value {
    case .ascii(let text): (2, UInt32(text.utf8.count + 1), Array(text.utf8) + [0])
    case .bytes(let bytes): (1, UInt32(bytes.count), bytes)
    case .shorts(let numbers): (3, UInt32(numbers.count), numbers.flatMap { encode($0) })
    case .longs(let numbers): (4, UInt32(numbers.count), numbers.flatMap { encode($0) })
    case .rationals(let numbers):
      (5, UInt32(numbers.count), numbers.flatMap { encode($0.0) + encode($0.1) })
    case .signedRationals(let numbers):
      (10, UInt32(numbers.count), numbers.flatMap { encode($0.0) + encode($0.1) })
    case .floats(let numbers):
      (11, UInt32(numbers.count), numbers.flatMap { encode($0.bitPattern) })
    case .doubles(let numbers):
      (12, UInt32(numbers.count), numbers.flatMap { encode($0.bitPattern) })
    case .raw(let type, let count, let bytes): (type, count, bytes)
    case .field(let type, let count, let field): (type, count, encode(field))
    }
  }

  /// The length of the header.
  public var headerLength: Int { isBigTIFF ? 16 : 8 }

  private func encodeWide(_ number: Int) -> [UInt8] {
    isBigTIFF ? encode(UInt64(number)) : encode(UInt32(number))
  }

  private func encode(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: isBigEndian ? number.bigEndian : number.littleEndian) { Array($0) }
  }
}

extension ExifBlock {
  /// Degrees, minutes and seconds as EXIF rationals.
  public typealias Rationals = [(UInt32, UInt32)]

  /// Returns the entries of a GPS directory with a position. A `nil` reference is omitted.
  public static func position(
    latitude: Rationals, _ latitudeReference: String?, longitude: Rationals,
    _ longitudeReference: String?
  ) -> [Entry] {
    var entries: [Entry] = []
    if let latitudeReference { entries.append(Entry(1, .ascii(latitudeReference))) }
    entries.append(Entry(2, .rationals(latitude)))
    if let longitudeReference { entries.append(Entry(3, .ascii(longitudeReference))) }
    entries.append(Entry(4, .rationals(longitude)))
    return entries
  }

  /// Returns the entries of a GPS directory with a position in degrees, with a precision of 1e-7°.
  public static func position(latitude: Double, longitude: Double) -> [Entry] {
    func rational(_ degrees: Double) -> Rationals {
      [(UInt32((abs(degrees) * 1e7).rounded()), 10_000_000), (0, 1), (0, 1)]
    }
    return position(
      latitude: rational(latitude), latitude < 0 ? "S" : "N", longitude: rational(longitude),
      longitude < 0 ? "W" : "E")
  }
}
