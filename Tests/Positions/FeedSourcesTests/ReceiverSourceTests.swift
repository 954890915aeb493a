import CLibrary
import FeedSources
import LocationFeeds
import SystemPackage
import TestSupport
import Testing

/// Serial devices, NMEA servers and datagrams.
@Suite(.timeLimit(.minutes(30))) struct ReceiverSourceTests {
  private let line = sentence("GPRMC,120000,A,4851.504,N,00217.670,E,10.0,270.5,201126,,,A")

  private var hasty: ConnectionPace {
    var pace = ConnectionPace()
    pace.firstPause = .milliseconds(1)
    pace.longestPause = .milliseconds(20)
    return pace
  }

  // MARK: - Serial devices

  @Test func `a serial device is read raw at its baud rate, also after being unplugged`()
    throws
  {
    let folder = TemporaryFolder()
    let device = folder.path("receiver")
    var source = try FeedSource(serialDevice: device, baudRate: 4800, pace: hasty)
    #expect(source.isLive == true)
    #expect(
      try source.read(upTo: .seconds(10)) == .event(.lost(.noDevice(.noSuchFileOrDirectory))))
    for _ in 0..<2 {
      let terminal = try Pseudoterminal()
      #expect(symlink(terminal.path.string, device.string) == 0)
      #expect(try source.read(upTo: .milliseconds(200)) == .idle)
      #expect(terminal.settings() == (UInt32(B4800), true))
      try terminal.send(line)
      #expect(try source.read(upTo: .seconds(10)) == .event(.regained))
      // A terminal that is not raw turns the carriage return into another line feed.
      #expect(try source.read(upTo: .seconds(10)) == .bytes(Array(line.utf8)))
      #expect(unlink(device.string) == 0)
      _ = consume terminal
      #expect(try source.read(upTo: .seconds(10)) == .restarted)
      guard case .event(.lost) = try source.read(upTo: .seconds(10)) else {
        Issue.record("the loss is not told")
        return
      }
      // Reads until the device is missing, so that the next terminal is not taken for this one.
      _ = try source.read(upTo: .milliseconds(50))
    }
  }

  @Test func `a path to a serial device is read raw at its current baud rate`() throws {
    let terminal = try Pseudoterminal()
    let before = terminal.settings()
    for isFollowed in [false, true] {
      var source =
        isFollowed
        ? try FeedSource(following: terminal.path) : try FeedSource(file: terminal.path)
      #expect(source.isLive == true)
      #expect(try source.read(upTo: .milliseconds(50)) == .idle)
      #expect(terminal.settings() == (before.speed, true))
      try terminal.send(line)
      #expect(try source.read(upTo: .seconds(10)) == .bytes(Array(line.utf8)))
    }
  }

  @Test func `rejects a file that is not a serial device, and an unknown baud rate`() throws {
    let folder = TemporaryFolder()
    try folder.write("", to: "file")
    let file = folder.path("file")
    #expect(throws: FeedSourceError.notSerial(file)) {
      _ = try FeedSource(serialDevice: file, baudRate: 4800)
    }
    #expect(throws: FeedSourceError.unknownBaudRate(1234)) {
      _ = try FeedSource(serialDevice: "/dev/ttyS0", baudRate: 1234)
    }
    #expect(FeedSourceError.unknownBaudRate(1234).description.contains("4800, 9600"))
  }

  // MARK: - NMEA over TCP

  @Test func `an NMEA server is read from its first byte, also after a reconnection`() throws {
    let server = try LoopbackListener()
    let address = StreamAddress.nmeaTCP(HostAndPort(host: "localhost", port: server.port))
    var source = try FeedSource(connectingTo: address, pace: hasty)
    for round in 0..<2 {
      #expect(try source.read(upTo: .milliseconds(200)) == .idle)
      let connection = try server.accept()
      try connection.send(line)
      if round > 0 { #expect(try source.read(upTo: .seconds(10)) == .event(.regained)) }
      #expect(try source.read(upTo: .seconds(10)) == .bytes(Array(line.utf8)))
      _ = consume connection
      #expect(try source.read(upTo: .seconds(10)) == .restarted)
      #expect(try source.read(upTo: .seconds(10)) == .event(.lost(.closed)))
    }
  }

  // MARK: - Datagrams

  @Test(arguments: ["", "127.0.0.1"])
  func `datagrams are delivered one by one with their sender's address`(host: String) throws {
    let port = try LoopbackListener.unusedPort()
    let place = HostAndPort(host: host, port: port)
    var source = try FeedSource(connectingTo: .udp(place))
    #expect(source.isLive == true)
    #expect(try source.read(upTo: .zero) == .idle)
    let first = try LoopbackSender(host: 1, port: port)
    let second = try LoopbackSender(host: 2, port: port)
    try first.send("a")
    try second.send("b\n")
    try first.send("")
    #expect(
      try source.read(upTo: .seconds(10)) == .datagram(Array("a".utf8), from: "127.0.0.1"))
    #expect(
      try source.read(upTo: .seconds(10)) == .datagram(Array("b\n".utf8), from: "127.0.0.2"))
    #expect(try source.read(upTo: .seconds(10)) == .datagram([], from: "127.0.0.1"))
    #expect(throws: FeedSourceError.cannotListen(place, .unreachable(.addressInUse))) {
      _ = try FeedSource(connectingTo: .udp(place))
    }
  }

  @Test func `rejects a listening address of another machine`() throws {
    // A network for documentation (RFC 5737).
    let place = HostAndPort(host: "192.0.2.1", port: 5000)
    #expect(
      throws: FeedSourceError.cannotListen(place, .unreachable(.addressNotAvailable))
    ) { _ = try FeedSource(connectingTo: .udp(place)) }
  }
}
