import PhotoMetadata
import Spatial
import TestSupport
import Testing

@Suite struct XMPTests {
  @Test(arguments: [
    ("48,51.504N", "2,17.67E", 48.8584, 2.2945), ("48,51,30.24N", "2,17,40.2E", 48.8584, 2.2945),
    ("33,51,24.48S", "151,12.918W", -33.8568, -151.2153), ("48.8584N", "2.2945e", 48.8584, 2.2945),
    ("48.8584", "-2.2945", 48.8584, -2.2945), ("0,30,0n", "0,0,0E", 0.5, 0),
    (" 48,51.504N ", "2,17.67E\n", 48.8584, 2.2945), ("48,59,60N", "2,60E", 49, 3),
    ("48, 51.504 N", "2, 17.67 E", 48.8584, 2.2945),
    // The signs of units, as ExifTool prints them.
    ("33 deg 51&apos; 24.48&quot; S", "2° 17.67′ E", -33.8568, 2.2945),
    ("48°51’30.24”N", "2 deg E", 48.8584, 2),
  ])
  func `positions are read in every form, from attributes and elements`(
    latitude: String, longitude: String, north: Double, east: Double
  ) throws {
    let files: [[JPEGFile.Part]] = [
      [.xmp(attributes: "exif:GPSLatitude=\"\(latitude)\" exif:GPSLongitude='\(longitude)'")],
      [
        .xmp(
          elements: """
            <exif:GPSLatitude>\(latitude)</exif:GPSLatitude>
            <exif:GPSLongitude>\(longitude)</exif:GPSLongitude>
            """)
      ],
      [
        .xmp(
          attributes: "exif:GPSLatitude='\(latitude)'",
          elements: "<exif:GPSLongitude><![CDATA[\(longitude)]]></exif:GPSLongitude>")
      ],
    ]
    for file in files {
      let photo = properties(file)
      let found = try #require(photo.coordinate)
      #expect(abs(found.latitude - north) < 1e-9)
      #expect(abs(found.longitude - east) < 1e-9)
      #expect(photo.positionSource == .xmp)
    }
  }

  @Test func `the position of the place where a photo was taken counts, never that of another`() {
    func photo(_ name: String, _ content: String, _ attributes: String = "") -> PhotoProperties {
      properties([
        .xmp(
          attributes: attributes,
          elements: """
            <e:\(name) xmlns:e="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" \(content)</e:\(name)>
            """)
      ])
    }
    let elements =
      "<exif:GPSLatitude>48,30N</exif:GPSLatitude><exif:GPSLongitude>2W</exif:GPSLongitude>"
    let attributes = "exif:GPSLatitude='48.5' exif:GPSLongitude='-2'"
    let other = "<rdf:li exif:GPSLatitude='1N' exif:GPSLongitude='1E' exif:GPSAltitude='5'/>"
    let created = [
      "><rdf:Bag><rdf:li rdf:parseType='Resource'>\(elements)</rdf:li>\(other)</rdf:Bag>",
      "><rdf:Bag><rdf:li><rdf:Description \(attributes)/></rdf:li>\(other)</rdf:Bag>",
      "><rdf:Seq><rdf:li \(attributes)/></rdf:Seq>", "rdf:parseType='Resource'>\(elements)",
    ]
    for content in created {
      let taken = photo("LocationCreated", content)
      #expect(taken.coordinate == Coordinate(latitude: 48.5, longitude: -2))
      #expect(taken.positionSource == .xmp && taken.altitudeMeters == nil)
      #expect(photo("LocationShown", content).coordinate == nil)
      let own = photo(
        "LocationCreated", content, "exif:GPSLatitude='3N' exif:GPSLongitude='4E'")
      #expect(own.coordinate == Coordinate(latitude: 3, longitude: 4))
    }
  }

  @Test(arguments: [
    ("48,51.504", "2,17.67E"), ("48,51.504X", "2,17.67E"), ("N", "E"), ("", ""), ("48,,3N", "2E"),
    ("91N", "2E"), ("48N", "181E"), ("0,0N", "0,0E"), ("nan", "nan"), ("inf", "2"),
    ("48,1,2,3N", "2E"), ("48;51N", "2E"), ("-48N", "2E"), ("48,-51N", "2E"), ("1e400", "2"),
    ("48E", "2N"), ("48,51,504N", "2E"), ("48 51N", "2E"), ("48°51N", "2E"),
    ("48'51°N", "2E"), ("48°51'61″N", "2E"), ("48x N", "2E"), ("48°,51'N", "2E"),
    ("48,60.5N", "2E"), ("48,51N", "2,17,60.1E"),
  ])
  func `rejects invalid positions in XMP`(latitude: String, longitude: String) {
    let photo = properties([
      .xmp(attributes: "exif:GPSLatitude=\"\(latitude)\" exif:GPSLongitude=\"\(longitude)\"")
    ])
    #expect(photo.coordinate == nil)
    #expect(photo.xmpPosition != .valid)
  }

