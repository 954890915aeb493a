import Spatial
import TestSupport
import Testing

/// Positions as written by people and maps.
@Suite struct WrittenPositionTests {
  @Test(arguments: [
    "48.8584 2.2945", "48.8584,2.2945", "48.8584, 2.2945", " 48.8584  2.2945 ", "(48.8584, 2.2945)",
    "( 48.8584 2.2945 )", "48,8584 2,2945", "48,8584; 2,2945", "48,8584, 2,2945", "48.8584; 2.2945",
    "+48.8584 +2.2945", "N48.8584 E2.2945", "48.8584N 2.2945E", "48.8584n, 2.2945e",
    "N 48.8584, E 2.2945", "2.2945E 48.8584N", "E2.2945 N48.8584", "48.8584° 2.2945°",
    "48.8584°N 2.2945°E", "48,8584°N 2,2945°E", "48.8584N,2.2945E", "N48 51.504 E2 17.67",
    "48 51.504 N 2 17.67 E", "N48 51 30.24 E2 17 40.2", "48 51 30.24 N, 2 17 40.2 E",
    "48°51.504'N 2°17.67'E", "48°51.504' 2°17.67'", "48° 51.504' N, 2° 17.67' E",
    "N 48° 51.504 E 2° 17.67", "N48° 51.504' E002° 17.670'", "48° 51.504 N 2° 17.67 E",
    "48°51,504'N 2°17,67'E", #"48°51'30.24"N 2°17'40.2"E"#, "48°51′30.24″N 2°17′40.2″E",
    "48°51’30.24”N 2°17’40.2”E", "48°51'30.24''N 2°17'40.2''E", #"48º51'30.24" 2º17'40.2""#,
    #"2°17'40.2"E 48°51'30.24"N"#, "48.8584\u{A0}2.2945",
  ])
  func `a position is parsed in every notation of angles`(text: String) throws {
    let place = try Coordinate(written: text)
    #expect(abs(place.latitude - 48.8584) < 1e-9 && abs(place.longitude - 2.2945) < 1e-9)
  }

  @Test(arguments: [
    "-33.8568 -151.2153", "\u{2212}33.8568 \u{2212}151.2153", "-33.8568,-151.2153",
    "-33,8568 -151,2153", "S33.8568 W151.2153", "33.8568S 151.2153W", "33.8568°S, 151.2153°W",
    "-33°51.408' -151°12.918'", "S33 51.408 W151 12.918", #"-33°51'24.48" -151°12'55.08""#,
    "\u{2212}33°51'24.48\" \u{2212}151°12'55.08\"", "s 33° 51.408 w 151° 12.918",
    "(\u{2212}33.8568, \u{2212}151.2153)",
  ])
  func `south and west are negative in every notation`(text: String) throws {
    let place = try Coordinate(written: text)
    #expect(abs(place.latitude + 33.8568) < 1e-9 && abs(place.longitude + 151.2153) < 1e-9)
  }

  @Test func `plain degrees are read as in parentheses, which are read in every way`() throws {
    var generator = SeededGenerator(seed: 66)
    for _ in 0..<300 {
      let digits = Int.random(in: 1...9, using: &generator)
      let numbers = [90.0, 180].map { limit in
        let number = Double.random(in: -limit...limit, using: &generator)
        let text = "\(number)".split(separator: ".")
        return "\(text[0]).\(text[1].prefix(digits))"
      }
      for separator in [" ", ",", ", "] {
        let text = numbers.joined(separator: separator)
        #expect(try Coordinate(written: text) == Coordinate(written: "(\(text))"), "\(text)")
      }
    }
  }

