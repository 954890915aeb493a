import PhotoMetadata
import Spatial
import SystemPackage
import TestSupport

typealias Entry = ExifBlock.Entry

/// What a file with this content turns out to be.
func reading(_ content: [UInt8], claimsToBePhoto: Bool = true) -> MetadataReader.Reading {
  var reader = MetadataReader()
  return reader.read(content, claimsToBePhoto: claimsToBePhoto)
}

/// What a photo with this content says; nothing where it is not one.
func properties(_ content: [UInt8]) -> PhotoProperties {
  guard case .photo(let properties) = reading(content) else { return PhotoProperties() }
  return properties
}

/// What a photo with these parts before its picture says.
func properties(_ parts: [JPEGFile.Part]) -> PhotoProperties {
  properties(JPEGFile(parts).bytes)
}

/// What a photo with an EXIF block says.
func properties(_ block: ExifBlock) -> PhotoProperties { properties(JPEGFile(block).bytes) }

/// What a photo says of which the EXIF block is given, in both byte orders, which must say the
/// same.
func propertiesInBothOrders(
  image: [Entry] = [], exif: [Entry]? = nil, gps: [Entry]? = nil
) -> [PhotoProperties] {
  [true, false].map {
    properties(ExifBlock(isBigEndian: $0, image: image, exif: exif, gps: gps))
  }
}

/// A position far from every special value: 48° 51' 30.24" N, 2° 17' 40.2" E.
let somewhere = ExifBlock.position(
  latitude: [(48, 1), (51, 1), (3024, 100)], "N", longitude: [(2, 1), (17, 1), (402, 10)], "E")

extension PhotoProperties {
  /// Whether the position is that of `somewhere`.
  var isSomewhere: Bool {
    guard let coordinate else { return false }
    return abs(coordinate.latitude - (48 + 51 / 60.0 + 30.24 / 3600)) < 1e-9
      && abs(coordinate.longitude - (2 + 17 / 60.0 + 40.2 / 3600)) < 1e-9
  }
}

extension MetadataReader.Reading {
  /// Why it is malformed; `nil` where it is not.
  var malformation: String? {
    if case .malformed(let reason) = self { reason } else { nil }
  }
}

/// What a file on disk says, and how much was read of it.
func readFile(
  _ parts: [(offset: Int, content: [UInt8])], count: Int
) throws -> (reading: MetadataReader.Reading, bytesRead: Int) {
  let folder = TemporaryFolder()
  try folder.write([], to: "photo")
  let file = try FileDescriptor.open(folder.path("photo"), .readWrite)
  defer { try? file.close() }
  for part in parts { try file.writeAll(toAbsoluteOffset: Int64(part.offset), part.content) }
  try file.resize(to: Int64(count))
  var reader = MetadataReader()
  let reading = try reader.read(file, count: count)
  return (reading, reader.bytesRead)
}

/// A four-byte number.
func bytes(_ number: Int, isBigEndian: Bool = false) -> [UInt8] {
  let number = UInt32(number)
  return withUnsafeBytes(of: isBigEndian ? number.bigEndian : number.littleEndian) { Array($0) }
}
