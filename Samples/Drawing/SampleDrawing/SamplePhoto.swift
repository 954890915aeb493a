/// A sample photo: the path of its file, its EXIF metadata, and its subject.
package struct SamplePhoto: Sendable {
  /// The position and direction of the camera.
  package struct Position: Sendable {
    /// Degrees north of the equator, in whole millionths, so that the EXIF holds it exactly.
    package let latitude: Double
    /// Degrees east of the prime meridian, in whole millionths.
    package let longitude: Double
    /// Metres above sea level, in tenths; negative below.
    package let altitudeMeters: Double?
    /// The radius in metres within which the camera was, in tenths.
    package let accuracyMeters: Double?
    /// The direction of view in degrees clockwise from north, in tenths.
    package let headingDegrees: Double?
  }

  /// The position data in the photo's EXIF.
  package enum GPS: Sendable {
    /// There is no GPS directory.
    case missing
    /// There is a GPS directory with a time but no position, since the receiver had no satellite.
    case withoutPosition
    /// The position.
    case position(Position)
  }

  /// The path below the folder of photos: album, `/`, file name.
  package let path: String
  /// The device; `nil` for a file without any EXIF.
  package let camera: Camera?
  /// The capture time in ISO 8601 with the local offset; `nil` for an undated photo.
  package let captured: String?
  /// The position data.
  package let gps: GPS
  /// The rating in stars; 5 is a favourite.
  package let rating: UInt16?
  /// Whether the camera was held upright, so that the file needs orientation 6.
  package let isUpright: Bool
  /// A short description of the subject.
  package let title: String

  let scene: Scene
  let light: Light

  /// Returns the pixels as the camera stores them: 320 by 240, small enough for a repository.
  func picture() -> Picture {
    var canvas = isUpright ? Canvas(width: 240, height: 320) : Canvas(width: 320, height: 240)
    let variant = path.utf8.reduce(0) { $0 &* 31 &+ Int($1) } & 0xFFFF
    scene.draw(on: &canvas, light: light, variant: variant)
    return isUpright ? canvas.picture().turnedLeft : canvas.picture()
  }

  /// Returns the photo's EXIF block, beginning with `Exif\0\0`; `nil` for a file without EXIF.
  ///
  /// - Throws: ``SampleError/malformedDate(_:)`` for an error in the table; ``SampleError/exif``.
  package func exifBlock() throws(SampleError) -> [UInt8]? {
    guard let camera else { return nil }
    return try EXIFBlock.bytes(of: exifEntries(of: camera), order: camera.byteOrder)
  }

  /// Returns the complete file.
  ///
  /// The result is deterministic for a version of libjpeg; another version may compress the same
  /// pixels differently. The EXIF block does not depend on it.
  ///
  /// - Throws: ``SampleError``.
  package func jpegBytes() throws(SampleError) -> [UInt8] {
    try JPEGFile.bytes(of: picture(), exif: exifBlock(), quality: 82)
  }
}