  @Test(
    arguments: [
      ("46.81388", "N", "71.20798", "W", 46.81388, -71.20798),
      ("42.8821", "s", "147.3272", "e", -42.8821, 147.3272),
      ("42.8821", "South", "147.3272", "East", -42.8821, 147.3272),
      // Degrees, minutes and seconds.
      ("46,48.5", "N", "71,12,30", "W", 46 + 48.5 / 60, -(71 + 12.5 / 60)),
      ("46/1,48/1,3000/100", "S", "712/10", "E", -(46 + 48.5 / 60), 71.2),
      ("46/1 48/1 30/1", "North", "71° 12′ 30″", "west", 46 + 48.5 / 60, -(71 + 12.5 / 60)),
      ("S46.5", "", "W71.25", "E", -46.5, -71.25),
      // A sign or a letter in the value goes first.
      ("-12.0464", "N", "-77.0428", "E", -12.0464, -77.0428),
      ("+12.0464", "S", "77,2.568W", "E", 12.0464, -77.0428),
      ("12.0464", "", "77.0428", " W ", 12.0464, -77.0428),
      ("12.0464", "E", "77.0428", "W", nil, nil), ("12.0464", "S", "77.0428", "?", nil, nil),
    ] as [(String, String, String, String, Double?, Double?)])
  func `a hemisphere in a property of its own is read`(
    latitude: String, northOrSouth: String, longitude: String, eastOrWest: String,
    north: Double?, east: Double?
  ) {
    let values = [
      ("GPSLatitude", latitude), ("GPSLatitudeRef", northOrSouth), ("GPSLongitude", longitude),
      ("GPSLongitudeRef", eastOrWest),
    ]
    let attributes = values.map { "exif:\($0)='\($1)'" }.joined(separator: " ")
    let elements = values.map { "<exif:\($0)>\($1)</exif:\($0)>" }.joined()
    for photo in [
      properties([.xmp(attributes: attributes)]), properties([.xmp(elements: elements)]),
    ] {
      let found = photo.coordinate?.latitude
      #expect(found.map { abs($0 - (north ?? 999)) < 1e-9 } ?? (north == nil))
      #expect((photo.coordinate?.longitude).map { abs($0 - (east ?? 999)) < 1e-9 } ?? (east == nil))
      #expect(photo.xmpPosition == (north == nil ? .unreadableReference : .valid))
    }
  }

  @Test(arguments: [
    ("46,5", "71,5"), ("46,81388", "71,20798"), ("46,61.5", "71,12.5"), ("-46,48.5", "71,12.5"),
    ("46,48.5,", "71,12.5"), ("46/1 48/0", "71"), ("46 48 30", "71 12 30"),
  ])
  func `a value beside its hemisphere is not guessed`(latitude: String, longitude: String) {
    let photo = properties([
      .xmp(
        attributes: """
          exif:GPSLatitude='\(latitude)' exif:GPSLatitudeRef='N' exif:GPSLongitude='\(longitude)' \
          exif:GPSLongitudeRef='W'
          """)
    ])
    #expect(photo.coordinate == nil)
    #expect([.unreadableNumber, .outOfRange].contains(photo.xmpPosition))
  }

  @Test func `altitude and direction are read with their references`() {
    func photo(_ attributes: String) -> PhotoProperties {
      properties([.xmp(attributes: "exif:GPSLatitude='10N' exif:GPSLongitude='20E' " + attributes)])
    }
    for (reference, expected) in [
      ("0", 12.5), ("1", -12.5), ("2", 12.5), ("3", -12.5), ("Below sea level", -12.5), ("", 12.5),
    ] {
      let photo = photo("exif:GPSAltitude='25/2' exif:GPSAltitudeRef='\(reference)'")
      #expect(photo.altitudeMeters == expected, "\(reference)")
    }
    let magnetic = photo("exif:GPSImgDirection='901/10' exif:GPSImgDirectionRef='M'")
    #expect(magnetic.heading == Heading(degrees: 90.1, isMagnetic: true))
    #expect(photo("exif:GPSImgDirection='90'").heading == Heading(degrees: 90))
    #expect(photo("exif:GPSImgDirection='361'").heading == nil)
  }

