import CivilTime
import LocationFeeds
import Testing

/// GPX and KML.
@Suite struct TrackDocumentTests {
  private func gpx(_ content: String, creator: String = "test") -> String {
    """
    <?xml version="1.0"?><gpx version="1.1" creator="\(creator)" \
    xmlns="http://www.topografix.com/GPX/1/1">\(content)</gpx>
    """
  }

  private func track(_ points: String...) -> String {
    gpx("<trk><trkseg>\(points.joined())</trkseg></trk>")
  }

  @Test func `a track point is read with all its members`() {
    let feed = track(
      """
      <trkpt lon="2.29451" lat="48.85841"><ele>35.5</ele><time>2026-11-20T13:00:00.25+01:00</time>
      <hdop>2</hdop><extensions><accuracy>9</accuracy>
      <g:TrackPointExtension xmlns:g="x"><g:speed>1.5</g:speed><g:course>270</g:course><g:time>1</g:time>\
      </g:TrackPointExtension></extensions></trkpt>
      """)
    #expect(
      fixes(in: feed) == [
        LocationFix(
          time: Instant(iso8601: "2026-11-20T12:00:00.25Z"), latitude: 48.85841,
          longitude: 2.29451, altitudeMeters: 35.5, horizontalAccuracyMeters: 9,
          speedMetersPerSecond: 1.5, courseDegrees: 270)
      ])
  }

  @Test func `waypoints and routes are not fixes`() {
    let feed = gpx(
      """
      <metadata><time>2026-11-20T12:00:00Z</time></metadata>
      <wpt lat="1" lon="2"><time>2026-11-20T12:00:00Z</time></wpt>
      <rte><rtept lat="1" lon="2"><time>2026-11-20T12:00:00Z</time></rtept></rte>
      """)
    var reader = FeedReader()
    #expect(reader.consume(Array(feed.utf8)) + reader.finish() == [])
    #expect(reader.format == .gpx)
    #expect(reader.statistics.badLines == 0)
  }

  @Test func `a point may lack a time, but an unreadable time or place is bad`() {
    let feed = track(
      #"<trkpt lat="1" lon="2"/>"#, #"<trkpt lat="1" lon="2"><time/></trkpt>"#,
      #"<trkpt lat="1" lon="2"><time>noon</time></trkpt>"#, #"<trkpt lat="1"></trkpt>"#,
      #"<trkpt lat="north" lon="2"/>"#)
    var reader = FeedReader()
    let found = reader.consume(Array(feed.utf8)) + reader.finish()
    #expect(found == Array(repeating: LocationFix(time: nil, latitude: 1, longitude: 2), count: 2))
    #expect(reader.statistics.lines == 5)
    #expect(
      reader.statistics.firstBadLines.map(\.description) == [
        "record 3: the value of \"time\" cannot be read",
        "record 4: the member \"longitude\" is missing",
        "record 5: the value of \"latitude\" cannot be read",
      ])
  }

  @Test func `points with the same time are all kept`() {
    let point = #"<trkpt lat="1" lon="2"><time>2001-12-13T20:45:52.207Z</time></trkpt>"#
    #expect(fixes(in: track(point, point, point)).count == 3)
  }

  @Test func `HDOP gives an estimated accuracy, except from programs that write metres`() {
    let point = #"<trk><trkseg><trkpt lat="1" lon="2"><hdop>3</hdop></trkpt></trkseg></trk>"#
    #expect(fixes(in: gpx(point)).map(\.horizontalAccuracyMeters) == [15])
    #expect(fixes(in: gpx(point, creator: "OsmAnd 4.7")).map(\.horizontalAccuracyMeters) == [3])
  }

  @Test func `malformed XML ends the document, and the byte offset is reported`() {
    let good = #"<trkpt lat="1" lon="2"/>"#
    for bad in ["<trkpt lat=1>", "&nbsp;", "</trk>", "<!DOCTYPE a>", "<a b='1' b"] {
      var reader = FeedReader()
      let feed = track(good, good, bad, good)
      #expect((reader.consume(Array(feed.utf8)) + reader.finish()).count == 2, "\(bad)")
      #expect(reader.statistics.badLines == 1)
      #expect(reader.statistics.latestBadLine?.description.contains("(byte ") == true)
    }
  }

  @Test func `entities are not expanded, and document types are rejected`() {
    let bomb = """
      <?xml version="1.0"?><!DOCTYPE gpx [<!ENTITY a "1"><!ENTITY b "&a;&a;&a;">]>
      <gpx><trk><trkseg><trkpt lat="&b;" lon="2"/></trkseg></trk></gpx>
      """
    #expect(fixes(in: bomb) == [])
    #expect(fixes(in: bomb, format: .gpx) == [])
  }

  @Test func `an unterminated tag is dropped at the size limit, and text is not buffered`() {
    let start = Array(#"<gpx><trk><trkseg><trkpt lat="1" lon="2"/><name>"#.utf8)
    let megabyte = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    for (opening, isRead) in [("", true), ("<a b='", false), ("<!--", false), ("<![CDATA[", false)]
    {
      var reader = FeedReader(format: .gpx)
      var found = reader.consume(start + Array(opening.utf8))
      for _ in 0..<3 { found += reader.consume(megabyte) }
      #expect(found.count == 1)
      #expect(reader.statistics.badLines == (isRead ? 0 : 1), "\(opening)")
    }
  }

  // MARK: - KML

  private func kml(_ content: String) -> String {
    """
    <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
    <Document><Placemark>\(content)</Placemark></Document></kml>
    """
  }

  @Test func `a track's times and positions are paired by index`() {
    let whens = (0..<3).map { "<when>2026-11-20T12:00:0\($0)Z</when>" }
    let coords = ["<gx:coord>2 1 35</gx:coord>", "<gx:coord/>", "<gx:coord>4 3</gx:coord>"]
    let expected = [
      LocationFix(
        time: Instant(iso8601: "2026-11-20T12:00:00Z"), latitude: 1, longitude: 2,
        altitudeMeters: 35),
      LocationFix(time: Instant(iso8601: "2026-11-20T12:00:02Z"), latitude: 3, longitude: 4),
    ]
    let apart = kml("<gx:Track>\(whens.joined())\(coords.joined())</gx:Track>")
    #expect(fixes(in: apart) == expected)
    let inTurn = zip(whens, coords).map { $0 + $1 }.joined()
    #expect(
      fixes(in: kml("<gx:MultiTrack><gx:Track>\(inTurn)</gx:Track></gx:MultiTrack>")) == expected)
    #expect(fixes(in: apart.replacing("gx:", with: "")) == expected)
  }

  @Test func `a position that is missing between times takes no other's time`() {
    let whens = (0..<3).map { "<when>2026-11-20T12:00:0\($0)Z</when>" }
    let coords = ["<coord>2 1</coord>", "", "<coord>4 3</coord>"]
    let inTurn = zip(whens, coords).map { $0 + $1 }.joined()
    #expect(
      fixes(in: kml("<Track>\(inTurn)</Track>")).map { $0.time?.iso8601 } == [
        "2026-11-20T12:00:00.000Z", "2026-11-20T12:00:02.000Z",
      ])
    let apart = "<Track>" + whens.joined() + coords.joined()
    #expect(fixes(in: kml(apart + "</Track>")).map(\.time) == [nil, nil])
    // A second position between two times has none of them.
    let twice = "<Track>\(whens[0])\(coords[0])\(coords[2])\(whens[1])\(coords[0])</Track>"
    #expect(
      fixes(in: kml(twice)).map { $0.time?.iso8601 } == [
        "2026-11-20T12:00:00.000Z", nil, "2026-11-20T12:00:01.000Z",
      ])
    let more = whens.prefix(2).joined() + coords[0] + coords[2] + coords[0]
    #expect(fixes(in: kml("<Track>\(more)</Track>")).map(\.time) == [nil, nil, nil])
    // Positions that are missing at the end of a file were cut off.
    let cutOff = String(kml(apart).prefix { $0 != "\n" }) + "\n<Document><Placemark>" + apart
    #expect(
      fixes(in: cutOff).map { $0.time?.iso8601 } == [
        "2026-11-20T12:00:00.000Z", "2026-11-20T12:00:01.000Z",
      ])
  }

  @Test func `positions without a time have none`() {
    let more = kml(
      """
      <Track><when>2026-11-20T12:00:00Z</when><coord>2 1</coord><coord>2 1</coord></Track>
      <Track><when>2026-11-20T12:00:00Z</when><when>2026-11-20T12:00:01Z</when><coord>2 1</coord></Track>
      """)
    #expect(
      fixes(in: more).map { $0.time?.iso8601 } == [
        "2026-11-20T12:00:00.000Z", nil, nil,
      ])
  }

  @Test func `a track's arrays give speed, accuracy and course`() {
    let feed = kml(
      """
      <gx:Track><when>2026-11-20T12:00:00Z</when><gx:coord>2 1 35</gx:coord><ExtendedData><SchemaData>
      <gx:SimpleArrayData name="speed"><gx:value>1.5</gx:value></gx:SimpleArrayData>
      <gx:SimpleArrayData name="accuracy_horizontal"><gx:value>9</gx:value></gx:SimpleArrayData>
      <gx:SimpleArrayData name="bearing"><gx:value>90</gx:value></gx:SimpleArrayData>
      <gx:SimpleArrayData name="heart_rate"><gx:value>120</gx:value></gx:SimpleArrayData>
      </SchemaData></ExtendedData></gx:Track>
      """)
    #expect(
      fixes(in: feed) == [
        LocationFix(
          time: Instant(iso8601: "2026-11-20T12:00:00Z"), latitude: 1, longitude: 2,
          altitudeMeters: 35, horizontalAccuracyMeters: 9, speedMetersPerSecond: 1.5,
          courseDegrees: 90)
      ])
  }

  @Test func `a line's positions have no times, even if the document has one`() {
    let feed = kml(
      """
      <TimeStamp><when>2026-11-20T12:00:00Z</when></TimeStamp><LineString><coordinates>
      +002.5,01.5,35 <!-- 89% --> 4,3
      -6.5,-5,x</coordinates></LineString>
      """)
    #expect(
      fixes(in: feed) == [
        LocationFix(time: nil, latitude: 1.5, longitude: 2.5, altitudeMeters: 35),
        LocationFix(time: nil, latitude: 3, longitude: 4),
        LocationFix(time: nil, latitude: -5, longitude: -6.5),
      ])
  }

  @Test func `points, polygons and views are not fixes`() {
    let feed = kml(
      """
      <LookAt><longitude>1</longitude><latitude>1</latitude></LookAt>
      <TimeStamp><when>2026-11-20T12:00:00Z</when></TimeStamp><Point><coordinates>2,1</coordinates></Point>
      <Polygon><outerBoundaryIs><LinearRing><coordinates>2,1 3,1 2,1</coordinates></LinearRing>\
      </outerBoundaryIs></Polygon>
      """)
    var reader = FeedReader()
    #expect(reader.consume(Array(feed.utf8)) + reader.finish() == [])
    #expect(reader.format == .kml)
    // A person may take them for a track.
    #expect(
      reader.statistics.firstBadLines.map(\.description) == [
        "record 1: its points with times are places; a track has them in a Track"
      ])
  }

  @Test func `a long line is read incrementally, up to where it is truncated`() {
    let tuples = (0..<5000).map { "\($0 % 180).5,45,1" }.joined(separator: "\n")
    let whole = kml("<LineString><coordinates>\(tuples)</coordinates></LineString>")
    #expect(fixes(in: whole).count == 5000)
    for length in whole.count / 2..<whole.count / 2 + 12 {
      let cut = fixes(in: String(whole.prefix(length)))
      #expect((2000...2600).contains(cut.count))
      #expect(cut == Array(fixes(in: whole).prefix(cut.count)))
    }
  }

  @Test func `a report of inReach is read with its values and units`() {
    let feed = """
      <kml xmlns="http://www.opengis.net/kml/2.2"><Document><Folder><Placemark><name>Ann</name>
      <TimeStamp><when>2026-11-20T12:00:00Z</when></TimeStamp><ExtendedData>
      <Data name="Id"><value>7</value></Data><Data name="Time"><value>11/20/2026 12:00:00 PM</value></Data>
      <Data name="Map Display Name"><value>Ann</value></Data><Data name="IMEI"><value>300</value></Data>
      <Data name="Latitude"><value>48.85841</value></Data><Data name="Elevation"><value>120.5 m from MSL</value></Data>
      <Data name="Velocity"><value>7,2 km/h</value></Data><Data name="Course"><value>292.50 ° True</value></Data>
      <Data name="Valid GPS Fix"><value>True</value></Data></ExtendedData>
      <Point><altitudeMode>absolute</altitudeMode><coordinates>2.29451,48.85841,120.39</coordinates></Point>
      </Placemark><Placemark><name>Ann</name><LineString><coordinates>2,48</coordinates></LineString>
      </Placemark></Folder></Document></kml>
      """
    let timed = fixes(in: feed).filter { $0.time != nil }
    #expect(
      timed == [
        LocationFix(
          time: Instant(iso8601: "2026-11-20T12:00:00Z"), latitude: 48.85841,
          longitude: 2.29451, altitudeMeters: 120.5, speedMetersPerSecond: 2, courseDegrees: 292.5,
          device: "Ann")
      ])
  }

  @Test func `points with times beside a track mark places on it`() {
    let point = """
      <Placemark><TimeStamp><when>2026-11-20T12:00:00Z</when></TimeStamp>
      <ExtendedData><Data name="speed"><value>1</value></Data></ExtendedData>
      <Point><coordinates>2,48</coordinates></Point></Placemark>
      """
    let track = """
      <Placemark><gx:Track><when>2026-11-20T12:00:00Z</when><gx:coord>2.5 48.5 0</gx:coord>\
      </gx:Track></Placemark>
      """
    for order in [point + track, track + point, point + track + point] {
      let feed = """
        <kml xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>\(order)</Document></kml>
        """
      #expect(fixes(in: feed).map(\.latitude) == [48.5])
    }
  }

  @Test func `a track point of TCX is read with its members, and one without a position counted`() {
    let feed = """
      <TrainingCenterDatabase><Activities><Activity><Id>x</Id><Lap StartTime="2026-11-20T12:00:00Z">
      <MaximumSpeed>9</MaximumSpeed><Track><Trackpoint><Time>2026-11-20T12:00:00.5Z</Time><Position>
      <LatitudeDegrees>48.85841</LatitudeDegrees><LongitudeDegrees>-2.29451</LongitudeDegrees></Position>
      <AltitudeMeters>35.5</AltitudeMeters><DistanceMeters>3</DistanceMeters><HeartRateBpm><Value>90</Value>
      </HeartRateBpm><Extensions><ns3:TPX xmlns:ns3="x"><ns3:Speed>1.5</ns3:Speed></ns3:TPX></Extensions>
      </Trackpoint><Trackpoint><Time>2026-11-20T12:00:01Z</Time></Trackpoint></Track></Lap></Activity>
      </Activities></TrainingCenterDatabase>
      """
    #expect(
      fixes(in: feed) == [
        LocationFix(
          time: Instant(iso8601: "2026-11-20T12:00:00.5Z"), latitude: 48.85841,
          longitude: -2.29451, altitudeMeters: 35.5, speedMetersPerSecond: 1.5)
      ])
  }
}
