import CivilTime
import PhotoMetadata
import Spatial
import SystemPackage
import TestSupport
import Testing

@Suite struct MovieTests {
  private let locationKey = "com.apple.quicktime.location.ISO6709"
  private let dateKey = "com.apple.quicktime.creationdate"

  private func userData(_ boxes: Box...) -> Box { Box("udta", boxes) }

  private func movie(_ boxes: Box...) -> PhotoProperties { properties(MovieFile(boxes).bytes) }

  @Test(arguments: [
    ("+48.8584+002.2945+035.000/", 48.8584, 2.2945, 35.0 as Double?),
    ("-33.8568+151.2153/", -33.8568, 151.2153, nil),
    ("+4851.504+00217.67/", 48.8584, 2 + 17.67 / 60, nil),
    ("+485130.24-0021740.2-12.5/", 48.8584, -(2 + 17 / 60.0 + 40.2 / 3600), -12.5),
    ("+4851-00217/", 48.85, -(2 + 17 / 60.0), nil), ("+48-002", 48, -2, nil),
    // Exactly 60, which rounding writes, carries over.
    ("+4860+00200/", 49, 2, nil), ("+485960+0020000/", 49, 2, nil),
    ("+9.06+38.7617+0CRSWGS_84/", 9.06, 38.7617, 0), ("-90-180/", -90, -180, nil),
    ("+48.8584+2.2945+1.5CRSWGS_84/", 48.8584, 2.2945, 1.5), ("-00.5+000.5/", -0.5, 0.5, nil),
  ])
  func `ISO 6709 positions are read in every form`(
    text: String, latitude: Double, longitude: Double, altitude: Double?
  ) throws {
    for box in [
      userData(.userText("©xyz", text)), .metadata([(locationKey, text)]),
      .metadata(isMP4: true, [("some.other.key", "x"), (locationKey, text)]),
    ] {
      let photo = movie(box)
      let found = try #require(photo.coordinate)
      #expect(abs(found.latitude - latitude) < 1e-9)
      #expect(abs(found.longitude - longitude) < 1e-9)
      #expect(photo.altitudeMeters == altitude)
      #expect(photo.positionSource == .quickTime)
    }
  }

  @Test(arguments: [
    "", "/", "48.8+2.2/", "+48.8", "+48.8+", "+x+2/", "+48.8 +2.2/", "+91+2/", "+48+181/",
    "+0+0/", "+00.0000-000.0000/", "+4861+00200/", "+485961+0020000/", "+48512+00217/",
    "+48.8+0021/", "+nan+2/", "+1e1+2/", "+99999999999999999999+2/", "++48+2/",
  ])
  func `rejects text that is not an ISO 6709 position`(text: String) {
    let photo = movie(userData(.userText("©xyz", text)))
    #expect(photo.coordinate == nil)
    #expect(photo.quickTimePosition != .valid)
  }

  @Test func `3GPP places are read, with names in UTF-8 and UTF-16`() {
    let wide: [UInt8] = [0xFE, 0xFF, 0, 0x41, 1, 0, 0, 0]
    for name in [Array("A place\0".utf8), wide, [0]] {
      let photo = movie(
        userData(.place(latitude: -33.5, longitude: 151.25, altitude: -2.5, name: name)))
      #expect(photo.coordinate == Coordinate(latitude: -33.5, longitude: 151.25))
      #expect(photo.altitudeMeters == -2.5)
    }
    let null = movie(userData(.place(latitude: 0, longitude: 0, altitude: 0)))
    #expect(null.coordinate == nil)
    #expect(null.quickTimePosition == .nullIsland)
  }

  @Test func `metadata keys take precedence over user data, and these over 3GPP places`() {
    let place = Box.place(latitude: 3, longitude: 3, altitude: 0)
    let user = Box.userText("©xyz", "+2+2/")
    func keyed(_ text: String) -> Box { .metadata([(locationKey, text)]) }
    #expect(movie(userData(place, user), keyed("+1+1/")).coordinate?.latitude == 1)
    #expect(movie(userData(place, user), keyed("+0+0/")).coordinate?.latitude == 2)
    #expect(movie(userData(place, user)).coordinate?.latitude == 2)
    #expect(movie(userData(place, .userText("©xyz", "?"))).coordinate?.latitude == 3)
  }