  @Test func `integers, zeros and limits are parsed`() throws {
    for (text, latitude, longitude) in [
      ("48 51.5", 48, 51.5), ("0 0", 0, 0), ("48,2", 48, 2), ("-0.5 .5", -0.5, 0.5),
      ("90 180", 90, 180), ("-90,-180", -90, -180), ("-0°30' 0°30'", -0.5, 0.5),
      ("90°N 180°W", 90, -180), ("1. 2.", 1, 2),
    ] {
      let place = try Coordinate(written: text)
      #expect(place == Coordinate(latitude: latitude, longitude: longitude), "\(text)")
    }
  }

  @Test(arguments: [
    "N48 51.5", "48.8584N 2.2945", "48.8584 2.2945E", "48 51.5 2 17.67", "48 51 30 2 17 40",
    "1 2 3", "48,8584,2,2945", "48,8584 2.2945", "48,8584 2", "48,2,3", "-48.8584N 2.2945E",
    "48.8584N -2.2945E", "48.5°30'N 2°E", "N48,5 E2.3", "48N 51.5", "48°51'",
    "48°51'N", "-48°51' 2E",
  ])
  func `rejects text with two possible readings or half a position`(text: String) {
    #expect(throws: WrittenPositionError.self) { try Coordinate(written: text) }
  }

