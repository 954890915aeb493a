import CLibrary
import LocationFeeds

/// A socket address of any family.
struct SocketAddress {
  private var storage: sockaddr_storage
  private var length: socklen_t

  /// Creates an empty address for the system to fill in.
  init() {
    storage = sockaddr_storage()
    length = socklen_t(MemoryLayout<sockaddr_storage>.size)
  }

  private init(storage: sockaddr_storage, length: socklen_t) {
    self.storage = storage
    self.length = length
  }

  /// The address family: `AF_INET` or `AF_INET6`.
  var family: CInt { CInt(storage.ss_family) }

  /// Looks up the addresses of a host, in the order of the system's preference.
  ///
  /// - Parameters:
  ///   - place: The host and port.
  ///   - kind: The kind of socket, `SOCK_STREAM` or `SOCK_DGRAM`.
  /// - Returns: At least one address.
  /// - Throws: ``FeedOutage/unknownHost(_:)`` where the host has none.
  static func addresses(of place: HostAndPort, for kind: CInt) throws(FeedOutage) -> [Self] {
    var hints = addrinfo()
    hints.ai_socktype = kind
    hints.ai_flags = AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(place.host, String(place.port), &hints, &list)
    guard code == 0 else { throw .unknownHost(String(cString: gai_strerror(code))) }
    defer { freeaddrinfo(list) }
    var addresses: [Self] = []
    for entry in sequence(first: list, next: { $0?.pointee.ai_next }) {
      guard let entry = entry?.pointee, let address = entry.ai_addr,
        Int(entry.ai_addrlen) <= MemoryLayout<sockaddr_storage>.size
      else { continue }
      var storage = sockaddr_storage()
      withUnsafeMutableBytes(of: &storage) {
        $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen)))
      }
      addresses.append(Self(storage: storage, length: entry.ai_addrlen))
    }
    guard !addresses.isEmpty else { throw .unknownHost("it has no address") }
    return addresses
  }

  /// Calls a function of the system with a pointer to the address.
  func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  /// Calls a function of the system that fills in the address.
  mutating func withMutableSockaddr<Result>(
    _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
    }
  }

  /// The IP address without the port. An IPv4 address mapped to IPv6 is returned in IPv4 form.
  var host: String {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let code = withSockaddr {
      getnameinfo($0, $1, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
    }
    guard code == 0 else { return "" }
    let host = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let mapped = "::ffff:"
    let isMapped = host.hasPrefix(mapped) && host.contains(".")
    return isMapped ? String(host.dropFirst(mapped.count)) : host
  }
}
