/// One sample photo: where its file lies, what its EXIF says, and what is drawn on it.
package struct SamplePhoto: Sendable {
  /// Where and how the camera stood.
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

  /// What the photo's EXIF says about the place.
  package enum GPS: Sendable {
    /// There is no GPS directory.
    case missing
    /// There is a GPS directory with a time but without a position: the receiver saw no satellite.
    case withoutPosition
    /// The position.
    case position(Position)
  }

  /// The path below the folder of photos: album, `/`, file name.
  package let path: String
  /// The device; `nil` for a file without any EXIF.
  package let camera: Camera?
  /// When the photo was taken: ISO 8601 with the offset of the place; `nil` for an undated one.
  package let captured: String?
  /// The place.
  package let gps: GPS
  /// The rating in stars; 5 is a favourite.
  package let rating: UInt16?
  /// Whether the camera was held upright, so that the file needs orientation 6.
  package let isUpright: Bool
  /// What the photo shows, in a few words.
  package let title: String

  let scene: Scene
  let light: Light

  /// The pixels as the camera stores them: 320 by 240, small enough for a repository.
  func picture() -> Picture {
    var canvas = isUpright ? Canvas(width: 240, height: 320) : Canvas(width: 320, height: 240)
    let variant = path.utf8.reduce(0) { $0 &* 31 &+ Int($1) } & 0xFFFF
    scene.draw(on: &canvas, light: light, variant: variant)
    return isUpright ? canvas.picture().turnedLeft : canvas.picture()
  }

  /// The photo's EXIF block, beginning with `Exif\0\0`; `nil` for a file without EXIF.
  ///
  /// - Throws: ``SampleError/malformedDate(_:)`` for a mistake in the table; ``SampleError/exif``.
  package func exifBlock() throws(SampleError) -> [UInt8]? {
    guard let camera else { return nil }
    return try EXIFBlock.bytes(of: exifEntries(of: camera), order: camera.byteOrder)
  }

  /// The whole file.
  ///
  /// The same version of libjpeg gives the same bytes every time; another version may compress the
  /// same pixels into other bytes. The EXIF block does not depend on it.
  ///
  /// - Throws: ``SampleError``.
  package func jpegBytes() throws(SampleError) -> [UInt8] {
    try JPEGFile.bytes(of: picture(), exif: exifBlock(), quality: 82)
  }
}
