import CivilTime
import FeedSources
import TestSupport
import Testing

@testable import LocationFeeds

@Suite struct SourceReaderTests {
  private let start = ContinuousClock.now

  private func rmc(_ second: Int, latitude: String = "4851.504") -> String {
    sentence("GPRMC,12000\(second),A,\(latitude),N,00217.670,E,10.0,270.5,201126,,,A")
  }

  private func gga(_ second: Int, latitude: String = "4851.504") -> String {
    sentence("GPGGA,12000\(second),\(latitude),N,00217.670,E,1,08,1.2,35.0,M,47.0,M,,")
  }

  private func datagram(_ text: String, from sender: String) -> FeedChunk {
    .datagram(Array(text.utf8), from: sender)
  }

  /// Reads chunks, a second apart.
  private func devices(
    _ chunks: [FeedChunk], name: String?, format: FeedFormat? = nil
  ) -> [String?] {
    var reader = SourceReader(format: format, name: name, isLive: true)
    return chunks.enumerated().flatMap { index, chunk in
      reader.read(chunk, now: start + .seconds(index)).fixes
    }.map(\.device)
  }

  @Test func `a line truncated by an interruption is not a bad line`() {
    let whole = #"{"latitude":1,"longitude":2}"# + "\n"
    for format in [nil, FeedFormat.ndjson] {
      for length in 0...whole.utf8.count {
        var reader = SourceReader(format: format, isLive: false)
        let bytes = Array(whole.utf8) + whole.utf8.prefix(length)
        let fixes = reader.read(.bytes(bytes)).fixes + reader.read(.interrupted).fixes
        #expect(reader.statistics.badLines == 0, "\(length)")
        #expect(fixes.count == (length == whole.utf8.count ? 2 : 1))
      }
    }
    // The pending epoch is complete and is delivered.
    var reader = SourceReader(isLive: true)
    let fixes = reader.read(.bytes(Array(rmc(1).utf8))).fixes + reader.read(.interrupted).fixes
    #expect(fixes.count == 1)
  }

  @Test func `a message that was forgotten is accepted when sent again`() {
    let fix = LocationFix(
      time: Instant(iso8601: "2026-11-20T12:00:00Z"), latitude: 1, longitude: 2, device: "phone")
    let message = FeedChunk.reports([fix], .overland, FeedStatistics())
    var reader = SourceReader(name: nil, isLive: true)
    #expect(reader.read(message).fixes == [fix])
    #expect(reader.read(message).fixes.isEmpty)
    reader.forget([fix])
    #expect(reader.read(message).fixes == [fix])
    #expect(reader.read(message).fixes.isEmpty)
  }

  // MARK: - Names

  @Test func `a single source keeps the feed's device names`() {
    let text =
      #"{"latitude":1,"longitude":2}"# + "\n" + #"{"latitude":1,"longitude":2,"device":"a"}"#
    #expect(devices([.bytes(Array(text.utf8)), .end], name: nil) == [nil, "a"])
  }

  @Test func `one of several sources names the devices that its feed does not`() {
    let text =
      #"{"latitude":1,"longitude":2}"# + "\n" + #"{"latitude":1,"longitude":2,"device":"a"}"#
    #expect(devices([.bytes(Array(text.utf8)), .end], name: "walk") == ["walk", "a"])
    #expect(devices([.bytes(Array(rmc(1).utf8)), .idle], name: "/dev/b") == ["/dev/b"])
  }

