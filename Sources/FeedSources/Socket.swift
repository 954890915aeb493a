import CLibrary
import LocationFeeds
import SystemPackage

/// Connections to other machines, and datagrams from them.
enum Socket {
  /// Connects to the first address of a host that answers.
  ///
  /// Looking up the host cannot be interrupted, and takes as long as the system takes for it.
  ///
  /// - Parameters:
  ///   - place: The host and port.
  ///   - patience: How long all of its addresses together may take to answer.
  ///   - interruption: A descriptor that ends the wait by becoming readable.
  /// - Returns: The connection; `nil` where the wait was interrupted.
  /// - Throws: Why there is none.
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

  /// Opens a socket that receives the datagrams that are sent to an address of this machine.
  ///
  /// Without a host it receives those of IPv6 and IPv4.
  static func receive(at place: HostAndPort) throws(FeedOutage) -> OpenFile {
    var outage = FeedOutage.noConnection
    let isAnyHost = place.host.isEmpty
    let place = HostAndPort(host: isAnyHost ? "::" : place.host, port: place.port)
    var addresses = try SocketAddress.addresses(of: place, for: datagram)
    if isAnyHost {
      // Where the machine has no IPv6.
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

  /// Takes a datagram that has arrived, and the address of its sender.
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

  /// Sends a few bytes over a connection that was just made, which takes them at once.
  static func send(_ bytes: [UInt8], over connection: OpenFile) throws(FeedOutage) {
    let count = sendBytes(connection.descriptor.rawValue, bytes, bytes.count, noSignal)
    guard count == bytes.count else { throw .broken(Errno(rawValue: errno)) }
  }

  /// Opens a socket that does not block, and is not handed on to hooks.
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

  /// Has the system find out, within two minutes, that the other side is gone without a word: a
  /// receiver sends nothing that this side would have to acknowledge in vain.
  private static func keepAlive(_ descriptor: CInt) {
    set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
    #if !canImport(Darwin)
      set(descriptor, CInt(IPPROTO_TCP), TCP_KEEPIDLE, 60)
      set(descriptor, CInt(IPPROTO_TCP), TCP_KEEPINTVL, 15)
      set(descriptor, CInt(IPPROTO_TCP), TCP_KEEPCNT, 4)
    #endif
  }

  /// Sets an option without which the connection works too, if not as well.
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

// The system's calls that have the names of methods here.
private let connectSocket = connect
private let sendBytes = send
