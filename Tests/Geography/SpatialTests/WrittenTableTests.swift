import Spatial
import Testing

/// Tables of positions and links as tools, websites and people write them.
@Suite struct WrittenTableTests {
  /// UTM and MGRS of places in all parts of the world, by PROJ 9 and GEOTRANS.
  @Test(arguments: [
    (48.8584, 2.2945, "31U 448252.00 5411954.91", "31UDQ4825211954"),
    (-33.8568, 151.2153, "56H 334900.57 6252288.75", "56HLH3490052288"),
    (-22.9519, -43.2105, "23K 683476.51 7460687.31", "23KPQ8347660687"),
    (64.1417, -21.9266, "27W 454908.86 7113132.45", "27WVM5490813132"),
    (-54.8019, -68.3030, "19F 544805.10 3927029.88", "19FEV4480527029"),
  ])
  func `grids agree with other converters to a centimetre`(
    latitude: Double, longitude: Double, utm: String, mgrs: String
  ) throws {
    let place = try #require(Coordinate(latitude: latitude, longitude: longitude))
    #expect(try Coordinate(written: utm).distance(to: place) < 0.012, "\(utm)")
    #expect(try Coordinate(written: mgrs).distance(to: place) < 1.5, "\(mgrs)")
  }

  @Test(arguments: [
    "23K 683476 7460687", "23 K 683476 7460687", "23K 683476E 7460687N",
    "23K 683476 mE 7460687 mN", "UTM 23K E 683476 N 7460687", "23K 683,476 7,460,687",
    "23K 683 476 7 460 687", "UTM Zone 23S, 683476 m E, 7460687 m N", "683476 7460687 23K",
    "USNG 23K PQ 83476 60687", "MGRS: 23KPQ8347660687", "23kpq8347660687", "23K PQ 8347 6068",
    "22-57-06.84S 043-12-37.8W", "225706.84S0431237.8W", "22°57'6.84\"S/43°12'37.8\"W",
    "-22.9519-043.2105+710.0/", "-225706.84-0431237.8/", "{\"lat\": -22.9519, \"lng\": -43.2105}",
    "{\"type\":\"Point\",\"coordinates\":[-43.2105,-22.9519]}", "lat=-22.9519&lon=-43.2105",
    "SRID=4326;POINT(-43.2105 -22.9519)", "22.9519° South, 43.2105° West",
    "$GPRMC,123519,A,2257.114,S,04312.63,W,022.4,084.4,230394,003.1,W*6A",
    "$GNGGA,123519,2257.114,S,04312.63,W,1,08,0.9,545.4,M,46.9,M,,*47",
    "S22°57.114' W043°12.630'", "\"-22.9519, -43.2105\"", "-22.9519, -43.2105.",
    "GPS: -22.9519, -43.2105", "\u{1F4CD} -22.9519, -43.2105", "-22·9519; -43·2105",
    "-22.9519, -43.2105 (Corcovado)", "22° 57.114′ S 43° 12.63′ W (WGS84)",
    "-22.9519, -43.2105 ±5 m",
    "22°57′6.84″S 43°12′37.8″W / 22.9519°S 43.2105°W / -22.9519; -43.2105",
    "22°57'6,84\" юж. ш. 43°12'37,8\" зап. д.", "22°57'6,84\" ю. ш. 43°12'37,8\" з. д.",
    "22° 57′ 6,84″ s. Br. 43° 12′ 37,8″ w. L.",
    "22°57′6,84″ südlicher Breite, 43°12′37,8″ westlicher Länge",
    "d. sz. 22° 57′ 6,84″, ny. h. 43° 12′ 37,8″", "22°57′6,84″ j. š., 43°12′37,8″ z. d.",
    "22°57'6.84\"S – 43°12'37.8\"W", "22.9519S - 43.2105W",
    "22° 57' 6.84\" de latitud sur y 43° 12' 37.8\" de longitud oeste",
    "22° 57′ 6,84″ sydlig bredde, 43° 12′ 37,8″ vestlig længde",
    "22° 57′ 6,84″ eteläistä leveyttä, 43° 12′ 37,8″ läntistä pituutta",
    "22°57′6,84″ szerokości południowej 43°12′37,8″ długości zachodniej",
    "22°57′6,84″ szer. geogr. płd. 43°12′37,8″ dł. geogr. zach.",
    "22° 57′ 6,84″ sydlig bredd, 43° 12′ 37,8″ västlig längd",
    "ST_MakePoint(-43.2105, -22.9519)", "LngLat(-43.2105, -22.9519)",
    "LatLng(-22.9519, -43.2105)", "new maplibregl.LngLat(-43.2105, -22.9519)",
    "South Point (-22.9519, -43.2105)", "Viewpoint (-22.9519, -43.2105)", "geo:22.9519S,43.2105W",
    "intent:-22.9519,-43.2105#Intent;scheme=geo;end", "geo:-22.9519%C2%B0,-43.2105%C2%B0",
  ])
  func `a position is read as tools and people write it`(text: String) throws {
    let place = try Coordinate(written: text)
    let expected = try #require(Coordinate(latitude: -22.9519, longitude: -43.2105))
    #expect(place.distance(to: expected) < 8, "\(text): \(place)")
  }

