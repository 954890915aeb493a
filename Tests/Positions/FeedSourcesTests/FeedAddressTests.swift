import FeedSources
import Testing

@Suite struct FeedAddressTests {
  @Test(arguments: [
    ("gpsd://nas.local", "gpsd://nas.local:2947"),
    ("GPSD://192.168.1.5:29470/", "gpsd://192.168.1.5:29470"),
    ("gpsd://[::1]:2947/dev/ttyACM0", "gpsd://[::1]:2947/dev/ttyACM0"),
    ("gpsd://[fe80::1%eth0]", "gpsd://[fe80::1%eth0]:2947"),
    ("gpsd://h/tcp://10.0.0.1:10110", "gpsd://h:2947/tcp://10.0.0.1:10110"),
    ("nmea+tcp://ais.lan", "nmea+tcp://ais.lan:10110"), ("udp://:5000", "udp://:5000"),
    ("http://:8085", "http://:8085"), ("mqtt://h", "mqtt://h:1883/owntracks/+/+"),
    ("mqtt://jan@h:1/gps/#", "mqtt://jan@h:1/gps/#"), ("udp://[::]:5000/", "udp://[::]:5000"),
    ("udp://127.0.0.1:5000", "udp://127.0.0.1:5000"),
  ])
  func `addresses are parsed and formatted`(text: String, written: String) throws {
    #expect(try FeedAddress(text)?.description == written)
    #expect(try FeedAddress(written)?.description == written)
  }

  @Test func `keeps the device name in a gpsd address`() throws {
    let place = HostAndPort(host: "h", port: 2947)
    #expect(try FeedAddress("gpsd://h/dev/a") == .stream(.gpsd(place, device: "/dev/a")))
    #expect(try FeedAddress("gpsd://h/udp://x:1") == .stream(.gpsd(place, device: "udp://x:1")))
  }

  @Test(arguments: ["-", "walk.nmea", "/dev/ttyUSB0", "./gpsd://h", "a b://h", "1a://h", "gpsd:h"])
  func `a text without a scheme is a path`(text: String) throws {
    #expect(try FeedAddress(text) == nil)
  }

  @Test(arguments: [
    "gpsd://", "gpsd:///dev/a", "gpsd://h:", "gpsd://h:0x1", "gpsd://h:65536", "gpsd://h:+1",
    "gpsd://::1", "gpsd://[::1", "gpsd://[]:1", "gpsd://[h]:1", "gpsd://[::1]1", "gpsd://a b",
    "gpsd://user@h", "gpsd://h?x", "gpsd://h/dev/a\nb",
  ])
  func `rejects a malformed gpsd address`(text: String) {
    #expect(throws: FeedAddressError.malformed(.gpsd)) { try FeedAddress(text) }
  }

  @Test func `requires a port where none is the default, and rejects a path without devices`() {
    #expect(throws: FeedAddressError.malformed(.udp)) { try FeedAddress("udp://127.0.0.1") }
    #expect(throws: FeedAddressError.malformed(.udp)) { try FeedAddress("udp://:1/a") }
    #expect(throws: FeedAddressError.malformed(.nmeaTCP)) { try FeedAddress("nmea+tcp://:1") }
    #expect(throws: FeedAddressError.malformed(.nmeaTCP)) { try FeedAddress("nmea+tcp://h:1/a") }
    #expect(FeedAddressError.malformed(.gpsd).description.contains("gpsd://host:port"))
  }

  @Test(arguments: ["mqtt://h/a+", "mqtt://h/#/a", "mqtt://h/a/b#", "mqtt://@h", "mqtt://h/a\nb"])
  func `rejects an invalid MQTT topic or user`(text: String) {
    #expect(throws: FeedAddressError.malformed(.mqtt)) { try FeedAddress(text) }
  }

  @Test(arguments: [
    "mqtt://jan:secret@h", "mqtt://jan:se@cret@h /", "gpsd://a:b@h", "http://a:b@:1",
  ])
  func `rejects a password in an address, even in a malformed one`(text: String) {
    #expect(throws: FeedAddressError.holdsPassword) { try FeedAddress(text) }
  }

  @Test func `the error for an unknown scheme lists the known ones`() {
    #expect(throws: FeedAddressError.unknownScheme("ftp")) { try FeedAddress("ftp://h/a.gpx") }
    #expect(FeedAddressError.unknownScheme("ftp").description.contains("gpsd://"))
  }
}
