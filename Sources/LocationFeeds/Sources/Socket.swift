import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Opening connections to other machines.
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
    guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    else { throw Errno(rawValue: errno) }
    return file
  }

  /// Has the system find out, within two minutes, that the other side is gone without a word: a receiver
  /// sends nothing that this side would have to acknowledge in vain.
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
    private static let closeOnExec = CInt(SOCK_CLOEXEC.rawValue)
    private static let noSignal = CInt(MSG_NOSIGNAL)
  #elseif canImport(Musl)
    static let stream = SOCK_STREAM
    private static let closeOnExec = SOCK_CLOEXEC
    private static let noSignal = CInt(MSG_NOSIGNAL)
  #else
    static let stream = SOCK_STREAM
    private static let noSignal: CInt = 0
  #endif
}

// The system's calls that have the names of methods here.
private let connectSocket = connect
private let sendBytes = send