  @Test func `the error distinguishes ambiguous text from values out of range`() {
    for text in ["N48 51.5", "48 51.5 2 17.67", "48,8584,2,2945", "48,8584 2", "-48.8584N 2.2945E"]
    {
      do throws(WrittenPositionError) {
        _ = try Coordinate(written: text)
        Issue.record("\(text) is accepted")
      } catch {
        guard case .ambiguous = error else {
          Issue.record("\(text): \(error)")
          continue
        }
      }
    }
    #expect(throws: WrittenPositionError.latitudeOutOfRange) { try Coordinate(written: "91 0") }
    #expect(throws: WrittenPositionError.longitudeOutOfRange) { try Coordinate(written: "0 181") }
    #expect(throws: WrittenPositionError.latitudeOutOfRange) {
      try Coordinate(written: "90°0.1'N 0°E")
    }
  }

  @Test(arguments: [
    "", " ", "north pole", "1", "nan 0", "0x10 2", "1e1 2", "inf 0", "48.8584.1 2", "--1 2", "1,,2",
    ",1 2", "48°61'N 2°E", "48°-5'N 2°E", "N48 N2", "E48 W2", "N E", "()", "(1 2", "48'N 2'E",
    "N48 E2 x", "48;2;3", "48°51'30\"N", "1\u{0}2",
  ])
  func `rejects text that is not a position`(text: String) {
    #expect(throws: WrittenPositionError.self) { try Coordinate(written: text) }
  }

  @Test func `repeated fragments of any length do not trap`() {
    for part in [
      "(", "1 ", "N", "°", "1,", "geo:", "https://", "+", "%", "!3d1!4d2", "?q=", "é", "-",
    ] {
      for count in [1, 7, 200, 5000] {
        _ = try? Coordinate(written: String(repeating: part, count: count))
      }
    }
  }

  // MARK: - URIs and links

  @Test(arguments: [
    "geo:48.8584,2.2945", "GEO:48.8584,2.2945", "geo:48.8584,2.2945,35", "geo:48.8584,2.2945;u=10",
    "geo:48.8584,2.2945;crs=wgs84;u=10", "geo:48.8584,2.2945?z=17", "geo:0,0?q=48.8584,2.2945",
    "geo:0,0?q=48.8584,2.2945(Tour%20Eiffel)", "geo:0,0?q=48.8584%2C2.2945",
    "https://www.openstreetmap.org/#map=18/48.8584/2.2945",
    "https://www.openstreetmap.org/#map=18/48.8584/2.2945&layers=N",
    "https://www.openstreetmap.org/?mlat=48.8584&mlon=2.2945",
    "https://www.openstreetmap.org/?mlat=48.8584&mlon=2.2945#map=12/48.9/2.3",
    "www.openstreetmap.org/#map=5/48.8584/2.2945",
    "https://www.google.com/maps/@48.8584,2.2945,17z",
    "https://www.google.com/maps/@48.8584,2.2945,3a,75y,90t/data=!3m6!1e1",
    """
    https://www.google.com/maps/place/Tour+Eiffel/@48.86,2.29,17z/data=!3m1!4b1!4m6!3m5!1s0x47e!8m2\
    !3d48.8584!4d2.2945!16zL20
    """,
    "https://maps.google.com/?q=48.8584,2.2945",
    "https://maps.google.com/maps?q=loc:48.8584,2.2945",
    "https://www.google.com/maps?q=48.8584,+2.2945&z=17",
    "https://maps.google.fr/maps?ll=48.8584,2.2945&z=17",
    "https://www.google.com/maps/search/?api=1&query=48.8584%2C2.2945",
    "https://www.google.com/maps/search/48.8584,+2.2945/@48.9,2.3,12z",
    "https://www.google.co.uk/maps/place/48%C2%B051'30.2%22N+2%C2%B017'40.2%22E/@48.9,2.3,9z",
    "https://www.google.com/maps/dir/?api=1&destination=48.8584,2.2945",
    "maps.google.com/?q=48.8584,2.2945",
    "https://maps.apple.com/?ll=48.8584,2.2945", "https://maps.apple.com/?q=48.8584,2.2945",
    "https://maps.apple.com/?ll=48.8584,2.2945&q=Tour%20Eiffel&z=17",
    "https://maps.apple.com/place?coordinate=48.8584,2.2945&name=Tour%20Eiffel",
  ])
  func `links with a position are parsed`(text: String) throws {
    let place = try Coordinate(written: text)
    #expect(abs(place.latitude - 48.8584) < 2e-5 && abs(place.longitude - 2.2945) < 2e-5, "\(text)")
  }

  @Test func `links with southern and western positions are parsed`() throws {
    let place = Coordinate(latitude: -33.8568, longitude: -151.2153)
    for text in [
      "geo:-33.8568,-151.2153", "https://www.openstreetmap.org/#map=9/-33.8568/-151.2153",
      "https://www.google.com/maps/@-33.8568,-151.2153,9z",
      "https://www.google.com/maps/place/X/data=!3d-33.8568!4d-151.2153",
      "https://maps.apple.com/?ll=-33.8568,-151.2153",
    ] { #expect(try Coordinate(written: text) == place, "\(text)") }
  }

  @Test(arguments: [
    ("geo:91,0", WrittenPositionError.latitudeOutOfRange), ("geo:48", .oneAngle),
    ("geo:48,2,3,4", .unreadable), ("geo:48,2,x", .unreadable),
    ("geo:0,0?q=Paris", .linkWithName),
    ("geo:48.8584,2.2945;crs=epsg2154", .otherReferenceSystem), ("geo:1e1,2", .unreadable),
    ("https://maps.app.goo.gl/Abc123", .shortLink), ("https://yandex.ru/maps/-/CDuX", .shortLink),
    ("https://www.google.com/maps/place/Tour+Eiffel", .linkWithName),
    ("https://www.google.com/maps/place/Tour+Eiffel/@48.8584,2.2945,17z", .linkWithName),
    ("http://openstreetmap.org/node/123#map=18/48.8584/2.2945", .linkWithName),
    ("https://www.openstreetmap.org/search?query=Tower#map=15/48.86/2.29", .linkWithName),
    ("https://www.google.com/maps/search/bakery/@48.86,2.29,15z", .linkWithName),
    ("https://maps.apple.com/?sll=48.86,2.29&q=Tower", .linkWithName),
    ("https://www.google.com/maps", .linkWithoutPosition),
    ("https://example.org/?q=48.8584,2.2945", .unknownLink),
    ("https://www.openstreetmap.org.example.org/#map=18/48.8584/2.2945", .unknownLink),
    ("https://uri.amap.com/marker?position=121.4998,31.2397", .otherReferenceSystem),
    ("https://map.geo.admin.ch/?E=2600000&N=1200000&zoom=5", .otherReferenceSystem),
    ("https://map.geo.admin.ch/#/map?center=2600000,1200000&z=5", .otherReferenceSystem),
    ("https://www.openstreetmap.org/#map=18/148.8584/2.2945", .latitudeOutOfRange),
    ("https://maps.apple.com/?q=Paris", .linkWithName), ("https://", .unknownLink),
  ])
  func `rejects a link without a position or of an unknown site`(
    text: String, error: WrittenPositionError
  ) {
    #expect(throws: error, "\(text)") { try Coordinate(written: text) }
  }

  @Test(
    arguments: [
      ("https://www.openstreetmap.org/search?query=48.8584%2C2.2945#map=12/48.86/2.29", nil),
      ("https://www.openstreetmap.org/directions?route=48.9,2.4;48.8584,2.2945", .endOfRoute),
      ("https://www.openstreetmap.org/?mlat=48,8584&mlon=2,2945#map=12/48.86/2.29", nil),
      ("https://www.openstreetmap.org/#map=17/48.8584/2.2945", .middleOfMap),
      (
        "https://www.openstreetmap.org/export/embed.html?bbox=2,48,3,49&marker=48.8584%2C2.2945",
        nil
      ),
      ("https://www.google.com/maps/dir/48.9,2.4/48.8584,2.2945/@48.86,2.29,13z", .endOfRoute),
      ("https://maps.google.com/maps?saddr=48.9,2.4&daddr=48.8584,2.2945", .endOfRoute),
      ("https://www.google.com/maps/place/8FW4V75V+9R/@48.86,2.29,17z", nil),
      ("https://www.google.com/maps/@?api=1&map_action=pano&viewpoint=48.8584,2.2945", nil),
      ("https://maps.google.com/?q=48%C2%B051%2730.24%22N+2%C2%B017%2740.2%22E", nil),
      ("https://maps.google.com/maps?q=loc:48.8584+2.2945", nil),
      ("https://maps.apple.com/?daddr=48.8584,2.2945&saddr=48.9,2.4", .endOfRoute),
      ("https://www.bing.com/maps?cp=48.8584~2.2945&lvl=17", .middleOfMap),
      ("https://www.bing.com/maps?sp=point.48.8584_2.2945_Tower", nil),
      ("https://share.here.com/l/48.8584,2.2945,Tower", nil),
      ("https://waze.com/ul?ll=48.8584%2C2.2945&navigate=yes", nil),
      ("https://osmand.net/map?pin=48.8584,2.2945#15/48.86/2.29", nil),
      ("https://yandex.com/maps/?pt=2.2945,48.8584&ll=2.29,48.86&z=17", nil),
      ("https://yandex.com/maps/?rtext=48.9,2.4~48.8584,2.2945", .endOfRoute),
      ("https://mapy.com/en/zakladni?x=2.2945&y=48.8584&z=17", .middleOfMap),
      ("https://www.komoot.com/plan/@48.8584,2.2945,15z", .middleOfMap),
      ("https://2gis.ru/paris/geo/2.2945,48.8584?m=2.29,48.86/12", nil),
      ("https://geohack.toolforge.org/geohack.php?params=48.8584_N_2.2945_E_type:landmark", nil),
      ("comgooglemaps://?q=48.8584,2.2945", nil), ("google.navigation:q=48.8584,2.2945", nil),
      ("Tower https://maps.google.com/?q=48.8584,2.2945", nil), ("geo:48.8584,2.2945&z=17", nil),
      ("geo:48.8584,2.2945(Tower)", nil), ("geo:48.8584, 2.2945", nil),
      ("geo:48.8584%2C2.2945", nil),
      ("geo://48.8584,2.2945", nil), ("geo:0,0?z=3&q=48.8584+2.2945", nil),
      ("geo:48.8584,2.2945?q=Tower", nil),
    ] as [(String, WrittenPosition.Note?)])
  func `a link means the place that it names, and the note says where that is the route or the map`(
    text: String, note: WrittenPosition.Note?
  ) throws {
    let position = try WrittenPosition(text)
    #expect(abs(position.coordinate.latitude - 48.8584) < 4e-5, "\(text)")
    #expect(abs(position.coordinate.longitude - 2.2945) < 7e-5, "\(text)")
    #expect(position.note == note, "\(text)")
  }

  @Test func `a short link of OpenStreetMap is read without the network`() throws {
    // The code of 51.5110, 0.0550 in the description of the format.
    let place = try Coordinate(written: "https://osm.org/go/0EEQjEEb")
    #expect(abs(place.latitude - 51.5110) < 2e-3 && abs(place.longitude - 0.0550) < 2e-3)
  }

  // MARK: - Signs and words

  @Test(arguments: [
    "48 deg 51' 30.24\" N, 2 deg 17' 40.20\" E", "48d 51m 30.24s N, 2d 17m 40.2s E",
    "48:51:30.24N 2:17:40.2E", "+48.8584+002.2945/", "+485130.24+0021740.2/",
    "48°51´30.24´´N 2°17´40.2´´E", "48°51‘30.24“N 2°17‘40.2“E", "48⁰51ʹ30.24ʺN 2⁰17ʹ40.2ʺE",
    "48°51`30.24``N 2°17`40.2``E", "48°51＇30.24＂N 2°17＇40.2＂E", "４８．８５８４，２．２９４５",
    "٤٨٫٨٥٨٤ ٢٫٢٩٤٥", "\u{200E}48.8584,\u{200B}2.2945", "\u{202A}48.8584, 2.2945\u{202C}",
    "4851.504,N,00217.670,E", "4851.504N 00217.670E", "lat 48.8584 lon 2.2945",
    "Lon: 2.2945, Lat: 48.8584", "[48.8584, 2.2945]", "POINT(2.2945 48.8584)", "48.8584, 2.2945,",
    "北緯48度51分30.24秒 東経2度17分40.2秒", "с.ш. 48°51'30.24\" в.д. 2°17'40.2\"",
    "48° 51' 30,24\" Nord 2° 17' 40,2\" Ost", "48°51'30.24\" s.š. 2°17'40.2\" v.d.",
    "48.8584 kuzey 2.2945 doğu",
  ])
  func `signs and words are read by their meaning`(text: String) throws {
    let place = try Coordinate(written: text)
    #expect(abs(place.latitude - 48.8584) < 1e-6 && abs(place.longitude - 2.2945) < 1e-6)
  }

  @Test func `sixty minutes or seconds are the next unit, and more are refused`() throws {
    let place = try Coordinate(written: #"48°50'60.0"N 2°16'60.0"E"#)
    #expect(abs(place.latitude - 48.85) < 1e-9 && abs(place.longitude - 2.2833333333) < 1e-9)
    for text in ["48°61'N 2°17'E", #"48°51'75"N 2°17'40"E"#, "+486130+0021740/"] {
      #expect(throws: WrittenPositionError.sixtiethsOutOfRange) { try Coordinate(written: text) }
    }
  }

  @Test(arguments: [
    (#"48°51'N 2°17'O"#, 2), ("50°S 14°V", 2), ("-48.8584N 2.2945E", 2), ("41°K 29°D", 2),
    ("31S 448251 4000000", 2),
  ])
  func `a text with two meanings is refused with both`(text: String, count: Int) {
    do throws(WrittenPositionError) {
      let place = try Coordinate(written: text)
      Issue.record("\(text) is \(place)")
    } catch { #expect(error.readings.count == count, "\(text): \(error)") }
  }

  @Test func `the other half decides the language of a letter`() throws {
    for (text, latitude, longitude) in [
      ("48° norte 2° O", 48.0, -2.0), ("48° Süd 2° O", -48, 2), ("52°N 5°V", 52, -5),
      ("50°J 14°V", -50, 14), ("60°P 25°I", 60, 25), ("33°Z 18°O", -33, 18), ("10°S 50°L", -10, 50),
    ] {
      let place = try Coordinate(written: text)
      #expect(place == Coordinate(latitude: latitude, longitude: longitude), "\(text)")
    }
  }

  @Test(arguments: [
    "WGS84 48.2082, 16.3738", "WGS 84: 48.2082 16.3738", "ll=48.2082,16.3738", "@48.2082,16.3738",
    "Koordinaten: 48,2082 16,3738", "Coordonnées GPS : 48.2082, 16.3738", "GPS: 48.2082, 16.3738",
    "Coordenadas: 48,2082; 16,3738", "Location: WGS84: N 48.2082 E 16.3738",
    "(lat, lon) = (48.2082, 16.3738)", "lat/lon: 48.2082/16.3738", "Координаты: 48.2082, 16.3738",
    "座標：48.2082, 16.3738", "LatLng(48.2082, 16.3738)", "EPSG:4326 48.2082, 16.3738",
    "GPS-Koordinaten: 48.2082, 16.3738", "Wien (48.2082, 16.3738)", "φ=48.2082°, λ=16.3738°",
    "48.2082, 16.3738 WGS84", "Lat: 48.2082 Lon: 16.3738", "Lon: 16.3738 Lat: 48.2082",
    "Dave's house: 48.2082, 16.3738",
  ])
  func `labels before a position mean nothing`(text: String) throws {
    let place = try Coordinate(written: text)
    #expect(abs(place.latitude - 48.2082) < 1e-9 && abs(place.longitude - 16.3738) < 1e-9)
  }

  @Test func `another reference system is refused by name, and labels alone are no position`() {
    for text in ["NAD27 48.2, 16.3", "Gauß-Krüger: 48.2 16.3", "EPSG:3857 48.2, 16.3"] {
      #expect(throws: WrittenPositionError.otherReferenceSystem, "\(text)") {
        try Coordinate(written: text)
      }
    }
    for text in ["WGS84", "GPS:", "a: b: c: d: 48.2, 16.3", "lon/lat: 16.3, 48.2", "x (y)", "@"] {
      #expect(throws: WrittenPositionError.unreadable, "\(text)") {
        try Coordinate(written: text)
      }
    }
    for text in ["lat: 16.3738 lat: 48.2082", "lon 16.3738 lon 48.2082"] {
      #expect(throws: WrittenPositionError.sameAxis, "\(text)") { try Coordinate(written: text) }
    }
  }

  @Test func `half a position and two latitudes are refused for that reason`() {
    for text in ["48.8584N", #"48°51'30.24"N"#] {
      #expect(throws: WrittenPositionError.oneAngle) { try Coordinate(written: text) }
    }
    #expect(throws: WrittenPositionError.sameAxis) { try Coordinate(written: "N48 N2") }
  }

  /// The central meridian and the equator are exact by definition; the third is the position of the
  /// Eiffel Tower as usual converters give it.
  @Test(arguments: [
    ("31N 500000 0", 0, 3, 1e-9), ("31 south 500000 10000000", 0, 3, 1e-9),
    ("31U 448251 5411932", 48.8582, 2.2945, 1e-4),
    ("31U 448251mE 5411932mN", 48.8582, 2.2945, 1e-4),
    ("31U DQ 48251 11932", 48.8582, 2.2945, 1e-4), ("31UDQ4825111932", 48.8582, 2.2945, 1e-4),
    ("56H LH 34873 52266", -33.857, 151.215, 2e-2),
  ])
  func `positions of UTM and MGRS are read`(
    text: String, latitude: Double, longitude: Double, tolerance: Double
  ) throws {
    let place = try Coordinate(written: text)
    #expect(abs(place.latitude - latitude) < tolerance, "\(text): \(place)")
    #expect(abs(place.longitude - longitude) < tolerance, "\(text): \(place)")
  }

  @Test func `letters of a grid that contradict its numbers are refused`() {
    for text in ["31U 448251 411932", "31U XQ 48251 11932"] {
      #expect(throws: WrittenPositionError.gridMismatch) { try Coordinate(written: text) }
    }
  }

  @Test func `a short Plus code is read beside a town`() throws {
    let paris = try #require(Coordinate(latitude: 48.8534, longitude: 2.3488))
    let position = try WrittenPosition("V75V+9R Paris, France") { name in
      name == "Paris, France" ? [paris] : []
    }
    #expect(position.note == .nearTown)
    #expect(try position.coordinate == Coordinate(written: "8FW4V75V+9R"))
    #expect(throws: WrittenPositionError.shortPlusCode) { try WrittenPosition("V75V+9R Nowhere") }
  }

  // MARK: - Plus codes

  /// Codes with the centres of their cells, worked out in exact arithmetic from the specification's
  /// definition.
  @Test(arguments: [
    ("8FW4V75V+9R", 48.8584375, 2.2945625), ("8fw4v75v+9r", 48.8584375, 2.2945625),
    ("8FW4V75V+9R6", 48.8584125, 2.294515625), ("8FW4V75V+9R622", 48.8584005, 2.2945009765625),
    ("8FW4V75V+9R62222", 48.85840002, 2.29450006103515625),
    ("8FW4V75V+9R62222XX", 48.85840002, 2.29450006103515625),
    ("8FW4V75V+", 48.85875, 2.29375), ("8FW4V700+", 48.875, 2.275), ("8FW40000+", 48.5, 2.5),
    ("8F000000+", 40, 10), ("4RRH46V8+74", -33.8568125, 151.2153125),
    ("849VCWC8+R9", 37.4220625, -122.0840625), ("22222222+22", -89.9999375, -179.9999375),
    ("22000000+", -80, -170), ("6FG22222+22", 0.0000625, 0.0000625),
    ("CVXXXXXX+XX", 89.9999375, 179.9999375), ("37QH5MXW+6RR", -54.8018875, -68.302984375),
    ("99PW43W4+JXR5", 64.1466025, -21.94259765625),
    ("https://plus.codes/8FW4V75V+9R", 48.8584375, 2.2945625),
    ("https://plus.codes/8FW4V75V%2B9R", 48.8584375, 2.2945625),
  ])
  func `a full Plus code gives the centre of its cell`(
    code: String, latitude: Double, longitude: Double
  ) throws {
    let place = try Coordinate(written: code)
    #expect(abs(place.latitude - latitude) < 1e-9 && abs(place.longitude - longitude) < 1e-9)
  }

  @Test(arguments: ["V75V+9R", "5V+9R", "+9R", "V75V+9R6"])
  func `the error for a short Plus code gives the reason`(code: String) {
    #expect(throws: WrittenPositionError.shortPlusCode) { try Coordinate(written: code) }
  }

  @Test(arguments: [
    "8FW4V75V+9", "8FW4V75V9+R", "8FW4V75+9R", "8FW4V75V+9R+", "8FW4V75VV+9R", "8FW4V70V+",
    "8FW4V700+9R", "8FW4V750+", "00000000+", "V700+", "XFW4V75V+9R", "8XW4V75V+9R", "8FW4V75A+9R",
    "8FW4V75V+9R6222U", "+", "8FW4V75V", "8FW4V75V +9R", "8FW_V75V+9R", "8FWηV75V+9R",
  ])
  func `rejects invalid Plus codes`(code: String) {
    #expect(throws: WrittenPositionError.self) { try Coordinate(written: code) }
  }
}
