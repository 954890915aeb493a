import PhotoMetadata
import Spatial
import SystemPackage
import TestSupport

typealias Entry = ExifBlock.Entry

/// Returns the result of reading a file with this content.
func reading(_ content: [UInt8], claimsToBePhoto: Bool = true) -> MetadataReader.Reading {
  var reader = MetadataReader()
  return reader.read(content, claimsToBePhoto: claimsToBePhoto)
}

/// Returns the metadata of a photo with this content; empty if it is not a photo.
func properties(_ content: [UInt8]) -> PhotoProperties {
  guard case .photo(let properties) = reading(content) else { return PhotoProperties() }
  return properties
}

/// Returns the metadata of a photo with these parts before its picture.
func properties(_ parts: [JPEGFile.Part]) -> PhotoProperties {
  properties(JPEGFile(parts).bytes)
}

/// Returns the metadata of a photo with an EXIF block.
func properties(_ block: ExifBlock) -> PhotoProperties { properties(JPEGFile(block).bytes) }

/// Returns the metadata of a photo with an EXIF block, which must be the same in both byte orders.
func propertiesInBothOrders(
  image: [Entry] = [], exif: [Entry]? = nil, gps: [Entry]? = nil
) -> [PhotoProperties] {
  [true, false].map {
    properties(ExifBlock(isBigEndian: $0, image: image, exif: exif, gps: gps))
  }
}

/// An ordinary position: 48° 51' 30.24" N, 2° 17' 40.2" E.
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
  /// The reason why it is malformed; `nil` if it is not.
  var malformation: String? {
    if case .malformed(let reason) = self { reason } else { nil }
  }
}

/// Returns the metadata of a file on disk, and the number of bytes read.
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
