import CivilTime
import Testing

@testable import LocationFeeds

/// Positions in the JSON of many programs.
@Suite struct NestedReportsTests {
  private static let time = Instant(iso8601: "2026-11-20T12:00:00Z")
  private static let iso = "2026-11-20T12:00:00Z"
  private static let seconds = 1_795_176_000

  private static func fix(
    _ device: String?, speed: Double? = nil, accuracy: Double? = nil, battery: Double? = nil,
    course: Double? = nil, altitude: Double? = nil
  ) -> LocationFix {
    LocationFix(
      time: time, latitude: 48.8584, longitude: 2.2945, altitudeMeters: altitude,
      horizontalAccuracyMeters: accuracy, speedMetersPerSecond: speed, courseDegrees: course,
      device: device, battery: battery)
  }

  static let positions: [(text: String, fix: LocationFix)] = [
    (
      // Traccar's server, which forwards positions: knots.
      #"""
      {"position":{"id":0,"fixTime":"\#(iso)","valid":true,"latitude":48.8584,"longitude":2.2945,
      "speed":1,"course":10,"attributes":{"sat":7}},"device":{"id":1,"name":"P","uniqueId":"482"}}
      """#, fix("482", speed: 1852.0 / 3600, course: 10)
    ),
    (
      // Its positions alone, as its API has them.
      #"""
      {"id":0,"deviceId":482,"fixTime":"\#(iso)","valid":true,"latitude":48.8584,
      "longitude":2.2945,"speed":1,"course":10,"attributes":{"sat":7}}
      """#, fix("482", speed: 1852.0 / 3600, course: 10)
    ),
    (
      #"""
      {"type":"update_location","data":{"gps":[48.8584,2.2945],"gps_accuracy":10,"battery":90,
      "timestamp":\#(seconds)}}
      """#, fix(nil, accuracy: 10, battery: 0.9)
    ),
    (
      // Sensor Logger: the name is that of the sensor.
      #"""
      {"messageId":1,"sessionId":"s","deviceId":"cow","payload":[{"name":"location",
      "time":\#(seconds)000000000,"values":{"latitude":48.8584,"longitude":2.2945,"speed":1}},
      {"name":"accelerometer","time":\#(seconds)000000000,"values":{"x":1,"y":2}}]}
      """#, fix("cow", speed: 1)
    ),
    (
      #"""
      {"entity_id":"device_tracker.jane","state":"home","last_updated":"\#(iso)",
      "attributes":{"latitude":48.8584,"longitude":2.2945,"gps_accuracy":20}}
      """#, fix("device_tracker.jane", accuracy: 20)
    ),
    (
      #"""
      {"end_device_ids":{"device_id":"cow"},"received_at":"\#(iso)","uplink_message":{
      "decoded_payload":{"latitude":48.8584,"longitude":2.2945},
      "rx_metadata":[{"location":{"latitude":1,"longitude":1}}]}}
      """#, fix("cow")
    ),
    (
      #"""
      {"time":"\#(iso)","deviceInfo":{"deviceName":"cow"},"object":{"latitude":48.8584,
      "longitude":2.2945},"rxInfo":[{"location":{"latitude":1,"longitude":1}}]}
      """#, fix("cow")
    ),
    (
      #"""
      {"from":7,"id":1,"sender":"!a","type":"position","timestamp":1,"payload":{"time":\#(seconds),
      "latitude_i":488584000,"longitude_i":22945000,"altitude":35}}
      """#, fix("7", altitude: 35)
    ),
    (
      #"""
      {"result":"ok","found":1,"entries":[{"class":"a","name":"OH7RDA","time":"\#(seconds)",
      "lasttime":"1","lat":"48.8584","lng":"2.2945","speed":36}]}
      """#, fix("OH7RDA", speed: 10)
    ),
    (
      #"""
      {"response":{"feedMessageResponse":{"messages":{"message":{"id":1,"messengerId":"0-1",
      "unixTime":\#(seconds),"latitude":48.8584,"longitude":2.2945}}}}}
      """#, fix("0-1")
    ),
    (
      #"""
      {"Events":[{"imei":"300","timeStamp":\#(seconds)000,"point":{"latitude":48.8584,
      "longitude":2.2945,"gpsFix":2,"speed":36}}]}
      """#, fix("300", speed: 10)
    ),
    (
      #"""
      [{"ident":"352","timestamp":\#(seconds).0,"position.latitude":48.8584,"device.id":4,
      "position.longitude":2.2945,"position.speed":36,"position.direction":90}]
      """#, fix("352", speed: 10, course: 90)
    ),
    (
      #"{"state":{"reported":{"latlng":"48.8584,2.2945","ts":\#(seconds)000,"sp":36,"ang":"90"}}}"#,
      fix(nil, speed: 10, course: 90)
    ),
    (
      #"{"coords":{"latitude":48.8584,"longitude":2.2945,"accuracy":5},"timestamp":\#(seconds)000}"#,
      fix(nil, accuracy: 5)
    ),
    (
      #"""
      {"location":[{"timestamp":"\#(iso)","coords":{"latitude":48.8584,"longitude":2.2945}}],
      "device_id":"4711"}
      """#, fix("4711")
    ),
    (#"{"points":[[48.8584,2.2945,\#(seconds),35,10]]}"#, fix(nil)),
    (#"{"location":"48.8584,2.2945","device":"phone","tst":\#(seconds)}"#, fix("phone")),
    (#"[{"lat":48.8584,"lon":2.2945,"tst":\#(seconds)}]"#, fix(nil)),
    (
      #"{"locations":[{"latitude":48.8584,"longitude":2.2945,"time":\#(seconds)000}]}"#, fix(nil)
    ),
    ("{\n\"lat\": 48.8584,\n\"lon\": 2.2945,\n\"tst\": \(seconds)\n}", fix(nil)),
    (#"{"latitude":"48,8584","longitude":"2,2945","tst":\#(seconds)}"#, fix(nil)),
    (#"{"latitude":48.8584,"longitude":2.2945,"device":7,"tst":\#(seconds)}"#, fix("7")),
    (#"{"lat":48.8584,"lon":2.2945,"timestamp":\#(seconds)000000}"#, fix(nil)),
    (#"{"lat":48.8584,"lon":2.2945,"timestamp":"\#(seconds)000000000"}"#, fix(nil)),
    ("lat_long=48.8584,2.2945&tst=\(seconds)&id=a", fix("a")),
  ]

  @Test(arguments: positions)
  func `the position of a message is found, with its time, device and units`(
    text: String, fix: LocationFix
  ) {
    let read = FeedReader.message(in: [Array(text.utf8)])
    #expect(read.fixes == [fix], "\(text)")
    #expect(read.statistics.ends.isEmpty)
    // The same as a line or document of a stream.
    #expect(fixes(in: text + "\n") == [fix], "\(text)")
  }

  @Test func `several positions share their device, and each has its own time`() {
    let text = """
      {"device_id":"a","tst":1,"points":[{"lat":1,"lon":2,"time":1795176000},{"lat":3,"lon":4},\
      {"lat":5}]}
      """
    let read = FeedReader.message(in: [Array(text.utf8)])
    #expect(read.fixes.map(\.device) == ["a", "a"])
    #expect(read.fixes.map { $0.time?.iso8601 } == ["2026-11-20T12:00:00.000Z", nil])
    #expect(read.statistics.ends.count(of: .refused(.unreadable)) == 1)
  }

  @Test(arguments: [
    // An alert of this program, which a broker gives back to the feed.
    #"""
    {"id":"a","type":"photo-spot","spot":{"id":"b","latitude":1,"longitude":2},
    "fix":{"latitude":1,"longitude":2,"time":"2026-11-20T12:00:00Z"}}
    """#,
    #"{"rx_metadata":[{"latitude":1,"longitude":2}]}"#, #"{"hotspots":[{"lat":1,"long":2}]}"#,
    #"{"zone":{"latitude":1,"longitude":2}}"#, #"{"data":{"_type":"waypoint","lat":1,"lon":2}}"#,
    #"{"position":{"valid":false,"latitude":1,"longitude":2}}"#,
  ])
  func `a position of something else, or one that is not valid, is no fix`(text: String) {
    let read = FeedReader.message(in: [Array(text.utf8)])
    #expect(read.fixes.isEmpty)
    #expect(read.statistics.ends.count(of: .withoutPosition) == 1)
  }

  /// A zone of Home Assistant placed a photo within 15 m.
  @Test func `entities of Home Assistant that are no devices have no position`() {
    func entity(_ name: String, _ more: String = "") -> String {
      #"{"entity_id":"\#(name)","state":"1","attributes":{"latitude":10,"longitude":10,"#
        + #""radius":100\#(more)},"last_updated":"\#(Self.iso)"}"#
    }
    for name in ["zone.home", "sensor.quake", "geo_location.fire"] {
      let read = FeedReader.message(in: [Array("[[\(entity(name))]]".utf8)])
      #expect(read.fixes.isEmpty, "\(name)")
    }
    let states = [
      entity("zone.home"), entity("device_tracker.a"), entity("person.b"),
      entity("sensor.phone", #","gps_accuracy":20"#),
    ]
    let read = FeedReader.message(in: [Array("[\(states.joined(separator: ","))]".utf8)])
    #expect(read.fixes.map(\.device) == ["device_tracker.a", "person.b", "sensor.phone"])
  }

  /// The radius of Meshtastic's documentation: 23.3 km for 10 bits, 2.9 km for 13.
  @Test(arguments: [(10, 23_345.5), (13, 2918.2), (32, nil), (0, nil)])
  func `a position of which bits were cut off is that inaccurate`(
    bits: Int, meters: Double?
  ) throws {
    let text =
      #"{"from":7,"type":"position","payload":{"time":\#(Self.seconds),"latitude_i":488584000,"#
      + #""longitude_i":22945000,"precision_bits":\#(bits)}}"#
    let fix = try #require(FeedReader.message(in: [Array(text.utf8)]).fixes.first)
    #expect(fix.horizontalAccuracyMeters.map { ($0 * 10).rounded() / 10 } == meters)
  }

  @Test func `a line with a nested position among flat ones is read`() {
    let flat = #"{"time":"\#(Self.iso)","lat":48.8584,"lon":2.2945}"#
    let nested = #"{"timestamp":"\#(Self.iso)","position":{"lat":48.8584,"lon":2.2945}}"#
    var reader = FeedReader()
    let fixes = reader.consume(Array("\(flat)\n\(nested)\n".utf8)) + reader.finish()
    #expect(fixes == [Self.fix(nil), Self.fix(nil)])
  }

  @Test func `nesting of any depth is read without recursion of that depth`() {
    let depth = 100
    let text =
      String(repeating: #"{"data":"#, count: depth) + #"{"lat":1,"lon":2}"#
      + String(repeating: "}", count: depth)
    let read = FeedReader.message(in: [Array(text.utf8)])
    #expect(read.fixes.isEmpty && read.format == .traccar)
  }
}