  @Test(arguments: [
    (
      "48.8584 - 2.2945",
      WrittenPositionError.ambiguous([
        Coordinate(latitude: 48.8584, longitude: 2.2945)!,
        Coordinate(latitude: 48.8584, longitude: -2.2945)!,
      ])
    ),
    ("///filled.count.soap", .threeWords), ("filled.count.soap", .threeWords),
    ("https://w3w.co/filled.count.soap", .threeWords), ("61U 448251 5411932", .otherGrid),
    ("31I 448251 5411932", .otherGrid), ("ZAH 00000 00000", .otherGrid),
    ("DQ 48251 11932", .gridWithoutZone), ("448251 5411932", .gridWithoutZone),
    ("https://www.google.com/maps/dir/48.9,2.4//@48.86,2.29,13z", .routeWithoutEnd),
    ("https://www.google.com/maps/dir/?api=1&origin=48.9,2.4", .routeWithoutEnd),
    ("https://www.openstreetmap.org/directions?route=48.8584%2C2.2945%3B", .routeWithoutEnd),
    ("https://maps.apple.com/?saddr=48.9,2.4", .routeWithoutEnd),
    ("https://maps.apple.com/place?place-id=I3B04EDEB21D5F86", .linkWithName),
    ("https://yandex.ru/maps/213/moscow/geo/keramicheskiy_proyezd/8062907/", .linkWithName),
    ("https://2gis.ru/moscow/firm/70000001060803297", .linkWithName),
    ("https://ul.waze.com/ul?venue_id=2884104.28644432.6709020", .linkWithName),
    ("https://wego.here.com/search/Tower?map=48.8584,2.2945,15", .linkWithName),
    ("https://omaps.app/search?query=cafe&cll=48.8584,2.2945", .linkWithName),
    ("https://www.komoot.com/discover/Paris/@48.8584,2.2945/tours", .linkWithName),
    ("https://mapy.com/fnc/v1/search?query=cafe&center=2.2945,48.8584", .linkWithName),
    ("https://wego.here.com/p/abc", .shortLink), ("https://maps.apple.com/p/abc", .shortLink),
    (
      "Point(2.2945, 48.8584)",
      .ambiguous([
        Coordinate(latitude: 2.2945, longitude: 48.8584)!,
        Coordinate(latitude: 48.8584, longitude: 2.2945)!,
      ])
    ), ("uber://?dropoff[latitude]=48.8584", .unknownLink),
    ("sygic://com.sygic.aura/coordinate|2.2945|48.8584|drive", .unknownLink),
    ("moovit://directions?dest_lat=48.8584&dest_lon=2.2945", .unknownLink),
    ("https://wego.here.com/directions/drive/Start:48.9,2.4/mylocation", .routeWithoutEnd),
    ("https://wego.here.com/directions/mix/A:48.9,2.4/B:48.95,2.45/Tower", .linkWithName),
    ("https://graphhopper.com/maps/?point=48.9,2.4&point=Tower", .linkWithName),
    ("CRS84 2.2945 48.8584", .otherReferenceSystem),
    ("geo:", .linkWithoutPosition), ("geo:?q=Tower", .linkWithName),
  ])
  func `a refusal names its reason`(text: String, error: WrittenPositionError) {
    #expect(throws: error, "\(text)") { try WrittenPosition(text) }
  }

