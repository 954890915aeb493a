import SystemPackage
import TestSupport
import Testing

@testable import FeedSources
@testable import LocationFeeds

/// A simulated gpsd, and the real one if it is installed.
@Suite(.timeLimit(.minutes(30))) struct GPSDSourceTests {
  private let greeting = """
    {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}
    {"class":"DEVICES","devices":[]}
    {"class":"WATCH","enable":true,"json":true,"nmea":false}

    """
  private let report = """
    {"class":"TPV","device":"/dev/a","mode":3,"time":"2026-11-20T12:00:00.000Z","lat":48.5,"lon":2.5}

    """

  /// Short intervals, so that tests need not wait for minutes.
  private static var hasty: ConnectionPace {
    var pace = ConnectionPace()
    pace.firstPause = .milliseconds(1)
    pace.longestPause = .milliseconds(50)
    return pace
  }

  private static func source(
    _ port: UInt16, device: String? = nil, pace: ConnectionPace = hasty
  ) throws -> FeedSource {
    try FeedSource(
      connectingTo: .gpsd(HostAndPort(host: "127.0.0.1", port: port), device: device), pace: pace)
  }

  @Test func `requests reports from gpsd, and again after a reconnection`() throws {
    let server = try LoopbackListener()
    var source = try Self.source(server.port, device: "/dev/a")
    #expect(source.isLive == true)
    for round in 0..<3 {
      #expect(try source.read(upTo: .milliseconds(200)) == .idle)
      let connection = try server.accept()
      #expect(
        try connection.readLine()
          == #"?WATCH={"enable":true,"json":true,"device":"/dev/a"};"# + "\n")
      try connection.send(greeting)
      if round > 0 { #expect(try source.read(upTo: .seconds(10)) == .event(.regained)) }
      #expect(try source.read(upTo: .seconds(10)) == .bytes(Array(greeting.utf8)))
      try connection.send(report)
      #expect(try source.read(upTo: .seconds(10)) == .bytes(Array(report.utf8)))
      _ = consume connection
      #expect(try source.read(upTo: .seconds(10)) == .restarted)
      #expect(try source.read(upTo: .seconds(10)) == .event(.lost(.closed)))
    }
  }

  @Test func `waits for a gpsd that is not running yet`() throws {
    let port = try LoopbackListener.unusedPort()
    var source = try Self.source(port)
    #expect(
      try source.read(upTo: .seconds(10)) == .event(.lost(.unreachable(.connectionRefused))))
    #expect(try source.read(upTo: .milliseconds(100)) == .idle)
    let server = try LoopbackListener(port: port)
    #expect(try source.read(upTo: .milliseconds(200)) == .idle)
    try server.accept().send(greeting)
    #expect(try source.read(upTo: .seconds(10)) == .event(.regained))
  }

  @Test(arguments: [
    ("HTTP/1.1 400 Bad Request\r\n\r\n", FeedOutage.notGPSD),
    (#"{"class":"ERROR","message":"No such device as /dev/a"}"# + "\n", .refusedByGPSD),
  ])
  func `disconnects from a server that refuses or is not gpsd, and retries`(
    answer: String, outage: FeedOutage
  ) throws {
    let server = try LoopbackListener()
    var source = try Self.source(server.port)
    for round in 0..<2 {
      #expect(try source.read(upTo: .milliseconds(200)) == .idle)
      let connection = try server.accept()
      try connection.send(answer)
      if round == 0 { #expect(try source.read(upTo: .seconds(10)) == .event(.lost(outage))) }
    }
  }

  @Test func `disconnects from a server that never answers, and retries`() throws {
    var pace = Self.hasty
    pace.patience = .milliseconds(10)
    let server = try LoopbackListener()
    var source = try Self.source(server.port, pace: pace)
    #expect(try source.read(upTo: .seconds(10)) == .event(.lost(.notGPSD)))
    // A repeated outage is reported once.
    #expect(try source.read(upTo: .milliseconds(200)) == .idle)
    for _ in 0..<2 { _ = try server.accept() }
  }

  @Test func `reports silence and its end`() throws {
    var pace = Self.hasty
    pace.silence = .milliseconds(100)
    let server = try LoopbackListener()
    var source = try Self.source(server.port, pace: pace)
    #expect(try source.read(upTo: .milliseconds(200)) == .idle)
    let connection = try server.accept()
    try connection.send(greeting)
    // Reports of other receivers are not position reports.
    let other = "{\"class\":\"AIS\"}\n"
    try connection.send(other)
    // On a slow machine the silence may be told before what was sent is read.
    var (heard, silence): ([UInt8], Duration?) = ([], nil)
    while silence == nil || heard.count < greeting.utf8.count + other.utf8.count {
      switch try source.read(upTo: .seconds(10)) {
      case .bytes(let bytes): heard += bytes
      case .event(.silent(let time)) where silence == nil: silence = time
      case let step:
        Issue.record("\(step) instead of silence")
        return
      }
    }
    #expect(heard == Array((greeting + other).utf8))
    #expect(try #require(silence) >= .milliseconds(100))
    #expect(try source.read(upTo: .milliseconds(150)) == .idle)
    try connection.send(report)
    guard case .event(.heardAgain) = try source.read(upTo: .seconds(10)) else {
      Issue.record("the end of the silence is not told")
      return
    }
    #expect(try source.read(upTo: .seconds(10)) == .bytes(Array(report.utf8)))
  }

  @Test func `an interruption ends the wait for a server that does not answer`() throws {
    let server = try LoopbackListener()
    let (interruption, signal) = try FileDescriptor.pipe()
    defer { for descriptor in [interruption, signal] { try? descriptor.close() } }
    var source = try Self.source(server.port)
    #expect(try source.read(upTo: .zero, orUntil: interruption) == .idle)
    try signal.writeAll([1])
    #expect(try source.read(upTo: .seconds(600), orUntil: interruption) == .interrupted)
  }

  @Test func `a host name that does not resolve is reported as unknown`() throws {
    var source = try FeedSource(
      connectingTo: .gpsd(
        HostAndPort(host: LoopbackListener.impossibleHost("nowhere"), port: 1), device: nil))
    guard case .event(.lost(.unknownHost)) = try source.read(upTo: .seconds(60)) else {
      Issue.record("the outage is not told")
      return
    }
  }

  // MARK: - The real gpsd

  private static let gpsd = ChildProcess.path(of: "gpsd")

  /// Returns a receiver's sentences for some seconds.
  private func sentences(_ seconds: Range<Int>) -> String {
    seconds.map { second in
      let time = "1200" + (second < 10 ? "0\(second)" : "\(second)")
      return sentence("GPGGA,\(time),4851.504,N,00217.670,E,1,08,1.2,35.0,M,47.0,M,,")
        + sentence("GPGSA,A,3,10,07,05,02,29,04,08,13,,,,,1.72,1.03,1.38")
        + sentence("GPRMC,\(time),A,4851.504,N,00217.670,E,10.0,270.5,201126,,,A")
    }.joined()
  }

  private static func start(_ gpsd: FilePath, port: UInt16, receiver: UInt16) throws -> ChildProcess
  {
    try ChildProcess(
      gpsd, ["-N", "-n", "-b", "-S", "\(port)", "tcp://127.0.0.1:\(receiver)"])
  }

  /// Reads until gpsd has started to report.
  private static func awaitGreeting(_ source: inout FeedSource) throws {
    var text: [UInt8] = []
    while !String(decoding: text, as: UTF8.self).contains(#""class":"WATCH""#) {
      if case .bytes(let bytes) = try source.read(upTo: .seconds(10)) { text += bytes }
    }
  }

  @Test(
    .enabled(if: gpsd != nil, "gpsd is not installed: apt-get install gpsd"),
    arguments: [true, false])
  func `the real gpsd delivers its receiver's fixes, also after a restart`(
    namesDevice: Bool
  ) throws {
    let gpsd = try #require(Self.gpsd)
    let receiver = try LoopbackListener()
    let port = try LoopbackListener.unusedPort()
    let device = "tcp://127.0.0.1:\(receiver.port)"
    var pace = Self.hasty
    pace.silence = .milliseconds(1500)
    var source = try Self.source(port, device: namesDevice ? device : nil, pace: pace)
    for _ in 0..<2 {
      let process = try Self.start(gpsd, port: port, receiver: receiver.port)
      try Self.awaitGreeting(&source)
      let connection = try receiver.accept()
      try connection.send(sentences(0..<10))
      var reader = FeedReader(format: .gpsd)
      var fixes: [LocationFix] = []
      while fixes.filter({ $0.time != nil }).count < 5 {
        if case .bytes(let bytes) = try source.read(upTo: .seconds(10)) {
          fixes += reader.consume(bytes)
        }
      }
      #expect(fixes.allSatisfy { $0.device == device && abs($0.latitude - 48.8584) < 1e-4 })
      // gpsd reports a position before it knows the date.
      let times = fixes.compactMap(\.time)
      #expect(Set(times).count == times.count && times == times.sorted())
      // The receiver falls silent, and so does gpsd.
      var isSilent = false
      while !isSilent {
        if case .event(.silent) = try source.read(upTo: .seconds(10)) { isSilent = true }
      }
      _ = consume process
      var isLost = false
      while !isLost {
        if case .event(.lost) = try source.read(upTo: .seconds(10)) { isLost = true }
      }
    }
  }
}
