import PhotoMetadata
import Spatial
import TestSupport
import Testing

@Suite struct PositionTests {
  @Test(arguments: [
    ("N", "E", 1.0, 1.0), ("S", "E", -1, 1), ("N", "W", 1, -1), ("S", "W", -1, -1),
    ("n", "e", 1, 1), ("s", "w", -1, -1), ("North", "West", 1, -1), (" S", "E ", -1, 1),
  ])
  func `the references give the hemisphere, in either case`(
    latitude: String, longitude: String, north: Double, east: Double
  ) {
    let gps = ExifBlock.position(
      latitude: [(10, 1), (30, 1), (0, 1)], latitude, longitude: [(20, 1), (15, 1), (0, 1)],
      longitude)
    for photo in propertiesInBothOrders(gps: gps) {
      #expect(photo.coordinate == Coordinate(latitude: north * 10.5, longitude: east * 20.25))
      #expect(photo.positionSource == .exif)
      #expect(photo.exifPosition == .valid)
    }
  }

  @Test func `a position in another datum is converted, and an unknown datum is noted`() throws {
    // The origin of Japan's survey in the datum of Tokyo, and in that of 2000, which agrees with
    // WGS 84 (Geospatial Information Authority of Japan).
    let (old, new) = ((35.6548652, 139.7445839), (35.6580992, 139.7413575))
    func photo(_ datum: String) -> PhotoProperties {
      let position = ExifBlock.position(latitude: old.0, longitude: old.1)
      return properties([
        .exif(ExifBlock(gps: position + [Entry(0x12, .ascii(datum))]).tiff)
      ])
    }
    let expected = try #require(Coordinate(latitude: new.0, longitude: new.1))
    let untouched = try #require(photo("WGS-84").coordinate)
    #expect(untouched.distance(to: expected) > 400)
    for name in ["TOKYO", "Tokyo", "tokyo datum"] {
      let converted = photo(name)
      #expect(try #require(converted.coordinate).distance(to: expected) < 25)
      #expect(converted.convertedDatum == "Tokyo" && converted.unread.isEmpty)
    }
    for name in ["WGS-84", "WGS84 ", "JGD2011", "", "   "] {
      #expect(photo(name).coordinate == untouched && photo(name).convertedDatum == nil)
      #expect(photo(name).unread.isEmpty)
    }
    #expect(photo("Moon 2000").coordinate == untouched)
    #expect(photo("Moon 2000").unread.map(\.block) == ["geodetic datum"])
    let packet = properties([
      .xmp(
        attributes:
          "exif:GPSLatitude='\(old.0)' exif:GPSLongitude='\(old.1)' exif:GPSMapDatum='TOKYO'")
    ])
    #expect(try #require(packet.coordinate).distance(to: expected) < 25)
  }

  @Test(
    arguments: [("N", nil), (nil, "E"), ("", "E"), ("N", "x"), ("E", "N"), ("0", "E")]
      as [(String?, String?)])
  func `without readable references there is no position`(latitude: String?, longitude: String?) {
    let gps = ExifBlock.position(
      latitude: [(10, 1), (30, 1), (0, 1)], latitude, longitude: [(20, 1), (15, 1), (0, 1)],
      longitude)
    for photo in propertiesInBothOrders(gps: gps) {
      #expect(photo.coordinate == nil)
      #expect(photo.exifPosition == .unreadableReference)
    }
  }

  private func coordinate(
    latitude: [(Int32, Int32)], _ latitudeReference: String, longitude: [(Int32, Int32)],
    _ longitudeReference: String
  ) -> Coordinate? {
    properties(
      ExifBlock(gps: [
        Entry(1, .ascii(latitudeReference)), Entry(2, .signedRationals(latitude)),
        Entry(3, .ascii(longitudeReference)), Entry(4, .signedRationals(longitude)),
      ])
    ).coordinate
  }