  @Test func `an altitude after two angles is left out where their order is certain`() throws {
    for text in ["40.6892, -174.0445, 10", "40.6892 N, 174.0445 W, 10 m"] {
      let place = try Coordinate(written: text)
      #expect(place == Coordinate(latitude: 40.6892, longitude: -174.0445), "\(text)")
    }
    for text in ["48.8584, 2.2945, 35", "2.2945,48.8584,0", "zone 31 448251 5411932"] {
      do throws(WrittenPositionError) {
        _ = try Coordinate(written: text)
        Issue.record("\(text) is accepted")
      } catch { #expect(error.readings.count == 2, "\(text): \(error)") }
    }
  }

  /// Links of sites and programs that name a position.
  @Test(
    arguments: [
      ("https://www.google.com/maps/embed/v1/streetview?key=K&location=48.8584,2.2945", nil),
      (
        "https://maps.googleapis.com/maps/api/staticmap?center=4,2&markers=color:red%7C48.8584,2.2945",
        nil
      ),
      ("https://www.google.com/url?q=https://maps.google.com/?q%3D48.8584,2.2945", nil),
      ("[Tower](https://maps.google.com/?q=48.8584,2.2945)", nil),
      ("<https://maps.google.com/?q=48.8584,2.2945>", nil),
      ("See https://maps.google.com/?q=48.8584,2.2945.", nil),
      ("https://maps.google.com/?q=48.8584, 2.2945", nil),
      ("//maps.google.com/?q=48.8584,2.2945", nil),
      ("https://maps.apple.com/look-around?coordinate=48.8584,2.2945", nil),
      ("https://opentopomap.org/#marker=15/48.8584/2.2945", nil),
      ("https://hiking.waymarkedtrails.org/#?map=15.0/48.8584/2.2945", .middleOfMap),
      (
        "https://map.project-osrm.org/?center=48.86,2.29&loc=48.9,2.4&loc=48.8584,2.2945",
        .endOfRoute
      ),
      ("https://graphhopper.com/maps/?point=48.9,2.4&point=48.8584,2.2945", .endOfRoute),
      (
        "https://brouter.de/brouter-web/#map=13/48.86/2.29/standard&lonlats=2.4,48.9;2.2945,48.8584",
        .endOfRoute
      ), ("https://brouter.de/brouter-web/#map=15/48.8584/2.2945/standard", .middleOfMap),
      (
        "https://wego.here.com/directions/drive/mylocation/Tower:48.8584,2.2945?map=48.86,2.29,15",
        .endOfRoute
      ),
      (
        "https://www.openstreetmap.org/note/new?lat=48.8584&lon=2.2945#map=17/48.86/2.29",
        .middleOfMap
      ),
      ("https://maps.googleapis.com/maps/api/geocode/json?latlng=48.8584,2.2945", nil),
      ("osmandmaps://?lat=48.8584&lon=2.2945&z=15", nil),
      (
        "https://www.komoot.com/plan?p[0][loc]=48.9,2.4&p[1][loc]=48.88,2.3&p[2][loc]=48.8584,2.2945",
        .endOfRoute
      ),
      ("https://www.waze.com/livemap?zoom=17&lat=48.8584&lon=2.2945", .middleOfMap),
      ("om://route?sll=48.9,2.4&dll=48.8584,2.2945&type=vehicle", .endOfRoute),
      (
        "https://citymapper.com/directions?startcoord=48.9,2.4&endcoord=48.8584,2.2945", .endOfRoute
      ),
      ("https://yandex.com/maps/?panorama%5Bpoint%5D=2.2945%2C48.8584&ll=2.29,48.86", nil),
      ("yandexnavi://build_route_on_map?lat_to=48.8584&lon_to=2.2945", .endOfRoute),
      ("https://2gis.ru/moscow/firm/70000001060803297/2.2945%2C48.8584?m=2.29%2C48.86%2F16", nil),
      ("https://2gis.ru/routeSearch/rsType/car/from/2.4,48.9/to/2.2945,48.8584", .endOfRoute),
      ("https://www.windy.com/48.8584/2.2945?48.86,2.29,11", nil),
      ("https://www.mapquest.com/latlng/48.8584,2.2945", nil),
      ("https://magicearth.com/?show_on_map&lat=48.8584&lon=2.2945&name=x", nil),
      ("https://www.qwant.com/maps/place/latlon:48.8584:2.2945#map=16/48.86/2.29", nil),
      ("https://caltopo.com/map.html#ll=48.8584,2.2945&z=15", .middleOfMap),
      ("https://www.strava.com/heatmap#14/2.2945/48.8584/hot/all", .middleOfMap),
      ("https://www.strava.com/maps/global-heatmap?sport=All#14/48.8584/2.2945", .middleOfMap),
      ("https://map.kakao.com/link/from/A,48.9,2.4/to/B,48.8584,2.2945", .endOfRoute),
      ("https://graphhopper.com/maps/?point=48.9%2C2.4&point=48.8584%2C2.2945_Tower", .endOfRoute),
      ("https://graphhopper.com/maps/?point=48.8584,2.2945", nil),
      ("https://wego.here.com/directions/mix//Tower:48.8584,2.2945?map=48.86,2.29,15", .endOfRoute),
      ("https://www.suncalc.org/#/48.8584,2.2945,15/2024.01.01/12:00/1/0", .middleOfMap),
      ("https://zoom.earth/#view=48.8584,2.2945,10z", .middleOfMap),
      ("https://www.ventusky.com/?p=48.8584;2.2945;10&l=rain", .middleOfMap),
      ("https://gpx.studio/#14/48.8584/2.2945", .middleOfMap),
      ("https://www.outdooractive.com/en/map/#zc=12,2.2945,48.8584", .middleOfMap),
      ("https://www.flickr.com/map?fLat=48.8584&fLon=2.2945&zl=15", .middleOfMap),
      ("https://www.flightradar24.com/48.8584,2.2945/12", nil),
      ("https://app.photoephemeris.com/?ll=48.8584,2.2945&z=14", .middleOfMap),
      ("https://shademap.app/@48.8584,2.2945,15z,1732700000000t,0b,0p,0m", .middleOfMap),
      ("https://example.maps.arcgis.com/apps/mapviewer/?center=2.2945,48.8584", .middleOfMap),
      ("https://map.geo.admin.ch/?lang=en&lat=48.8584&lon=2.2945", .middleOfMap),
      ("https://www.geocaching.com/play/map?lat=48.8584&lng=2.2945&zoom=15", .middleOfMap),
      ("https://www.geoportail.gouv.fr/carte?c=2.2945,48.8584&z=17", .middleOfMap),
      ("geo:48.8584 2.2945", nil), ("geo:48,8584;2,2945", nil), ("<geo:48.8584,2.2945>", nil),
      ("geo:lat=48.8584,lon=2.2945", nil), ("geo:48.8584,2.2945;u=35?z=17", nil),
    ] as [(String, WrittenPosition.Note?)])
  func `a link is read as sites and programs write it`(
    text: String, note: WrittenPosition.Note?
  ) throws {
    let position = try WrittenPosition(text)
    let place = try #require(Coordinate(latitude: 48.8584, longitude: 2.2945))
    #expect(position.coordinate.distance(to: place) < 5, "\(text): \(position)")
    #expect(position.note == note, "\(text)")
  }

  /// Short links that contain their position, with the positions that their programs show.
  @Test(arguments: [
    ("https://omaps.app/Umse5f0H8a/Nova_Iorque", 40.7127405, -74.005997),
    ("http://ge0.me/AbCMCNp0LO/Madagascar", -18.9249432, 46.4416404),
    ("ge0://ApYSV0YTAl", 51.0000004, -108.9999868),
    ("https://waze.com/ul/hu00uswvn3", 45.829189, 1.259372),
    ("https://www.waze.com/live-map?h=u00uswvn3", 45.829189, 1.259372),
    (
      """
      https://wego.here.com/p/s-aWQ9O2xhdD01Mi42ODQ0NDMxOTk4NzI4NDtsb249LTguNjIzNDI5NjYzNjEyMjk3O249\
      TGltZXJpY2s=?map=52.6,-8.6,16
      """,
      52.68444319987284, -8.623429663612297
    ),
  ])
  func `the position in a code is read without the network`(
    text: String, latitude: Double, longitude: Double
  ) throws {
    let place = try #require(Coordinate(latitude: latitude, longitude: longitude))
    let read = try Coordinate(written: text)
    #expect(read.distance(to: place) < 5, "\(text): \(read)")
  }
}
