public import LocationFeeds
public import SystemPackage

/// Where the bytes of a feed come from: standard input, a file, a file that is being written, or a
/// server.
///
/// ```swift
/// var source = try FeedSource(following: "/var/log/gps.nmea")
/// while true {
///   switch try source.read(upTo: FeedReader.flushDelay, orUntil: stop) {
///   case .bytes(let bytes): handle(reader.consume(bytes))
///   case .idle: handle(reader.flush())
///   case .restarted: handle(reader.finish())
///   case .event(let event): tell(event)
///   case .end, .interrupted: return handle(reader.finish())
///   }
/// }
/// ```
///
/// Reading blocks the thread. A source closes the descriptors that it opened when its life ends.
public struct FeedSource: ~Copyable, Sendable {
  /// The speeds, in baud, at which receivers send.
  public static let baudRates = SerialDevice.speeds.keys.sorted()

  /// Whether the bytes arrive as they are made: from a pipe, a terminal, a device, a FIFO, a
  /// followed file or a server. A regular file that is read to its end, also as standard input, is
  /// a replay.
  public let isLive: Bool

  private var origin: Origin

  private enum Origin {
    case stream(OpenFile)
    case followed(FollowedFile)
    case reopened(ReopenedStream)
    case datagrams(OpenFile)
  }

  /// Creates a source that reads standard input.
  public static func standardInput() throws(FeedSourceError) -> FeedSource {
    try FeedSource(reading: .standardInput)
  }

  /// Creates a source that reads an open descriptor to its end, and does not close it.
  ///
  /// - Throws: ``FeedSourceError/readFailed(_:)`` where the descriptor is not open or is a
  ///   folder's.
  public init(reading descriptor: FileDescriptor) throws(FeedSourceError) {
    let status: FileStatus
    do throws(Errno) { status = try FileStatus(of: descriptor) } catch { throw .readFailed(error) }
    guard status.kind != .directory else { throw .readFailed(.isDirectory) }
    isLive = status.kind != .regular
    origin = .stream(OpenFile(descriptor, isOwned: false))
  }

  /// Creates a source that reads a file to its end; a FIFO is read like standard input, a serial
  /// device as ``init(serialDevice:baudRate:pace:)`` does, at the speed that it has.
  ///
  /// - Throws: ``FeedSourceError`` where the file is missing, a folder, or cannot be opened.
  public init(file path: FilePath) throws(FeedSourceError) {
    let (descriptor, status) = try OpenFile.open(path)
    isLive = status.kind != .regular
    origin = Self.stream(descriptor, at: path)
  }

  private static func stream(_ file: OpenFile, at path: FilePath) -> Origin {
    guard SerialDevice.isOne(file) else { return .stream(file) }
    return .reopened(serial(path, nil, ConnectionPace()))
  }

  /// Creates a source that follows a file as `tail -F` does, from its present end.
  ///
  /// A file that is missing is waited for. One that is created, replaced by another under its name,
  /// or truncated is read from its start. The file is looked at every 200 ms; a file that was
  /// truncated and has grown beyond its former size between two looks cannot be told from one that
  /// has grown. A FIFO or a device is read as ``init(file:)`` does.
  ///
  /// - Throws: ``FeedSourceError`` where the path is a folder or cannot be opened.
  public init(following path: FilePath) throws(FeedSourceError) {
    isLive = true
    do throws(FeedSourceError) {
      let (descriptor, status) = try OpenFile.open(path)
      if status.kind == .regular {
        origin = .followed(try FollowedFile(path, from: descriptor, status))
      } else {
        origin = Self.stream(descriptor, at: path)
      }
    } catch .missing {
      origin = .followed(FollowedFile(waitingFor: path))
    }
  }

  /// Creates a source that reads a serial device, and opens it again when it was unplugged: it has
  /// no end.
  ///
  /// The device is set to give bytes as they are. One that is missing is waited for.
  ///
  /// - Parameters:
  ///   - path: The device, `/dev/ttyUSB0`.
  ///   - baudRate: Its speed, one of ``baudRates``; `nil` leaves it, 9600 where nobody has set it.
  ///   - pace: When it is opened again.
  /// - Throws: ``FeedSourceError`` where the path is of something else, or the speed of no
  ///   receiver.
  public init(
    serialDevice path: FilePath, baudRate: Int?, pace: ConnectionPace = ConnectionPace()
  ) throws(FeedSourceError) {
    if let baudRate, SerialDevice.speeds[baudRate] == nil { throw .unknownBaudRate(baudRate) }
    if let (file, _) = try? OpenFile.open(path), !SerialDevice.isOne(file) {
      throw .notSerial(path)
    }
    isLive = true
    origin = .reopened(Self.serial(path, baudRate, pace))
  }