  @Test func `signed rationals keep their sign`() {
    #expect(
      coordinate(
        latitude: [(-33, 1), (30, 1), (0, 1)], "N", longitude: [(151, 1), (15, 1), (0, 1)], "E")
        == Coordinate(latitude: -33.5, longitude: 151.25))
    // Negative and marked as south, it is still in the south.
    #expect(
      coordinate(
        latitude: [(-33, 1), (30, 1), (0, 1)], "S", longitude: [(151, 1), (15, 1), (0, 1)], "W")
        == Coordinate(latitude: -33.5, longitude: -151.25))
    #expect(
      coordinate(latitude: [(0, 1), (-30, 1)], "S", longitude: [(5, 1)], "E")
        == Coordinate(latitude: -0.5, longitude: 5))
  }

  @Test func `negative degrees, minutes and seconds do not cancel out`() {
    #expect(
      coordinate(
        latitude: [(-33, 1), (-30, 1), (-36, 1)], "S", longitude: [(-70, 1), (-15, 1), (0, 1)],
        "W") == Coordinate(latitude: -33.51, longitude: -70.25))
  }

  @Test func `0/0 is zero in minutes and seconds, and invalid in degrees`() {
    for (latitude, expected) in [
      ([(10, 1), (30, 1), (0, 0)], 10.5), ([(10, 1), (0, 0), (0, 0)], 10),
      ([(10, 1), (0, 0), (36, 1)], 10.01), ([(0, 0), (30, 1), (0, 1)], nil),
      ([(0, 0), (0, 0), (0, 0)], nil), ([(10, 0), (30, 1), (0, 1)], nil),
      ([(10, 1), (30, 0), (0, 1)], nil), ([(10, 1), (30, 1), (1, 0)], nil),
    ] as [([(UInt32, UInt32)], Double?)] {
      let gps = ExifBlock.position(latitude: latitude, "N", longitude: [(20, 1)], "E")
      for photo in propertiesInBothOrders(gps: gps) {
        #expect(photo.coordinate?.latitude == expected, "\(latitude)")
        #expect(photo.exifPosition == (expected == nil ? .unreadableNumber : .valid))
      }
    }
  }

  @Test func `numbers of every other type are read`() {
    let north: [(value: ExifBlock.Value, degrees: Double)] = [
      (.doubles([48.8584]), 48.8584), (.doubles([48, 51, 30.24]), 48.8584),
      (.floats([10.5]), 10.5), (.floats([10, 30, 0]), 10.5), (.shorts([10, 30, 36]), 10.51),
      (.longs([10, 30, 36]), 10.51), (.bytes([10, 30, 36]), 10.51),
    ]
    for (value, degrees) in north {
      let gps = [
        Entry(1, .ascii("S")), Entry(2, value), Entry(3, .ascii("E")), Entry(4, .doubles([20.25])),
        Entry(6, .doubles([35.5])),
      ]
      for photo in propertiesInBothOrders(gps: gps) {
        #expect(abs((photo.coordinate?.latitude ?? .nan) + degrees) < 1e-12, "\(value)")
        #expect(photo.coordinate?.longitude == 20.25)
        #expect(photo.altitudeMeters == 35.5)
      }
    }
    for number in [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, 90.1] {
      let gps = [
        Entry(1, .ascii("N")), Entry(2, .doubles([number])), Entry(3, .ascii("E")),
        Entry(4, .doubles([20.25])),
      ]
      for photo in propertiesInBothOrders(gps: gps) {
        #expect(photo.coordinate == nil, "\(number)")
      }
    }
  }

  @Test func `degrees alone, or with minutes, give a position`() {
    for latitude: [(UInt32, UInt32)] in [[(105, 10)], [(10, 1), (30, 1)], [(10, 1), (1800, 60)]] {
      let gps = ExifBlock.position(latitude: latitude, "N", longitude: [(20, 1)], "E")
      #expect(
        properties(ExifBlock(gps: gps)).coordinate == Coordinate(latitude: 10.5, longitude: 20))
    }
  }

  @Test(
    arguments: [
      ([(48, 1), (59, 1), (60, 1)], 49), ([(48, 1), (60, 1), (0, 1)], 49),
      ([(48, 1), (51, 1), (504, 1)], nil), ([(48, 1), (61, 1), (0, 1)], nil),
      ([(48, 1), (51, 1), (601, 10)], nil), ([(48, 1), (51_504, 1000), (0, 1)], 48.8584),
    ] as [([(UInt32, UInt32)], Double?)])
  func `more than 60 minutes or seconds are refused, exactly 60 carry over`(
    latitude: [(UInt32, UInt32)], expected: Double?
  ) {
    let gps = ExifBlock.position(latitude: latitude, "N", longitude: [(20, 1)], "E")
    let photo = properties(ExifBlock(gps: gps))
    #expect((photo.coordinate == nil) == (expected == nil))
    #expect(abs((photo.coordinate?.latitude ?? 0) - (expected ?? 0)) < 1e-9)
    #expect(photo.exifPosition == (expected == nil ? .outOfRange : .valid))
  }

  @Test func `exactly 0, 0 is not a position, but a single zero coordinate is valid`() {
    func photo(_ latitude: UInt32, _ longitude: UInt32) -> PhotoProperties {
      properties(
        ExifBlock(
          gps: ExifBlock.position(
            latitude: [(latitude, 1_000_000), (0, 1), (0, 1)], "S",
            longitude: [(longitude, 1_000_000), (0, 1), (0, 1)], "W")))
    }
    #expect(photo(0, 0).exifPosition == .nullIsland)
    #expect(photo(0, 0).coordinate == nil)
    #expect(photo(0, 1).coordinate == Coordinate(latitude: 0, longitude: -0.000001))
    #expect(photo(1, 0).coordinate == Coordinate(latitude: -0.000001, longitude: 0))
  }

  @Test func `a position out of range is invalid`() {
    for (latitude, longitude, isValid) in [
      (90, 180, true), (91, 0, false), (0, 181, false), (.max, 1, false),
    ] as [(UInt32, UInt32, Bool)] {
      let gps = ExifBlock.position(latitude: [(latitude, 1)], "S", longitude: [(longitude, 1)], "W")
      let photo = properties(ExifBlock(gps: gps))
      #expect(photo.exifPosition == (isValid ? .valid : .outOfRange), "\(latitude) \(longitude)")
      #expect((photo.coordinate != nil) == isValid)
    }
    let past = ExifBlock.position(
      latitude: [(89, 1), (59, 1), (60_000_001, 1_000_000)], "N", longitude: [(1, 1)], "E")
    #expect(properties(ExifBlock(gps: past)).exifPosition == .outOfRange)
  }

  @Test func `a GPS directory without a position is valid`() {
    for gps in [
      [], [Entry(0, .bytes([2, 3, 0, 0]))], [Entry(1, .ascii("N")), Entry(3, .ascii("E"))],
      [Entry(1, .ascii("N")), Entry(2, .rationals([(0, 1)]))],
      [Entry(0x1D, .ascii("2024:04:13")), Entry(7, .rationals([(1, 1), (2, 1), (3, 1)]))],
    ] {
      let file = JPEGFile(ExifBlock(image: [Entry(0x10F, .ascii("Maker"))], gps: gps)).bytes
      guard case .photo(let photo) = reading(file) else {
        Issue.record("\(reading(file))")
        continue
      }
      #expect(photo.coordinate == nil)
      #expect(photo.exifPosition == .absent)
      #expect(photo.make == "Maker")
    }
  }

  @Test func `coordinates written as text, or one without the other, are unusable`() {
    let text = [
      Entry(1, .ascii("N")), Entry(2, .ascii("48,51,30")), Entry(3, .ascii("E")),
      Entry(4, .ascii("2,17,40")),
    ]
    let degrees = ExifBlock.Value.rationals([(48, 1), (51, 1), (30, 1)])
    for gps in [
      text, [text[0], Entry(2, degrees)], [Entry(2, degrees), text[3]], [Entry(4, degrees)],
    ] {
      let photo = properties(ExifBlock(gps: gps))
      #expect(photo.coordinate == nil && photo.exifPosition == .incomplete)
      #expect(photo.unusablePosition?.reason == "latitude or longitude is missing or no number")
    }
    #expect(properties(ExifBlock(gps: [Entry(2, .ascii(" "))])).exifPosition == .absent)
  }

  @Test func `a position that the receiver marked as void is kept, and in doubt`() {
    func photo(_ status: String, _ position: [Entry]) -> PhotoProperties {
      properties(ExifBlock(gps: position + [Entry(9, .ascii(status))]))
    }
    let position = ExifBlock.position(latitude: 10, longitude: 20)
    for status in ["V", "v "] {
      #expect(photo(status, position).coordinate == Coordinate(latitude: 10, longitude: 20))
      #expect(photo(status, position).unread.map(\.block) == ["GPS status"])
    }
    #expect(photo("A", position).unread.isEmpty && photo("", position).unread.isEmpty)
    #expect(photo("V", []).unread.isEmpty)
  }

  @Test func `coordinates in other types of numbers are read`() {
    let gps = [
      Entry(1, .ascii("N")), Entry(2, .shorts([10, 30, 0])), Entry(3, .bytes([0x57, 0])),
      Entry(4, .floats([20.25])),
    ]
    for photo in propertiesInBothOrders(gps: gps) {
      #expect(photo.coordinate == Coordinate(latitude: 10.5, longitude: -20.25))
    }
  }

  /// The value of degrees, minutes and seconds in units of 1e-15 degrees, by whole numbers alone.
  private func exact(_ parts: [(UInt32, UInt32)]) -> Int128 {
    zip(parts, [1, 60, 3600] as [Int128]).reduce(0) { sum, part in
      sum + Int128(part.0.0) * 1_000_000_000_000_000 / (Int128(part.0.1) * part.1)
    }
  }

  @Test(arguments: [11, 12, 13] as [UInt64])
  func `coordinates are within 1e-9 degrees of exact rational arithmetic`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func rational(upTo limit: UInt32) -> (UInt32, UInt32) {
      let denominators: [UInt32] = [
        1, 10, 100, 1000, 10_000, 1_000_000, 10_000_000,
        .random(in: 1...1_000_000, using: &generator),
      ]
      let denominator = denominators.randomElement(using: &generator) ?? 1
      let most = UInt64(limit) * UInt64(denominator)
      return (
        UInt32.random(in: 0...UInt32(min(most, UInt64(UInt32.max))), using: &generator), denominator
      )
    }
    for round in 0..<500 {
      let latitude = [rational(upTo: 88), rational(upTo: 59), rational(upTo: 59)]
      let longitude = [rational(upTo: 178), rational(upTo: 59), rational(upTo: 59)]
      let isSouth = Bool.random(using: &generator)
      let gps = ExifBlock.position(
        latitude: latitude, isSouth ? "S" : "N", longitude: longitude, "W")
      for photo in propertiesInBothOrders(gps: gps) {
        guard let found = photo.coordinate else {
          Issue.record("seed \(seed), round \(round): \(photo.exifPosition)")
          continue
        }
        let north = Double(exact(latitude)) / 1e15 * (isSouth ? -1 : 1)
        let east = -Double(exact(longitude)) / 1e15
        #expect(abs(found.latitude - north) < 1e-9, "seed \(seed), round \(round)")
        #expect(abs(found.longitude - east) < 1e-9, "seed \(seed), round \(round)")
      }
    }
  }

  @Test func `altitude is negative below sea level`() {
    for (reference, expected) in [(0, 35.5), (1, -35.5), (2, 35.5), (3, -35.5), (nil, 35.5)]
      as [(UInt8?, Double)]
    {
      var gps = somewhere
      if let reference { gps.append(Entry(5, .bytes([reference]))) }
      gps.append(Entry(6, .rationals([(355, 10)])))
      for photo in propertiesInBothOrders(gps: gps) { #expect(photo.altitudeMeters == expected) }
    }
    let signed = [Entry(5, .bytes([1])), Entry(6, .signedRationals([(-43, 1)]))]
    #expect(properties(ExifBlock(gps: signed)).altitudeMeters == -43)
    for (text, expected) in [("0", 35.5), ("1", -35.5), ("?", 35.5)] {
      let gps = [Entry(5, .ascii(text)), Entry(6, .rationals([(355, 10)]))]
      for photo in propertiesInBothOrders(gps: gps) { #expect(photo.altitudeMeters == expected) }
    }
    let unknown = [Entry(6, .rationals([(0, 0)]))]
    #expect(properties(ExifBlock(gps: unknown)).altitudeMeters == nil)
  }

  @Test(
    arguments: [
      (57 as UInt32, 10 as UInt32, 28 as UInt16, 5.7, 28), (50, 1, 0, 50, nil), (0, 1, 28, nil, 28),
      (0, 1, 0, nil, nil), (1, 0, 0, nil, nil), (0, 0, 0, nil, nil), (200_000, 1, 0, nil, nil),
      (.max, 1, .max, nil, 65_535),
    ] as [(UInt32, UInt32, UInt16, Double?, Int?)])
  func `a focal length is read as actual and 35 mm equivalent, and zero is nil`(
    numerator: UInt32, denominator: UInt32, film: UInt16, own: Double?, equivalent: Int?
  ) {
    let read = properties(
      ExifBlock(exif: [
        Entry(0x920A, .rationals([(numerator, denominator)])), Entry(0xA405, .shorts([film])),
      ])
    ).focalLength
    #expect(read?.millimeters == own && read?.millimetersOn35mmFilm == equivalent)
    #expect((read == nil) == (own == nil && equivalent == nil))
  }

  @Test func `headings are true or magnetic, and within a full turn`() {
    for (reference, isMagnetic) in [("T", false), ("M", true), ("m", true), (nil, false)]
      as [(String?, Bool)]
    {
      var gps = [Entry(0x11, .rationals([(2705, 10)]))]
      if let reference { gps.append(Entry(0x10, .ascii(reference))) }
      for photo in propertiesInBothOrders(gps: gps) {
        #expect(photo.heading == Heading(degrees: 270.5, isMagnetic: isMagnetic))
      }
    }
    for bad in [(361, 1), (0, 0), (1, 0), (.max, 1)] as [(UInt32, UInt32)] {
      #expect(properties(ExifBlock(gps: [Entry(0x11, .rationals([bad]))])).heading == nil)
    }
  }

  @Test func `accuracy is in metres, and nil if it is zero or not a number`() {
    func accuracy(_ numerator: UInt32, _ denominator: UInt32) -> Double? {
      properties(ExifBlock(gps: somewhere + [Entry(0x1F, .rationals([(numerator, denominator)]))]))
        .horizontalAccuracyMeters
    }
    #expect(accuracy(475, 100) == 4.75)
    #expect(accuracy(0, 1) == nil)
    #expect(accuracy(0, 0) == nil)
    #expect(accuracy(5, 0) == nil)
  }

  @Test func `camera, orientation and rating are read, and blanks are nil`() {
    let image = [
      Entry(0x10F, .ascii("  Zoë & Söhne \0\0")), Entry(0x110, .ascii("   ")),
      Entry(0x112, .shorts([6])), Entry(0x4746, .shorts([5])),
    ]
    for photo in propertiesInBothOrders(image: image) {
      #expect(photo.make == "Zoë & Söhne")
      #expect(photo.model == nil)
      #expect(photo.orientation == 6)
      #expect(photo.rating == 5)
      #expect(photo.isFavorite)
    }
    let wrong = [Entry(0x112, .shorts([9])), Entry(0x4746, .shorts([6]))]
    let photo = properties(ExifBlock(image: wrong))
    #expect(photo.orientation == nil)
    #expect(photo.rating == nil)
    #expect(!photo.isFavorite)
    #expect(!properties(ExifBlock(image: [Entry(0x4746, .shorts([4]))])).isFavorite)
  }
}
