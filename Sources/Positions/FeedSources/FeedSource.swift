public import LocationFeeds
public import SystemPackage

/// A source of feed bytes: standard input, a file, a growing file, a serial device or a server.
///
/// ```swift
/// var source = try FeedSource(following: "/var/log/gps.nmea")
/// while true {
///   switch try source.read(upTo: FeedReader.flushDelay, orUntil: stop) {
///   case .bytes(let bytes): handle(reader.consume(bytes))
///   case .idle: handle(reader.flush())
///   case .restarted: handle(reader.finish())
///   case .event(let event): report(event)
///   case .end, .interrupted: return handle(reader.finish())
///   }
/// }
/// ```
///
/// Reading blocks the thread. A source closes the descriptors that it opened when it is destroyed.
public struct FeedSource: ~Copyable, Sendable {
  /// The supported baud rates of serial receivers, ascending.
  public static let baudRates = SerialDevice.speeds.keys.sorted()

  /// Whether the bytes arrive as they are produced: from a pipe, a terminal, a device, a FIFO, a
  /// followed file or a server. A regular file that is read to its end is a replay, also as
  /// standard input.
  public let isLive: Bool

  private var origin: Origin

  // Not private, or optimized builds of other modules crash the compiler (6.3.1).
  enum Origin {
    case stream(OpenFile)
    case gzipped(GzippedFile)
    case followed(FollowedFile)
    case reopened(ReopenedStream)
    case datagrams(OpenFile)
  }

  /// Creates a source that reads standard input.
  public static func standardInput() throws(FeedSourceError) -> FeedSource {
    try FeedSource(reading: .standardInput)
  }

  /// Creates a source that reads an open descriptor to its end. The source does not close the
  /// descriptor.
  ///
  /// - Throws: ``FeedSourceError/readFailed(_:)`` where the descriptor is not open or is that of a
  ///   folder.
  public init(reading descriptor: FileDescriptor) throws(FeedSourceError) {
    let status: FileStatus
    do throws(Errno) { status = try FileStatus(of: descriptor) } catch { throw .readFailed(error) }
    guard status.kind != .directory else { throw .readFailed(.isDirectory) }
    isLive = status.kind != .regular
    origin = .stream(OpenFile(descriptor, isOwned: false))
  }

  /// Creates a source that reads a file to its end. A file of gzip is unpacked, to at most 1 GiB. A
  /// FIFO is read like standard input; a serial device is read as by
  /// ``init(serialDevice:baudRate:pace:)``, at its current speed.
  ///
  /// - Throws: ``FeedSourceError`` where the file is missing, is a folder, or cannot be opened.
  public init(file path: FilePath) throws(FeedSourceError) {
    let (descriptor, status) = try OpenFile.open(path)
    isLive = status.kind != .regular
    if status.kind == .regular, GzippedFile.isGzipped(descriptor) {
      origin = .gzipped(GzippedFile(descriptor))
    } else {
      origin = Self.stream(descriptor, at: path)
    }
  }

  private static func stream(_ file: OpenFile, at path: FilePath) -> Origin {
    guard SerialDevice.isSerial(file) else { return .stream(file) }
    return .reopened(serial(path, nil, ConnectionPace()))
  }

  /// Creates a source that follows a file from its current end, as `tail -F` does.
  ///
  /// If the file is missing, the source waits for it. A file that is created, truncated, or
  /// replaced by another of the same name is read from its start. The file is checked every 200 ms;
  /// if it is truncated and grows beyond its former size between two checks, the truncation is not
  /// noticed. A FIFO or a device is read as by ``init(file:)``.
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

  /// Returns the first bytes of a regular file, up to 128 KiB, and whether they begin one of gzip
  /// or ZIP; `nil` for any other file, and for one that is missing or cannot be read.
  package static func start(of path: FilePath) -> (bytes: [UInt8], isCompressed: Bool)? {
    FollowedFile.start(of: path).map { bytes in
      (bytes, bytes.starts(with: [0x1F, 0x8B]) || bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]))
    }
  }

  /// Creates a source that reads a serial device and reopens it after it was unplugged. The source
  /// has no end.
  ///
  /// The device is set to raw mode. If it is missing, the source waits for it.
  ///
  /// - Parameters:
  ///   - path: The device, for example `/dev/ttyUSB0`.
  ///   - baudRate: The device's speed, one of ``baudRates``; `nil` leaves the speed unchanged (9600
  ///     unless it was set).
  ///   - pace: The delays and time limits of reopening.
  /// - Throws: ``FeedSourceError`` where the path is not a serial device, or the speed is not
  ///   supported.
  public init(
    serialDevice path: FilePath, baudRate: Int?, pace: ConnectionPace = ConnectionPace()
  ) throws(FeedSourceError) {
    if let baudRate, SerialDevice.speeds[baudRate] == nil { throw .unknownBaudRate(baudRate) }
    if let (file, _) = try? OpenFile.open(path), !SerialDevice.isSerial(file) {
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

  /// Creates a source that connects to an address, and reconnects whenever the connection breaks.
  /// The source has no end.
  ///
  /// After each connection to a gpsd, the source requests the reports of its receivers and checks
  /// the answer. Outages and silence are reported as ``FeedChunk/event(_:)``. Datagrams are
  /// returned as ``FeedChunk/datagram(_:from:)``, with the IP address of their sender.
  ///
  /// - Throws: ``FeedSourceError/cannotListen(_:_:)`` where datagrams cannot be received at the
  ///   address.
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
  /// Connecting may take longer than the time limit.
  ///
  /// - Parameters:
  ///   - timeout: The longest time to wait; zero returns at once.
  ///   - interruption: A descriptor that ends the wait by becoming readable, for example the read
  ///     end of a pipe that a signal handler writes to. Nothing is read from it.
  /// - Returns: Bytes, or the reason why there are none.
  /// - Throws: ``FeedSourceError/readFailed(_:)`` where reading fails.
  public mutating func read(
    upTo timeout: Duration, orUntil interruption: FileDescriptor? = nil
  ) throws(FeedSourceError) -> FeedChunk {
    let wait = DescriptorWait(upTo: timeout, orUntil: interruption)
    if case .gzipped(let file) = origin { return try Self.read(wait, file) }
    do throws(Errno) {
      switch origin {
      case .stream(let file):
        return try Self.read(wait, file) { file throws(Errno) in
          let bytes = try file.read()
          return bytes.isEmpty ? .end : .bytes(bytes)
        }
      case .gzipped: return .end
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
    _ wait: DescriptorWait, _ file: GzippedFile
  ) throws(FeedSourceError) -> FeedChunk {
    do {
      if case .interrupted = try wait.wait(for: file.descriptor) { return .interrupted }
      let bytes = try file.read()
      return bytes.isEmpty ? .end : .bytes(bytes)
    } catch GzippedFileError.damaged {
      throw .damagedCompression
    } catch GzippedFileError.tooLong {
      throw .tooLongUnpacked
    } catch {
      throw .readFailed((error as? Errno) ?? .ioError)
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
        // Another reader of the same pipe took the bytes, or a damaged datagram was discarded.
        if wait.isOver { return .idle }
      }
    }
  }
}