  @Test func `a position, a date and a camera in an iTunes list are found`() {
    func item(_ type: String, _ text: String) -> Box {
      Box(type, [Box("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array(text.utf8))])
    }
    let list = Box(
      "ilst",
      [
        item("©xyz", "+2.5+3.5/"), item("©day", "2004-05-03T10:11:12+0200"),
        item("©mak", "Maker"), item("©nam", "A title"),
      ])
    let photo = movie(
      .movieHeader(created: 2_082_844_800 + 1_700_000_000),
      userData(Box.full("meta", [list].file)))
    #expect(photo.coordinate == Coordinate(latitude: 2.5, longitude: 3.5))
    #expect(photo.captured?.iso8601 == "2004-05-03T10:11:12.000+02:00")
    #expect(photo.make == "Maker" && photo.model == nil)
    let released = movie(
      .movieHeader(created: 2_082_844_800 + 1_700_000_000),
      userData(Box.full("meta", [Box("ilst", [item("©day", "2010")])].file)))
    #expect(released.captureTimeSource == .quickTimeHeader)
  }

  @Test func `of a long caption the beginning is read, and no other long text`() {
    let long = String(repeating: "ä ", count: 3000)
    for box in [
      userData(.userText("©des", long)), .metadata([("com.apple.quicktime.description", long)]),
    ] { #expect(movie(box).caption?.unicodeScalars.count == 1000) }
    #expect(movie(userData(.userText("©mak", long))).make == nil)
  }

  @Test func `a compressed movie header is noted`() {
    let photo = movie(Box("cmov", [Box("dcom", Array("zlib".utf8))]))
    #expect(photo.unread.map(\.description) == ["movie header: it is compressed"])
  }

  @Test func `camera and accuracy are read from keys, then from user data`() {
    let keys = Box.metadata([
      ("com.apple.quicktime.make", "Maker"), ("com.apple.quicktime.model", " A model\0"),
      (locationKey, "+1+1/"), ("com.apple.quicktime.location.accuracy.horizontal", "4.5"),
    ])
    let user = userData(.userText("©mak", "Other"), .userText("©mod", "Another"))
    let photo = movie(user, keys)
    #expect(photo.make == "Maker")
    #expect(photo.model == "A model")
    #expect(photo.horizontalAccuracyMeters == 4.5)
    #expect(movie(user).make == "Other")
    #expect(movie(user).model == "Another")
  }

  @Test func `the creation date takes precedence over the movie header's date`() {
    let header = Box.movieHeader(created: 2_082_844_800 + 1_700_000_000)
    let dated = movie(header, .metadata([(dateKey, "2023-11-14T23:00:00+0100")]))
    #expect(dated.captured?.iso8601 == "2023-11-14T23:00:00.000+01:00")
    #expect(dated.captureTimeSource == .quickTime)
    let byUser = movie(userData(.userText("©day", "2023-11-14T21:00:00-0130")), header)
    #expect(byUser.captured?.iso8601 == "2023-11-14T21:00:00.000-01:30")
    let plain = movie(header, userData(.userText("©day", "2023")))
    #expect(plain.captured?.iso8601 == "2023-11-14T22:13:20.000Z")
  }

  @Test(
    arguments: [
      (2_082_844_800 + 1_700_000_000, 1_700_000_000 as Int64?), (1_700_000_000, 1_700_000_000),
      (0, nil), (1, nil), (2_082_844_800, nil), (2_082_844_801, nil),
    ] as [(UInt64, Int64?)])
  func `movie header times count from 1904, and 0 is no date`(created: UInt64, expected: Int64?) {
    for isLong in [true, false] {
      let photo = movie(.movieHeader(created: created, isLong: isLong))
      #expect(photo.captured?.instant == expected.map { Instant(secondsSince1970: $0) })
    }
    #expect(movie(.movieHeader(created: .max, isLong: true)).captured == nil)
  }

  @Test func `XMP in a movie takes precedence over the movie's own position`() {
    let packet = Array(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/"
      exif:GPSLatitude="10N" exif:GPSLongitude="20E"/></rdf:RDF>
      """.utf8)
    let own = Box.userText("©xyz", "+1+1/")
    let type = "be7acfcb97a942e89c71999491e3afac"
    let uuid = Box("uuid", userType: type, packet)
    let files = [
      MovieFile([userData(own, Box("XMP_", packet))]).bytes,
      MovieFile([userData(own), uuid]).bytes, MovieFile([userData(own)]).bytes + uuid.bytes,
      Box.fileType("mp42").bytes + uuid.bytes + Box("moov", [userData(own)]).bytes,
    ]
    for file in files {
      #expect(properties(file).positionSource == .xmp)
      #expect(properties(file).quickTimePosition == .valid)
    }
  }

  @Test(arguments: [nil, "qt  ", "mp42", "isom", "3gp4"] as [String?])
  func `movies are recognised by their boxes`(brand: String?) {
    var movie = MovieFile([userData(.userText("©xyz", "+1+1/"))])
    movie.brand = brand
    #expect(properties(movie.bytes).positionSource == .quickTime)
  }

  @Test func `64-bit sizes and boxes without an end are read`() {
    let user = userData(.userText("©xyz", "+1+1/"))
    let type = Box.fileType("qt  ")
    let media = Box("mdat", size: .long, [1, 2, 3])
    for movie in [Box("moov", size: .long, [user]), Box("moov", size: .toEnd, [user])] {
      #expect(properties([type, media, movie].file).coordinate != nil)
    }
    #expect(
      properties(
        [
          type,
          Box(
            "moov",
            [
              Box(
                "udta", size: .toEnd,
                [
                  Box.userText("©xyz", "+1+1/")
                ])
            ]),
        ].file
      ).coordinate != nil)
  }

  @Test func `user data may end with a zero`() {
    let user = Box("udta", Box.userText("©xyz", "+1+1/").bytes + [0, 0, 0, 0])
    #expect(movie(user).coordinate != nil)
  }

  @Test func `a position after 1 GB of media is found within 64 KiB of reads`() throws {
    let folder = TemporaryFolder()
    let path = folder.path("large.mp4")
    let file = try FileDescriptor.open(
      path, .readWrite, options: .create, permissions: .ownerReadWrite)
    try file.closeAfter {
      let length: UInt64 = 1 << 30
      let head = [Box.fileType("mp42"), Box("mdat", size: .claimedLong(length), [] as [UInt8])]
      let movie = Box("moov", [userData(.userText("©xyz", "+1+1/"))])
      _ = try file.writeAll(toAbsoluteOffset: 0, head.file)
      let start = Int64(length) + Int64(head[0].bytes.count)
      _ = try file.writeAll(toAbsoluteOffset: start, movie.bytes)
      var reader = MetadataReader()
      let reading = try reader.read(file, count: Int(start) + movie.bytes.count)
      guard case .photo(let photo) = reading else {
        Issue.record("\(reading)")
        return
      }
      #expect(photo.coordinate == Coordinate(latitude: 1, longitude: 1))
      #expect(reader.bytesRead < 64 * 1024)
    }
  }
}
