import CLibrary
import Synchronization
import SystemPackage

/// An HTTP server on the loopback interface that responds with exactly the given bytes, valid or
/// not.
///
/// It serves one connection at a time, with one request each, on a separate thread.
public final class LoopbackServer: Sendable {
  /// A received request.
  public struct Request: Sendable {
    /// The method.
    public let method: String
    /// The path with the query.
    public let path: String
    /// The headers, with lower-case names.
    public let headers: [String: String]
    /// The body.
    public let body: [UInt8]
  }

  /// A response.
  public enum Answer: Sendable {
    /// A text, after which the connection is closed.
    case bytes(String)
    /// Any bytes, after which the connection is closed.
    case raw([UInt8])
    /// No response, until the client closes the connection.
    case silence
    /// A text, and then another one repeatedly, until the client closes the connection.
    case endless(beginning: String, part: String)

    /// Creates a response with a status and headers, without a body.
    public static func status(_ code: Int, headers: [String] = []) -> Answer {
      .bytes(
        (["HTTP/1.1 \(code) Whatever", "Content-Length: 0"] + headers + ["", ""])
          .joined(separator: "\r\n"))
    }
  }

  private final class State: Sendable {
    let requests = Mutex<[Request]>([])
  }

  /// The port on 127.0.0.1.
  public let port: UInt16
  private let listener: CInt
  private let state = State()

  /// Starts a server.
  ///
  /// - Parameter answer: Returns the response to a request, given the request's number from 0.
  /// - Throws: An `Errno` if no port is available.
  public init(answer: @escaping @Sendable (Int, Request) -> Answer) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = self.listener
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, length) == 0 && listen(listener, 8) == 0
          && getsockname(listener, pointer, &length) == 0
      }
    }
    guard isListening else { throw Errno(rawValue: errno) }
    port = UInt16(bigEndian: address.sin_port)
    let state = self.state
    _ = try BackgroundThread {
      // Closed only here: if it were closed while this thread uses it, its number might be reused
      // by another server, whose requests would be answered here.
      defer { close(listener) }
      while true {
        let connection = accept(listener, nil, nil)
        if connection < 0, [EINTR, ECONNABORTED].contains(errno) { continue }
        guard connection >= 0 else { return }
        Self.serve(connection, state, answer)
        close(connection)
      }
    }
  }

  /// Stops waiting for connections, now or before the next one.
  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// The requests received so far.
  public var requests: [Request] { state.requests.withLock { $0 } }

  private static func serve(
    _ connection: CInt, _ state: State, _ answer: (Int, Request) -> Answer
  ) {
    guard let request = readRequest(connection) else { return }
    let number = state.requests.withLock { requests in
      requests.append(request)
      return requests.count - 1
    }
    switch answer(number, request) {
    case .bytes(let text): finish(connection, with: Array(text.utf8))
    case .raw(let bytes): finish(connection, with: bytes)
    case .silence:
      waitForHangUp(connection)
    case .endless(let beginning, let part):
      _ = write(Array(beginning.utf8), to: connection)
      let part = Array(part.utf8)
      while write(part, to: connection) {}
    }
  }

  private static func finish(_ connection: CInt, with bytes: [UInt8]) {
    _ = write(bytes, to: connection)
    shutdown(connection, Int32(SHUT_WR))
    waitForHangUp(connection)
  }

  private static func readRequest(_ connection: CInt) -> Request? {
    var bytes: [UInt8] = []
    var head: [String]?
    var headLength = 0
    while true {
      if head == nil, let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
        head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
          .map(String.init)
        headLength = end.upperBound
      }
      if let head, let request = request(head, body: Array(bytes[headLength...])) { return request }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }

  /// Returns the request if its body is complete.
  private static func request(_ head: [String], body: [UInt8]) -> Request? {
    var headers: [String: String] = [:]
    for line in head.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].dropFirst()) : ""
    }
    guard body.count >= headers["content-length"].flatMap({ Int($0) }) ?? 0 else { return nil }
    let words = head[0].split(separator: " ").map(String.init)
    return Request(method: words[0], path: words[1], headers: headers, body: body)
  }

  private static func write(_ bytes: [UInt8], to connection: CInt) -> Bool {
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      start += count
    }
    return true
  }

  private static func waitForHangUp(_ connection: CInt) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while recv(connection, &buffer, buffer.count, 0) > 0 {}
  }
}
