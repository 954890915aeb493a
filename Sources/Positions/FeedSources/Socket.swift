import CLibrary
import LocationFeeds
import SystemPackage

/// TCP connections, and UDP datagrams.
enum Socket {
  /// Connects to the first address of a host that answers.
  ///
  /// The host name look-up cannot be interrupted, and takes as long as the system allows.
  ///
  /// - Parameters:
  ///   - place: The host and port.
  ///   - patience: The time limit for all addresses of the host together.
  ///   - interruption: A descriptor that ends the wait by becoming readable.
  /// - Returns: The connection; `nil` where the wait was interrupted.
  /// - Throws: The reason why no address could be connected to.
  static func connect(
    to place: HostAndPort, patience: Duration, orUntil interruption: FileDescriptor?
  ) throws(FeedOutage) -> OpenFile? {
    let addresses = try SocketAddress.addresses(of: place, for: stream)
    var outage = FeedOutage.noConnection
    for address in addresses {
      let wait = DescriptorWait(upTo: patience / addresses.count, orUntil: interruption)
      do throws(Errno) {
        let file = try open(stream, for: address)
        switch try connect(file, to: address, wait) {
        case .interrupted: return nil
        case .timedOut: outage = .noConnection
        case .ready: return file
        }
      } catch {
        outage = .unreachable(error)
      }
    }
    throw outage
  }

  /// Opens a socket for the datagrams sent to an address of this machine.
  ///
  /// Without a host, the socket receives datagrams over both IPv6 and IPv4.
  static func receive(at place: HostAndPort) throws(FeedOutage) -> OpenFile {
    var outage = FeedOutage.noConnection
    let isAnyHost = place.host.isEmpty
    let place = HostAndPort(host: isAnyHost ? "::" : place.host, port: place.port)
    var addresses = try SocketAddress.addresses(of: place, for: datagram)
    if isAnyHost {
      // A fallback for machines without IPv6.
      addresses += try SocketAddress.addresses(
        of: HostAndPort(host: "0.0.0.0", port: place.port), for: datagram)
    }
    for address in addresses {
      do throws(Errno) {
        let file = try open(datagram, for: address)
        if isAnyHost, address.family == AF_INET6 {
          set(file.descriptor.rawValue, CInt(IPPROTO_IPV6), IPV6_V6ONLY, 0)
        }
        guard address.withSockaddr({ bind(file.descriptor.rawValue, $0, $1) }) == 0 else {
          throw Errno(rawValue: errno)
        }
        return file
      } catch {
        outage = .unreachable(error)
      }
    }
    throw outage
  }

  /// Receives a datagram that has arrived, with the address of its sender.
  static func receiveDatagram(
    from socket: OpenFile
  ) throws(Errno) -> (bytes: [UInt8], sender: SocketAddress) {
    var sender = SocketAddress()
    var result = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: OpenFile.chunkSize) { buffer, count in
      result = sender.withMutableSockaddr {
        recvfrom(socket.descriptor.rawValue, buffer.baseAddress, buffer.count, 0, $0, $1)
      }
      count = max(0, result)
    }
    guard result >= 0 else { throw Errno(rawValue: errno) }
    return (bytes, sender)
  }

  private static func connect(
    _ file: OpenFile, to address: SocketAddress, _ wait: DescriptorWait
  ) throws(Errno) -> DescriptorWait.Outcome {
    let descriptor = file.descriptor.rawValue
    let status = address.withSockaddr { connectSocket(descriptor, $0, $1) }
    if status != 0, errno != EINPROGRESS { throw Errno(rawValue: errno) }
    let outcome = try wait.wait(for: file.descriptor, to: .writing)
    guard outcome == .ready else { return outcome }
    var code: CInt = 0
    var length = socklen_t(MemoryLayout<CInt>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else {
      throw Errno(rawValue: errno)
    }
    guard code == 0 else { throw Errno(rawValue: code) }
    keepAlive(descriptor)
    return .ready
  }

  /// Sends a few bytes over a new connection, whose buffer takes them without blocking.
  static func send(_ bytes: [UInt8], over connection: OpenFile) throws(FeedOutage) {
    let count = sendBytes(connection.descriptor.rawValue, bytes, bytes.count, noSignal)
    guard count == bytes.count else { throw .broken(Errno(rawValue: errno)) }
  }

  /// Opens a non-blocking socket that hooks do not inherit.
  static func open(_ kind: CInt, for address: SocketAddress) throws(Errno) -> OpenFile {
    #if canImport(Darwin)
      let descriptor = socket(address.family, kind, 0)
    #else
      let descriptor = socket(address.family, kind | closeOnExec, 0)
    #endif
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    let file = OpenFile(FileDescriptor(rawValue: descriptor), isOwned: true)
    try file.setFlags()
    return file
  }

  /// Enables keep-alive probes, which detect within two minutes that the other side is gone.
  /// Without them a client that only receives would never notice.
  private static func keepAlive(_ descriptor: CInt) {
    set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
    #if !canImport(Darwin)
      set(descriptor, CInt(IPPROTO_TCP), TCP_KEEPIDLE, 60)
      set(descriptor, CInt(IPPROTO_TCP), TCP_KEEPINTVL, 15)
      set(descriptor, CInt(IPPROTO_TCP), TCP_KEEPCNT, 4)
    #endif
  }

  /// Sets an option that the connection does not depend on; failures are ignored.
  private static func set(
    _ descriptor: CInt, _ level: CInt, _ option: CInt, _ value: CInt
  ) {
    var value = value
    _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
  }

  #if canImport(Glibc)
    static let stream = CInt(SOCK_STREAM.rawValue)
    static let datagram = CInt(SOCK_DGRAM.rawValue)
    private static let closeOnExec = CInt(SOCK_CLOEXEC.rawValue)
    private static let noSignal = CInt(MSG_NOSIGNAL)
  #elseif canImport(Musl)
    static let stream = SOCK_STREAM
    static let datagram = SOCK_DGRAM
    private static let closeOnExec = SOCK_CLOEXEC
    private static let noSignal = CInt(MSG_NOSIGNAL)
  #else
    static let stream = SOCK_STREAM
    static let datagram = SOCK_DGRAM
    private static let noSignal: CInt = 0
  #endif
}

// The system's functions whose names are shadowed by methods above.
private let connectSocket = connect
private let sendBytes = send
