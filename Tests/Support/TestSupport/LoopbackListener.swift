import CLibrary
import Synchronization
import SystemPackage

/// A TCP server on the loopback interface, whose connections the test handles itself.
public struct LoopbackListener: ~Copyable, Sendable {
  /// The port on 127.0.0.1.
  public let port: UInt16
  private let descriptor: FileDescriptor

  /// Listens on a port; 0 selects a free port.
  ///
  /// - Throws: An `Errno` if the port is in use.
  public init(port: UInt16 = 0) throws {
    // A child process that another test starts meanwhile must not keep the port.
    let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    descriptor = FileDescriptor(rawValue: socket(AF_INET, type, 0))
    var one: CInt = 1
    setsockopt(descriptor.rawValue, SOL_SOCKET, SO_REUSEADDR, &one, 4)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let raw = descriptor.rawValue
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(raw, address, length) | listen(raw, 16) | getsockname(raw, address, &length)
      }
    }
    guard status == 0 else { throw Errno(rawValue: errno) }
    self.port = UInt16(bigEndian: address.sin_port)
  }

  deinit { try? descriptor.close() }

  /// Returns a host name with a given prefix that cannot be resolved. This is known without asking
  /// a DNS server, which may be unreachable or may resolve any name.
  ///
  /// One of its labels is longer than 63 bytes, which is invalid (RFC 1035, section 2.3.4).
  public static func impossibleHost(_ beginning: String) -> String {
    "\(beginning).\(String(repeating: "x", count: 64)).invalid"
  }

  /// Returns a port that is and stays unused. It is outside the range from which the system assigns
  /// ports to connections, and differs from those returned to other tests.
  public static func unusedPort() throws -> UInt16 {
    while true {
      let port = UInt16.random(in: 20_000..<32_000)
      guard givenPorts.withLock({ $0.insert(port).inserted }) else { continue }
      do {
        return try LoopbackListener(port: port).port
      } catch Errno.addressInUse {
        continue
      }
    }
  }

  private static let givenPorts = Mutex<Set<UInt16>>([])

  /// Waits for a connection, at most two minutes.
  public func accept() throws -> LoopbackConnection {
    var entry = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 120_000) == 1 else { throw Errno.timedOut }
    let connection = Glibc.accept(descriptor.rawValue, nil, nil)
    guard connection >= 0 else { throw Errno(rawValue: errno) }
    return LoopbackConnection(FileDescriptor(rawValue: connection))
  }
}

/// One side of a connection, which is closed when the value is destroyed.
public struct LoopbackConnection: ~Copyable {
  private let descriptor: FileDescriptor

  init(_ descriptor: FileDescriptor) {
    self.descriptor = descriptor
  }

  /// Connects to a server at a port of 127.0.0.1.
  public init(to port: UInt16) throws {
    descriptor = FileDescriptor(rawValue: socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0))
    let raw = descriptor.rawValue
    let status = withLoopbackAddress(1, port) { connect(raw, $0, $1) }
    guard status == 0 else { throw Errno(rawValue: errno) }
  }

  deinit { try? descriptor.close() }

  /// Sends a text. If the other side no longer receives, the rest is lost.
  public func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// Sends bytes. If the other side no longer receives, the rest is lost.
  public func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = Glibc.send(
        descriptor.rawValue, Array(bytes[sent...]), bytes.count - sent, CInt(MSG_NOSIGNAL))
      guard count > 0 else { return }
      sent += count
    }
  }

  /// Waits until the other side closes the connection, at most a minute, and returns the received
  /// text.
  public func readToEnd() throws -> String {
    String(decoding: try bytesToEnd(), as: UTF8.self)
  }

  /// Waits until the other side closes the connection, at most a minute, and returns the received
  /// bytes.
  public func bytesToEnd() throws -> [UInt8] {
    var text: [UInt8] = []
    while true {
      var entry = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 60_000) == 1 else { throw Errno.timedOut }
      var part = [UInt8](repeating: 0, count: 4096)
      let count = part.withUnsafeMutableBytes { try? descriptor.read(into: $0) } ?? 0
      guard count > 0 else { return text }
      text += part[..<count]
    }
  }

  /// Waits until the other side sends something or closes the connection.
  ///
  /// - Parameter milliseconds: The longest wait.
  /// - Returns: Whether it did.
  public func isReadable(within milliseconds: CInt) -> Bool {
    var entry = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) == 1
  }

  /// Shuts down the sending direction of the connection.
  public func finishSending() { shutdown(descriptor.rawValue, CInt(SHUT_WR)) }

  /// Waits for a line, at most two minutes, and returns it including its line end.
  public func readLine() throws -> String {
    var line: [UInt8] = []
    while line.last != 0x0A, let byte = try read(1).first { line.append(byte) }
    return String(decoding: line, as: UTF8.self)
  }

  /// Waits for a number of bytes, at most two minutes for each. Returns fewer if the other side
  /// closes the connection.
  public func read(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var entry = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 120_000) == 1 else { throw Errno.timedOut }
      var byte: UInt8 = 0
      let length = try withUnsafeMutableBytes(of: &byte) { try descriptor.read(into: $0) }
      guard length == 1 else { break }
      bytes.append(byte)
    }
    return bytes
  }
}

/// A sender of UDP datagrams on the loopback interface.
public struct LoopbackSender: ~Copyable {
  private let descriptor: FileDescriptor
  private let port: UInt16

  /// Creates a sender.
  ///
  /// - Parameters:
  ///   - host: The last number of the source address 127.0.0.….
  ///   - port: The destination port.
  /// - Throws: An `Errno` if the socket cannot be created.
  public init(host: UInt32 = 1, port: UInt16) throws {
    self.port = port
    descriptor = FileDescriptor(rawValue: socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0))
    let raw = descriptor.rawValue
    let status = withLoopbackAddress(host, 0) { bind(raw, $0, $1) }
    guard status == 0 else { throw Errno(rawValue: errno) }
  }

  deinit { try? descriptor.close() }

  /// Sends a datagram.
  public func send(_ text: String) throws {
    let bytes = Array(text.utf8)
    let count = withLoopbackAddress(1, port) {
      sendto(descriptor.rawValue, bytes, bytes.count, 0, $0, $1)
    }
    guard count == bytes.count else { throw Errno(rawValue: errno) }
  }
}

/// Calls a function with the socket address of a port on 127.0.0.…, whose last number is given.
private func withLoopbackAddress<Result>(
  _ host: UInt32, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = (0x7F00_0000 + host).bigEndian
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
}