  private static func serial(
    _ path: FilePath, _ baudRate: Int?, _ pace: ConnectionPace
  ) -> ReopenedStream {
    ReopenedStream(pace: pace) { _, _ throws(FeedOutage) in
      try SerialDevice.open(path, baudRate: baudRate)
    }
  }

  /// Creates a source that connects to an address, and again whenever the connection breaks: it has
  /// no end.
  ///
  /// A gpsd is asked for the reports of its receivers each time, and whether it agrees is looked
  /// at. Who reads learns of an outage, and of silence, by ``FeedChunk/event(_:)``. Datagrams are
  /// given as ``FeedChunk/datagram(_:from:)``, with the number of the host that sent them.
  ///
  /// - Throws: ``FeedSourceError/cannotListen(_:_:)``.
  public init(
    connectingTo address: StreamAddress, pace: ConnectionPace = ConnectionPace()
  ) throws(FeedSourceError) {
    isLive = true
    switch address {
    case .gpsd(let place, let device):
      origin = .reopened(Self.connection(place, pace) { GPSDDialogue(device: device) })
    case .nmeaTCP(let place):
      origin = .reopened(Self.connection(place, pace, dialogue: nil))
    case .udp(let place):
      do throws(FeedOutage) { origin = .datagrams(try Socket.receive(at: place)) } catch {
        throw .cannotListen(place, error)
      }
    }
  }

  private static func connection(
    _ place: HostAndPort, _ pace: ConnectionPace, dialogue: (@Sendable () -> GPSDDialogue)?
  ) -> ReopenedStream {
    ReopenedStream(pace: pace, dialogue: dialogue) { patience, interruption throws(FeedOutage) in
      try Socket.connect(to: place, patience: patience, orUntil: interruption)
    }
  }

  /// Waits for bytes and returns them.
  ///
  /// Connecting may take longer than the time that is given here.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait; zero only looks.
  ///   - interruption: A descriptor that ends the wait as soon as it can be read, the end of a pipe
  ///     that a signal handler writes to say; nothing is read from it.
  /// - Returns: Bytes, or why there are none.
  /// - Throws: ``FeedSourceError/readFailed(_:)`` where the source is broken.
  public mutating func read(
    upTo timeout: Duration, orUntil interruption: FileDescriptor? = nil
  ) throws(FeedSourceError) -> FeedChunk {
    let wait = DescriptorWait(upTo: timeout, orUntil: interruption)
    do throws(Errno) {
      switch origin {
      case .stream(let file):
        return try Self.read(wait, file) { file throws(Errno) in
          let bytes = try file.read()
          return bytes.isEmpty ? .end : .bytes(bytes)
        }
      case .datagrams(let socket):
        return try Self.read(wait, socket) { socket throws(Errno) in
          let (bytes, sender) = try Socket.receiveDatagram(from: socket)
          return .datagram(bytes, from: sender.host)
        }
      case .followed(var file):
        defer { origin = .followed(file) }
        return try file.read(wait)
      case .reopened(var stream):
        defer { origin = .reopened(stream) }
        return try stream.read(wait)
      }
    } catch {
      throw .readFailed(error)
    }
  }

  private static func read(
    _ wait: DescriptorWait, _ file: OpenFile, _ take: (OpenFile) throws(Errno) -> FeedChunk
  ) throws(Errno) -> FeedChunk {
    while true {
      switch try wait.wait(for: file.descriptor) {
      case .interrupted: return .interrupted
      case .timedOut: return .idle
      case .ready: break
      }
      do throws(Errno) {
        return try take(file)
      } catch .wouldBlock {
        // Another reader of the same pipe was faster, or a datagram was damaged on its way.
        if wait.isOver { return .idle }
      }
    }
  }
}
