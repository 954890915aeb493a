import CivilTime
import PhotoMetadata
import Spatial
import TestSupport
import Testing

@Suite struct ExifBlockWritingTests {
  /// Returns the metadata read from a photo with the block.
  private func read(_ properties: PhotoProperties) throws -> PhotoProperties {
    let block = try #require(properties.exifBlock(width: 320, height: 240, hasProfile: false))
    #expect(block.starts(with: Array("Exif\0\0MM".utf8)))
    var reader = MetadataReader()
    let reading = reader.read(JPEGFile([.segment(marker: 0xE1, block)]).bytes)
    guard case .photo(let read) = reading else {
      Issue.record("\(reading)")
      return PhotoProperties()
    }
    return read
  }

  private func random(using generator: inout SeededGenerator) -> PhotoProperties {
    var photo = PhotoProperties()
    let edges = [(90.0, 180.0), (-90, -180), (0, 1e-9), (-0.0, 5), (59.9999999999, 59.9999999999)]
    let latitude = Double.random(in: -90...90, using: &generator)
    let longitude = Double.random(in: -180...180, using: &generator)
    let (north, east) =
      Int.random(in: 0..<4, using: &generator) == 0
      ? edges.randomElement(using: &generator) ?? (0, 1) : (latitude, longitude)
    photo.coordinate = Coordinate(latitude: north, longitude: east)
    photo.altitudeMeters = Double(Int.random(in: -42_000...884_886, using: &generator)) / 100
    photo.horizontalAccuracyMeters = Double(Int.random(in: 1...9999, using: &generator)) / 100
    photo.heading = Heading(
      degrees: Double(Int.random(in: 0...35_999, using: &generator)) / 100,
      isMagnetic: Bool.random(using: &generator))
    let offset =
      Bool.random(using: &generator) ? Int.random(in: -720...840, using: &generator) : nil
    photo.captured = CaptureTime(
      instant: Instant(
        millisecondsSince1970: Int64.random(
          in: -4_000_000_000_000...7_200_000_000_000, using: &generator)),
      utcOffsetMinutes: offset)
    photo.make = "Make \(UInt8.random(in: 0...255, using: &generator))"
    photo.model = "Modèle 型"
    photo.focalLength = FocalLength(
      millimeters: Double(Int.random(in: 1...99_999, using: &generator)) / 100,
      millimetersOn35mmFilm: Int.random(in: 1...65_535, using: &generator))
    photo.orientation = Int.random(in: 1...8, using: &generator)
    return photo
  }

  @Test func `an EXIF block round-trips`() throws {
    for seed in UInt64(0)..<500 {
      var generator = SeededGenerator(seed: seed)
      var photo = random(using: &generator)
      var read = try read(photo)
      let (meant, found) = (photo.coordinate, read.coordinate)
      #expect(abs((meant?.latitude ?? 0) - (found?.latitude ?? 99)) <= 1e-9, "seed \(seed)")
      #expect(abs((meant?.longitude ?? 0) - (found?.longitude ?? 999)) <= 1e-9, "seed \(seed)")
      (photo.coordinate, read.coordinate) = (nil, nil)
      photo.positionSource = .exif
      photo.exifPosition = .valid
      photo.captureTimeSource = .dateTimeOriginal
      #expect(read == photo, "seed \(seed)")
    }
  }

  @Test func `unknown values are not written`() throws {
    #expect(try read(PhotoProperties()) == PhotoProperties())
    var photo = PhotoProperties()
    photo.altitudeMeters = 5
    photo.heading = Heading(degrees: 5)
    // A GPS directory without a position is of no use.
    #expect(try read(photo) == PhotoProperties())
  }

  @Test func `a time that EXIF cannot represent is not written`() throws {
    var photo = PhotoProperties()
    for instant in [
      Instant(secondsSince1970: -5_000_000_000), Instant(millisecondsSince1970: .max),
    ] {
      photo.captured = CaptureTime(instant: instant)
      #expect(try read(photo).captured == nil)
    }
    let time = Instant(secondsSince1970: 1_700_000_000)
    photo.captured = CaptureTime(instant: time, utcOffsetMinutes: 5000)
    #expect(try read(photo).captured == CaptureTime(instant: time))
  }

  @Test func `a heading of 360° becomes 0, and text and numbers are cut to their limits`() throws {
    var photo = PhotoProperties()
    photo.coordinate = Coordinate(latitude: 1, longitude: 2)
    photo.heading = Heading(degrees: 360)
    photo.altitudeMeters = 1e300
    photo.make = String(repeating: "é", count: 100_000)
    photo.model = "a\0b"
    let read = try read(photo)
    #expect(read.heading?.degrees == 0 && read.altitudeMeters == 42_949_672.95)
    #expect(read.make == String(repeating: "é", count: 128) && read.model == "a")
  }
}
