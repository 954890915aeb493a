import CivilTime
import PhotoMetadata
import Recreations
import Spatial
import SystemPackage
import TestSupport

/// 2026-11-22 10:15:03 in Arezzo.
let now = Instant(secondsSince1970: 1_795_338_903)
/// The local clock there.
let clock = LocalClock.fixed(utcOffsetMinutes: 60)

extension Coordinate {
  static let arezzo = Coordinate(uncheckedLatitude: 43.466448, longitude: 11.885126)

  /// A position so many metres north.
  func north(_ meters: Double) -> Coordinate {
    Coordinate(
      uncheckedLatitude: latitude + meters / (Earth.meanRadiusMeters * .pi / 180),
      longitude: longitude)
  }
}

extension OldPhoto {
  /// A photo of 22 October 2008.
  static var arezzo: OldPhoto {
    var photo = OldPhoto(name: "k7mabcdefghijklm", path: "/photos/Arezzo/DSCN0010.jpg")
    photo.spotID = "47xjsbmtz9sp"
    photo.place = "Arezzo"
    photo.captured = CaptureTime(
      instant: Instant(secondsSince1970: 1_224_686_000), utcOffsetMinutes: 120)
    photo.coordinate = .arezzo
    photo.altitudeMeters = 296
    photo.heading = Heading(degrees: 123.5)
    return photo
  }
}

extension JPEGFile.Part {
  /// A frame header.
  static func frame(
    _ marker: UInt8 = 0xC0, width: Int = 32, height: Int = 24, components: UInt8 = 3,
    precision: UInt8 = 8
  ) -> Self {
    .segment(
      marker: marker,
      [precision, UInt8(height >> 8), UInt8(height & 0xFF), UInt8(width >> 8), UInt8(width & 0xFF)]
        + [components] + (0..<components).flatMap { [$0 + 1, 0x11, 0] })
  }

  /// A colour profile.
  static let profile = JPEGFile.Part.segment(
    marker: 0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + Array("Display P3".utf8))
  /// Tables.
  static let tables = JPEGFile.Part.segment(marker: 0xDB, [0] + Array(1...64))
}

/// A sample photo with its own EXIF.
func samplePhoto(_ name: String = "2025 Paris/PXL_20250914_074402.jpg") throws -> [UInt8] {
  let package = Repository.folder
  return try Corpus.contents(of: package.appending("Samples/photos").appending(name))
}

/// The metadata of a file in memory.
func properties(of file: [UInt8]) -> PhotoProperties? {
  var reader = MetadataReader()
  guard case .photo(let properties) = reader.read(file) else { return nil }
  return properties
}