  @Test func `receivers with the same path at two gpsds have different names`() {
    let text = """
      {"class":"TPV","device":"/dev/a","mode":3,"time":"2026-11-20T12:00:00.000Z","lat":1,"lon":2}
      {"class":"TPV","device":"tcp://h:1","mode":3,"time":"2026-11-20T12:00:00.000Z","lat":1,"lon":2}

      """
    let chunks: [FeedChunk] = [.bytes(Array(text.utf8)), .end]
    #expect(devices(chunks, name: nil) == ["/dev/a", "tcp://h:1"])
    #expect(
      devices(chunks, name: "gpsd://h:2947", format: .gpsd)
        == ["gpsd://h:2947/dev/a", "gpsd://h:2947/tcp://h:1"])
  }

  @Test func `phones with only tracker ids have different names in one of several sources`() {
    let text = ["ph", "tb"].map {
      #"{"_type":"location","tid":"\#($0)","tst":1795176000,"lat":1,"lon":2}"#
    }
    .joined(separator: "\n")
    #expect(devices([.bytes(Array(text.utf8)), .end], name: "stdin") == ["ph", "tb"])
  }

  // MARK: - Datagrams

  @Test func `each sender is a device unless its lines name one`() {
    let named = #"{"latitude":1,"longitude":2,"device":"a"}"#
    let nameless = #"{"latitude":1,"longitude":2}"#
    let chunks = [
      datagram(nameless, from: "10.0.0.1"), datagram(nameless, from: "10.0.0.2"),
      datagram(named, from: "10.0.0.2"),
    ]
    #expect(devices(chunks, name: nil) == ["10.0.0.1", "10.0.0.2", "a"])
    #expect(
      devices(chunks, name: "udp://:1") == ["udp://:1/10.0.0.1", "udp://:1/10.0.0.2", "a"])
  }

  @Test func `a sender's invented names are limited, and known devices keep theirs`() {
    let lines = (0..<1000).map { #"{"latitude":1,"longitude":2,"device":"x\#($0)"}"# }
    let flood = datagram(lines.joined(separator: "\n"), from: "10.0.0.1")
    let phone = datagram(#"{"latitude":1,"longitude":2,"device":"phone"}"#, from: "10.0.0.2")
    let names = devices([phone, flood, phone], name: "udp://:1")
    #expect(names.first == "phone" && names.last == "phone")
    #expect(Set(names).count == DeviceNameBound.unknownSenders + 1)
    #expect(Set(names).contains("udp://:1"))
  }

  @Test func `an epoch spans several datagrams of one sender`() {
    var reader = SourceReader(isLive: true)
    var fixes: [LocationFix] = []
    for second in 0..<2 {
      for (sender, latitude) in [("a", "4851.504"), ("b", "4751.504")] {
        for line in [gga(second, latitude: latitude), rmc(second, latitude: latitude)] {
          fixes += reader.read(datagram(line, from: sender), now: start + .seconds(second)).fixes
        }
      }
    }
    fixes += reader.read(.end).fixes
    #expect(fixes.map(\.device) == ["a", "b", "a", "b"])
    #expect(fixes.allSatisfy { $0.altitudeMeters == 35 && $0.speedMetersPerSecond != nil })
    #expect(fixes.map { Int(saturating: $0.latitude) } == [48, 47, 48, 47])
  }

  @Test func `an idle sender's fix is not delayed by another sender`() {
    var reader = SourceReader(isLive: true)
    #expect(reader.read(datagram(rmc(0), from: "a"), now: start).fixes.isEmpty)
    let soon = reader.read(datagram(rmc(0), from: "b"), now: start + .milliseconds(100))
    #expect(soon.fixes.isEmpty)
    let later = reader.read(datagram(rmc(1), from: "b"), now: start + .milliseconds(250))
    #expect(later.fixes.map(\.device) == ["a", "b"])
    #expect(reader.read(.idle, now: start + .milliseconds(500)).fixes.map(\.device) == ["b"])
    #expect(reader.read(.end).fixes.isEmpty)
  }

  @Test func `a datagram may be in any line-based format, whatever came before`() {
    let csv = "time,lat,lon\n2026-11-20T12:00:00Z,1,2"
    let chunks = [
      datagram(rmc(0), from: "a"), datagram(#"{"latitude":1,"longitude":2}"#, from: "a"),
      datagram("\r\n" + csv, from: "a"), datagram("2026-11-20T12:00:05Z,1,2\n", from: "a"),
      datagram("id=phone&lat=1&lon=2&timestamp=1795176000", from: "a"),
      datagram(#"{"_type":"location","tid":"ph","tst":1795176000,"lat":1,"lon":2}"#, from: "a"),
      .end,
    ]
    #expect(devices(chunks, name: nil) == ["a", "a", "a", "a", "phone", "a"])
  }

  // MARK: - Messages

  @Test func `a repeated message gives no fixes, and an overlapping one only new ones`() {
    func reports(_ seconds: Range<Int>, device: String?) -> FeedChunk {
      let fixes = seconds.map { second in
        LocationFix(
          time: Instant(iso8601: "2026-11-20T12:00:0\(second)Z"), latitude: 1, longitude: 2,
          device: device)
      }
      return .reports(fixes, .overland, FeedStatistics())
    }
    let untimed = FeedChunk.reports(
      [LocationFix(time: nil, latitude: 1, longitude: 2)], .traccar, FeedStatistics())
    let chunks = [
      reports(0..<3, device: "a"), reports(0..<3, device: "a"), reports(1..<4, device: "a"),
      reports(0..<1, device: nil), reports(0..<1, device: nil), untimed, untimed,
    ]
    #expect(devices(chunks, name: nil) == ["a", "a", "a", "a", nil, nil, nil])
    #expect(
      devices(chunks, name: "http://h:1")
        == ["a", "a", "a", "a", "http://h:1", "http://h:1", "http://h:1"])
  }

  @Test func `unreadable lines are counted, empty datagrams are not`() {
    var reader = SourceReader(isLive: true)
    for text in ["junk", "", "\n", rmc(0), "$GPRMC,1*00"] {
      _ = reader.read(datagram(text, from: "a"), now: start)
    }
    #expect(reader.statistics.lines == 3)
    #expect(reader.statistics.badLines == 2)
    #expect(reader.statistics.latestBadLine?.fault == .wrongChecksum)
    #expect(reader.format == .nmea)
  }

  @Test func `the number of remembered senders is limited`() {
    var senders = SenderReaders(format: .nmea)
    var statistics = FeedStatistics()
    for name in 0...SenderReaders.capacity {
      _ = senders.read(
        Array(rmc(0).utf8), from: "\(name)", now: start + .seconds(name), counting: &statistics)
    }
    // The first sender was evicted for the last, with its pending fix.
    #expect(senders.flush(now: nil).count == SenderReaders.capacity)
  }
}

@Suite(.timeLimit(.minutes(30))) struct FeedInboxTests {
  @Test func `several sources are read concurrently, each in order and to its end`() throws {
    let folder = TemporaryFolder()
    let texts = (0..<3).map { String(repeating: "\($0)", count: 300_000 + $0) }
    let inbox = try FeedInbox()
    for (number, text) in texts.enumerated() {
      try folder.write(text, to: "\(number)")
      inbox.start(try FeedSource(file: folder.path("\(number)")), as: number)
    }
    var bytes = [[UInt8]](repeating: [], count: 3)
    var ended: Set<Int> = []
    while ended.count < 3 {
      guard case .item(let item) = try inbox.take(upTo: .seconds(10)) else {
        Issue.record("nothing comes")
        return
      }
      switch try item.chunk.get() {
      case .bytes(let chunk): bytes[item.source] += chunk
      case .end: ended.insert(item.source)
      default: break
      }
    }
    #expect(bytes == texts.map { Array($0.utf8) })
    guard case .idle = try inbox.take(upTo: .zero) else {
      Issue.record("something comes after the end")
      return
    }
  }
}