  @Test func `a valid EXIF position takes precedence over XMP, an invalid one does not`() {
    let xmp = JPEGFile.Part.xmp(
      attributes: """
        exif:GPSLatitude="10N" exif:GPSLongitude="20E" exif:GPSAltitude="123/10"
        exif:GPSAltitudeRef="1"
        """)
    let null = ExifBlock.position(latitude: [(0, 1)], "N", longitude: [(0, 1)], "E")
    for isXMPFirst in [true, false] {
      func photo(_ gps: [Entry]) -> PhotoProperties {
        let exif = JPEGFile.Part.exif(ExifBlock(gps: gps).tiff)
        return properties(isXMPFirst ? [xmp, exif] : [exif, xmp])
      }
      let both = photo(somewhere + [Entry(6, .rationals([(7, 1)]))])
      #expect(both.isSomewhere)
      #expect(both.positionSource == .exif)
      #expect(both.xmpPosition == .valid)
      #expect(both.altitudeMeters == 7)
      let fallback = photo(null + [Entry(6, .rationals([(7, 1)]))])
      #expect(fallback.coordinate == Coordinate(latitude: 10, longitude: 20))
      #expect(fallback.positionSource == .xmp)
      #expect(fallback.exifPosition == .nullIsland)
      #expect(fallback.altitudeMeters == -12.3)
    }
  }

  @Test func `a rating of five in XMP marks a favourite, whatever EXIF says`() {
    func photo(exif: UInt16?, xmp: String) -> PhotoProperties {
      let image = exif.map { [Entry(0x4746, .shorts([$0]))] } ?? []
      return properties([
        .exif(ExifBlock(image: image).tiff), .xmp(elements: "<xmp:Rating>\(xmp)</xmp:Rating>"),
      ])
    }
    #expect(photo(exif: nil, xmp: "5").isFavorite)
    #expect(photo(exif: nil, xmp: "5").rating == 5)
    #expect(photo(exif: 3, xmp: "5").isFavorite)
    #expect(photo(exif: 3, xmp: "5").rating == 3)
    #expect(photo(exif: 5, xmp: "1").isFavorite)
    #expect(photo(exif: nil, xmp: "-1").rating == -1)
    for bad in ["6", "4.5", "five", "nan", "1e300", ""] {
      #expect(photo(exif: nil, xmp: bad).rating == nil, "\(bad)")
    }
  }

  @Test func `a packet with a document type or unknown entities is rejected`() {
    let packet = """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/"
        exif:GPSLatitude="&north;" exif:GPSLongitude="20E"/></rdf:RDF>
      """
    #expect(properties([.xmp(packet)]).coordinate == nil)
    let declared = #"<!DOCTYPE x [<!ENTITY north "10N">]>"# + packet
    #expect(properties([.xmp(declared)]).coordinate == nil)
    let harmless = packet.replacing("&north;", with: "10N")
    #expect(properties([.xmp(harmless)]).coordinate != nil)
    #expect(properties([.xmp("<!DOCTYPE x>" + harmless)]).coordinate == nil)
  }

  @Test func `only properties of the photo itself are read`() {
    let photo = properties([
      .xmp(
        elements: """
          <xmp:History><rdf:Seq><rdf:li><rdf:Description exif:GPSLatitude="1N"
          exif:GPSLongitude="2E" xmp:CreateDate="2020-01-01T00:00:00Z"/></rdf:li></rdf:Seq>
          </xmp:History>
          <exif:GPSLatitude><rdf:Alt><rdf:li>3N</rdf:li></rdf:Alt></exif:GPSLatitude>
          <exif:GPSLongitude>4E</exif:GPSLongitude>
          """)
    ])
    #expect(photo.coordinate == nil)
    #expect(photo.captured == nil)
    let otherNamespace = """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description xmlns:exif="http://example.com/" exif:GPSLatitude="1N"
      exif:GPSLongitude="2E"/></rdf:RDF>
      """
    #expect(properties([.xmp(otherNamespace)]).coordinate == nil)
  }

  @Test func `a value with qualifiers is read`() {
    let photo = properties([
      .xmp(
        elements: """
          <exif:GPSLatitude rdf:parseType="Resource"><rdf:value>10N</rdf:value>
          <exif:GPSAltitude>7</exif:GPSAltitude></exif:GPSLatitude>
          <exif:GPSLongitude><rdf:Description rdf:value="20E" xmp:CreateDate="2020-01-01"/>
          </exif:GPSLongitude>
          """)
    ])
    #expect(photo.coordinate == Coordinate(latitude: 10, longitude: 20))
    #expect(photo.altitudeMeters == nil && photo.captured == nil)
  }

  @Test func `any namespace prefix is accepted`() {
    let packet = """
      <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description>
      <GPSLatitude xmlns="http://ns.adobe.com/exif/1.0/">10N</GPSLatitude>
      <e:GPSLongitude xmlns:e="http://ns.adobe.com/exif/1.0/">20E</e:GPSLongitude>
      </r:Description></r:RDF>
      """
    #expect(properties([.xmp(packet)]).coordinate == Coordinate(latitude: 10, longitude: 20))
  }

  @Test func `properties before a packet's damage are kept`() {
    let photo = properties([
      .xmp(
        attributes: #"exif:GPSLatitude="10N" exif:GPSLongitude="20E""#,
        elements: "<broken &&& <")
    ])
    #expect(photo.coordinate == Coordinate(latitude: 10, longitude: 20))
  }
}
