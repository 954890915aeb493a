import CivilTime
import SampleDrawing
import Spatial
import Testing

@Suite struct SamplePhotoTests {
  @Test func `the folder holds exactly the photos of the table`() throws {
    #expect(try SampleFiles.files(below: "photos") == Set(SamplePhoto.all.map(\.path)))
    #expect(Set(SamplePhoto.all.map(\.path)).count == SamplePhoto.all.count)
  }

  @Test(arguments: SamplePhoto.all)
  func `a committed photo has the expected size and the generated EXIF block`(
    photo: SamplePhoto
  ) throws {
    let bytes = try SampleFiles.bytes(of: "photos/" + photo.path)
    let headers = try JPEGHeaders(bytes)
    #expect(try headers.exif == photo.exifBlock())
    #expect(headers.width == 320 && headers.height == 240)
    #expect(bytes.count <= 15_000)
  }

  @Test(arguments: SamplePhoto.all)
  func `EXIF has the camera and time of the table`(photo: SamplePhoto) throws {
    guard let camera = photo.camera else {
      #expect(try photo.exifBlock() == nil)
      return
    }
    let reader = try EXIFReader(#require(try photo.exifBlock()))
    #expect(reader.isBigEndian == (camera.byteOrder == .bigEndian))
    #expect(reader.text(0x010F, in: reader.image) == camera.make)
    #expect(reader.text(0x0110, in: reader.image) == camera.model)
    #expect(reader.number(0x0112, in: reader.image) == (photo.isUpright ? 6 : 1))
    #expect(reader.number(0x4746, in: reader.image) == photo.rating.map(Double.init))
    #expect(reader.number(0xA002, in: reader.exif) == 320)
    try expectTime(photo, camera, reader)
  }

  private func expectTime(
    _ photo: SamplePhoto, _ camera: Camera, _ reader: EXIFReader
  ) throws {
    guard let captured = photo.captured else {
      #expect(reader.exif[0x9003] == nil && reader.exif[0x9004] == nil)
      #expect(reader.image[0x0132] == nil && reader.gps?[0x001D] == nil)
      return
    }
    let original = try #require(reader.text(0x9003, in: reader.exif))
    #expect(reader.text(0x9004, in: reader.exif) == original)
    let date = original.prefix(10).map { $0 == ":" ? "-" : String($0) }.joined()
    #expect(captured.hasPrefix(date + "T" + original.dropFirst(11)))
    let fraction = reader.text(0x9291, in: reader.exif)
    #expect(captured.dropFirst(19).hasPrefix(fraction.map { "." + $0 } ?? captured.suffix(6)))
    let offset = reader.text(0x9011, in: reader.exif)
    #expect(offset == (camera.writesOffset ? String(captured.suffix(6)) : nil))
    if reader.gps != nil, camera.writesGPSTime {
      guard case .rationals(let clock) = reader.gps?[0x0007] else {
        Issue.record("no GPS time")
        return
      }
      let instant = try #require(Instant(iso8601: captured))
      let utc = try #require(CivilDateTime(instant))
      #expect(clock == [utc.hour, utc.minute, utc.second].map(Double.init))
      let day = instant.iso8601.prefix(10).map { $0 == "-" ? ":" : String($0) }.joined()
      #expect(reader.text(0x001D, in: reader.gps) == day)
    } else {
      #expect(reader.gps?[0x0007] == nil && reader.gps?[0x001D] == nil)
    }
  }

  @Test(arguments: SamplePhoto.all)
  func `EXIF has the position of the table`(photo: SamplePhoto) throws {
    guard let camera = photo.camera else { return }
    let reader = try EXIFReader(#require(try photo.exifBlock()))
    switch photo.gps {
    case .missing: #expect(reader.gps == nil)
    case .withoutPosition:
      #expect(reader.gps != nil)
      for tag in 1...4 { #expect(reader.gps?[tag] == nil) }
    case .position(let position):
      let latitude = try reader.degrees(2, reference: 1, negative: "S", positive: "N")
      let longitude = try reader.degrees(4, reference: 3, negative: "W", positive: "E")
      #expect(abs(latitude - position.latitude) < 1e-9)
      #expect(abs(longitude - position.longitude) < 1e-9)
      #expect(reader.number(6, in: reader.gps) == position.altitudeMeters.map(abs))
      #expect(reader.number(5, in: reader.gps) == position.altitudeMeters.map { $0 < 0 ? 1 : 0 })
      #expect(reader.number(0x11, in: reader.gps) == position.headingDegrees)
      let reference = camera.hasMagneticCompass ? "M" : "T"
      #expect(reader.text(0x10, in: reader.gps) == position.headingDegrees.map { _ in reference })
      #expect(reader.number(0x1F, in: reader.gps) == position.accuracyMeters)
    }
  }

  @Test func `the sample photos cover every kind of position and metadata`() throws {
    let photos = SamplePhoto.all
    let positions = photos.compactMap(\.position)
    #expect(photos.count >= 24)
    #expect(Set(photos.compactMap { $0.camera?.model }).count >= 5)
    #expect(Set(photos.compactMap { $0.camera?.byteOrder }).count == 2)
    let hemispheres = positions.map { [$0.latitude < 0, $0.longitude < 0] }
    #expect(Set(hemispheres).count == 4)
    #expect(positions.contains { $0.longitude > 179.9 })
    #expect(positions.contains { $0.longitude < -179.9 })
    #expect(positions.contains { $0.latitude == 0 && $0.longitude != 0 })
    #expect(positions.contains { ($0.altitudeMeters ?? 0) < 0 })
    #expect(positions.count { $0.headingDegrees != nil } >= 5)
    #expect(positions.count { $0.accuracyMeters != nil } >= 5)
    #expect(photos.count { if case .missing = $0.gps { true } else { false } } >= 3)
    #expect(photos.count { if case .withoutPosition = $0.gps { true } else { false } } == 1)
    #expect(photos.count { $0.rating == 5 } == 1)
    #expect(photos.contains { $0.captured == nil && $0.position != nil })
    #expect(photos.contains { $0.path.utf8.contains { $0 > 0x7F } })
    #expect(photos.contains { $0.isUpright })
  }

  @Test func `one spot is revisited over the years, and another is a short walk away`() throws {
    let terrace = try photos(near: 48.86194, 2.28830)
    let lawn = try photos(near: 48.85735, 2.29580)
    #expect(terrace.count == 6 && lawn.count == 3)
    #expect(
      Set(terrace.compactMap { $0.captured?.prefix(4) }) == ["2016", "2019", "2024", "2025"])
    for spot in [terrace, lawn] {
      let coordinates = try spot.map(coordinate)
      for (first, second) in zip(coordinates, coordinates.dropFirst()) {
        #expect(first.distance(to: second) < 11)
        #expect(coordinates[0].distance(to: second) < 10)
      }
    }
    #expect((600...900).contains(try coordinate(terrace[0]).distance(to: coordinate(lawn[0]))))
  }

  private func photos(near latitude: Double, _ longitude: Double) throws -> [SamplePhoto] {
    let center = try #require(Coordinate(latitude: latitude, longitude: longitude))
    return try SamplePhoto.all.filter { photo in
      try photo.position != nil && coordinate(photo).distance(to: center) < 50
    }
  }

  private func coordinate(_ photo: SamplePhoto) throws -> Coordinate {
    let position = try #require(photo.position)
    return try #require(
      Coordinate(latitude: position.latitude, longitude: position.longitude))
  }

  @Test func `drawing a photo twice gives identical bytes`() throws {
    let photo = try #require(SamplePhoto.all.first { $0.isUpright })
    let bytes = try photo.jpegBytes()
    #expect(try photo.jpegBytes() == bytes)
    let headers = try JPEGHeaders(bytes)
    #expect(try headers.exif == photo.exifBlock())
    #expect(headers.width == 320 && headers.height == 240)
  }

  @Test func `pictures that libjpeg rejects throw an error`() {
    let wide = Picture(width: 65_501, height: 1, rgb: Array(repeating: 0, count: 65_501 * 3))
    let empty = Picture(width: 0, height: 0, rgb: [])
    for picture in [wide, empty] {
      #expect(throws: SampleError.self) {
        try JPEGFile.bytes(of: picture, exif: nil, quality: 80)
      }
    }
    let dot = Picture(width: 1, height: 1, rgb: [1, 2, 3])
    #expect(throws: SampleError.exifTooLong) {
      try JPEGFile.bytes(of: dot, exif: Array(repeating: 0, count: 65_534), quality: 80)
    }
  }

  @Test func `a picture larger than the first buffer is complete`() throws {
    let noise = (0..<640 * 480 * 3).map {
      UInt8(truncatingIfNeeded: $0 &* $0 &* 2_654_435_761 >> 13)
    }
    let picture = Picture(width: 640, height: 480, rgb: noise)
    let bytes = try JPEGFile.bytes(of: picture, exif: nil, quality: 95)
    let headers = try JPEGHeaders(bytes)
    #expect(bytes.count > 64 * 1024)
    #expect(headers.width == 640 && headers.height == 480)
  }
}
