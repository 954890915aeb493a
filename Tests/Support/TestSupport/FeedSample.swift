import CivilTime
package import LocationFeeds

/// A small synthetic feed of one format, with its expected content.
package struct FeedSample: Sendable, CustomStringConvertible {
  package var format: FeedFormat
  package var name: String
  package var text: String
  /// The times of its fixes.
  package var times: [String]
  /// Whether a truncated value can look like a complete one.
  package var hasOpenValues: Bool { format == .traccar && name == "queries" }

  package var description: String { "\(format.rawValue), \(name)" }
  package var bytes: [UInt8] { binary ?? Array(text.utf8) }
  /// The content of a feed that is no text.
  private var binary: [UInt8]?

  private init(format: FeedFormat, name: String, text: String, times: [String]) {
    (self.format, self.name, self.text, self.times) = (format, name, text, times)
  }

  /// The feeds of text, and those that are none.
  package static let every: [FeedSample] = {
    var file = FITFile()
    file.define()
    for (number, time) in times(2).enumerated() {
      let offset = Double(number) / 100_000
      file.add(
        time: Instant(iso8601: time), latitude: 48.85841 + offset, longitude: 2.29451 + offset)
    }
    var sample = FeedSample(format: .fit, name: "file", text: "", times: times(2))
    sample.binary = file.bytes
    return all + [sample]
  }()

  /// Feeds of all formats of text, in all their variants.
  package static let all: [FeedSample] = [
    FeedSample(
      format: .ndjson, name: "lines",
      text: """
        {"time":"2026-11-20T12:00:00Z","latitude":48.85841,"longitude":2.29451,"device":"Vélo"}
        {"time":"2026-11-20T12:00:05Z","latitude":48.85842,"longitude":2.29452,"device":"Vélo"}

        """, times: times(2)),
    FeedSample(
      format: .nmea, name: "sentences",
      text: [0, 5].map { second in
        sentence("GPRMC,12000\(second),A,4851.504,N,00217.670,E,10.0,270.5,201126,,,A")
          + sentence("GPGGA,12000\(second),4851.504,N,00217.670,E,1,08,1.2,35.0,M,47.0,M,,")
      }.joined(), times: times(2)),
    FeedSample(
      format: .gpsd, name: "reports with raw sentences between",
      text: """
        {"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}
        {"class":"WATCH","enable":true,"json":true,"nmea":true}
        $GPGSA,A,3,10,07,05,02,29,04,08,13,,,,,1.72,1.03,1.38*0A
        {"class":"TPV","device":"/dev/a","mode":3,"time":"2026-11-20T12:00:00.000Z","lat":48.85841,"lon":2.29451}
        {"class":"TPV","device":"/dev/a","mode":3,"time":"2026-11-20T12:00:00.000Z","lat":48.85841,"lon":2.29451,"eph":7.5}
        {"class":"SKY","device":"/dev/a","satellites":[{"PRN":1,"used":true}]}
        {"class":"TPV","device":"/dev/a","mode":2,"time":"2026-11-20T12:00:05.000Z","lat":48.85842,"lon":2.29452}

        """, times: times(2)),
    FeedSample(
      format: .owntracks, name: "messages",
      text: """
        {"_type":"location","tid":"vé","tst":1795176000,"lat":48.85841,"lon":2.29451,"acc":12,"batt":81}
        {"_type":"waypoint","tst":1795176001,"lat":1,"lon":1,"desc":"home"}
        [{"_type":"location","tid":"vé","tst":"1795176005","lat":"48.85842","lon":"2.29452","vel":36}]

        """, times: times(2)),
    FeedSample(
      format: .owntracks, name: "recorder's file",
      text: """
        2026-11-20T12:00:01Z\t*                 \t{"_type":"location","tst":1795176000,"lat":48.85841,"lon":2.29451}
        2026-11-20T12:00:03Z\tlwt               \t{"_type":"lwt","tst":"1795170000"}
        2026-11-20T12:00:06Z\t*                 \t{"_type":"location","tst":1795176005,"lat":48.85842,"lon":2.29452}

        """, times: times(2)),
    FeedSample(
      format: .owntracks, name: "document",
      text: """
        {"count": 2, "data": [
          { "_type": "location", "tst": 1795176000, "lat": 48.85841, "lon": 2.29451,
            "topic": "owntracks/vélo/phone" },
          { "_type": "location", "tst": 1795176005, "lat": 48.85842, "lon": 2.29452,
            "topic": "owntracks/vélo/phone" }
        ]}

        """, times: times(2)),
    FeedSample(
      format: .traccar, name: "queries",
      text: """
        id=v%C3%A9lo&timestamp=1795176000&lat=48.85841&lon=2.29451&speed=10&batt=81&charge=true
        id=v%C3%A9lo&timestamp=1795176005000&lat=48.85842&lon=2.29452&speed=10&batt=81&charge=true

        """, times: times(2)),
    FeedSample(
      format: .traccar, name: "JSON",
      text: [0, 5].map { second in
        """
        {"location":{"timestamp":"2026-11-20T12:00:0\(second).000Z","coords":{"latitude":48.85841,\
        "longitude":2.29451,"accuracy":9,"speed":1.5,"heading":90,"altitude":35},\
        "battery":{"level":0.81,"is_charging":false}},"device_id":"vélo"}

        """
      }.joined(), times: times(2)),
    FeedSample(
      format: .csv, name: "table",
      text: """
        time,lat,lon,elevation,accuracy,speed,provider
        2026-11-20T12:00:00Z,48.85841,2.29451,35.5,9.5,1.5,gps
        2026-11-20T12:00:05Z,48.85842,2.29452,35.5,9.5,1.5,"gps, é"

        """, times: times(2)),
    FeedSample(
      format: .kml, name: "points with times",
      text: """
        <?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>
        <Placemark><name>é</name><TimeStamp><when>2026-11-20T12:00:00Z</when></TimeStamp>
        <ExtendedData><Data name="Velocity"><value>3.6 km/h</value></Data></ExtendedData>
        <Point><coordinates>2.29451,48.85841,35</coordinates></Point></Placemark>
        <Placemark><TimeStamp><when>2026-11-20T12:00:05Z</when></TimeStamp>
        <ExtendedData><Data name="Course"><value>90</value></Data></ExtendedData>
        <Point><coordinates>2.29452,48.85842</coordinates></Point></Placemark></Document></kml>

        """, times: times(2)),
    FeedSample(
      format: .tcx, name: "activity",
      text: """
        <?xml version="1.0" encoding="UTF-8"?>
        <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2">
        <Activities><Activity Sport="Running"><Id>2026-11-20T12:00:00Z</Id><Lap><Track>
        <Trackpoint><Time>2026-11-20T12:00:00Z</Time><Position><LatitudeDegrees>48.85841</LatitudeDegrees>
        <LongitudeDegrees>2.29451</LongitudeDegrees></Position><AltitudeMeters>35.5</AltitudeMeters></Trackpoint>
        <Trackpoint><Time>2026-11-20T12:00:05Z</Time><Position><LatitudeDegrees>48.85842</LatitudeDegrees>
        <LongitudeDegrees>2.29452</LongitudeDegrees></Position><Note>é</Note></Trackpoint>
        </Track></Lap></Activity></Activities></TrainingCenterDatabase>

        """, times: times(2)),
    FeedSample(
      format: .gpx, name: "1.1",
      text: """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- A walk -->
        <gpx version="1.1" creator="é" xmlns="http://www.topografix.com/GPX/1/1"
            xmlns:x="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
          <wpt lat="1" lon="1"><time>2026-11-20T11:00:00Z</time><name>Home</name></wpt>
          <rte><rtept lat="2" lon="2"/></rte>
          <trk><name>a &lt; b</name><trkseg>
            <trkpt lat="48.85841" lon="2.29451"><ele>35</ele><time>2026-11-20T12:00:00Z</time>
              <extensions><x:TrackPointExtension><x:speed>1.5</x:speed></x:TrackPointExtension></extensions></trkpt>
            <trkpt lat="48.85842" lon="2.29452"><time>2026-11-20T13:00:05+01:00</time></trkpt>
          </trkseg></trk>
        </gpx>

        """, times: times(2)),
    FeedSample(
      format: .kml, name: "track",
      text: """
        <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
          <Placemark><Point><coordinates>1,1</coordinates></Point></Placemark>
          <Placemark><gx:Track>
            <when>2026-11-20T12:00:00Z</when><when>2026-11-20T12:00:02Z</when><when>2026-11-20T12:00:05Z</when>
            <gx:coord>2.29451 48.85841 35</gx:coord><gx:coord/><gx:coord>2.29452 48.85842 35</gx:coord>
          </gx:Track></Placemark>
        </kml>

        """, times: times(2)),
    FeedSample(
      format: .geojson, name: "collection",
      text: """
        {"type":"FeatureCollection","features":[
          {"type":"Feature","geometry":{"type":"Point","coordinates":[2.29451,48.85841,35]},
            "properties":{"time":"2026-11-20T12:00:00Z","accuracy":9,"name":"\\"é\\\\ }]"}},
          {"type":"Feature","geometry":{"type":"Point","coordinates":[1,1]},"properties":{"name":"Home"}},
          {"type":"Feature","properties":{"time":1795176005},
            "geometry":{"type":"Point","coordinates":["2.29452","48.85842"]}}
        ]}

        """, times: times(2)),
    FeedSample(
      format: .overland, name: "batches",
      text: [0, 5].map { second in
        """
        {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[2.29451,48.85841]},\
        "properties":{"timestamp":"2026-11-20T12:00:0\(second)Z","horizontal_accuracy":9,"speed":-1,\
        "device_id":"vélo","battery_level":0.81}},\
        {"type":"Feature","properties":{"action":"will_terminate"}}],"trip":{"mode":"walk"}}

        """
      }.joined(), times: times(2)),
    FeedSample(
      format: .google, name: "records",
      text: """
        {
          "locations": [{
            "latitudeE7": 488584100, "longitudeE7": 22945100, "accuracy": 20,
            "timestamp": "2026-11-20T12:00:00Z", "activity": [{"activity": [{"type": "STILL"}]}]
          }, {
            "latitudeE7": 488584200, "longitudeE7": 22945200, "accuracy": 20,
            "timestampMs": "1795176005000"
          }]
        }

        """, times: times(2)),
    FeedSample(
      format: .google, name: "timeline",
      text: """
        {"semanticSegments": [
          {"startTime": "2026-11-20T12:00:00Z", "visit": {"topCandidate": {"placeLocation": {"latLng": "1°, 1°"}}}},
          {"startTime": "2026-11-20T12:00:00Z", "timelinePath": [{"point": "48.85841°, 2.29451°", "time": "2026-11-20T13:00:00+01:00"}]}],
         "rawSignals": [{"position": {"LatLng": "48.85842, 2.29452", "timestamp": "2026-11-20T12:00:05Z"}}, {"wifiScan": {}}]}

        """, times: times(2)),
  ]

  private static func times(_ count: Int) -> [String] {
    Array(["2026-11-20T12:00:00.000Z", "2026-11-20T12:00:05.000Z"].prefix(count))
  }

  /// Returns an NMEA sentence with a given text: `$`, the text, and its checksum.
  private static func sentence(_ text: String) -> String {
    let digits = String(text.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return "$\(text)*\(digits.utf8.count == 1 ? "0" : "")\(digits)\r\n"
  }
}
