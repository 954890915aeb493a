import CLibrary
package import FeedSources

/// The host names and addresses by which browsers may address this machine.
package enum MachineNames {
  /// Returns the names and addresses at which a server is reachable.
  ///
  /// - Parameter place: The address the server listens on. An empty host, `0.0.0.0` and `::` mean
  ///   all addresses.
  /// - Returns: The names of the machine, and the host that the server listens on or else all
  ///   addresses.
  package static func hosts(of place: HostAndPort) -> [String] {
    isEveryAddress(place.host) ? names + addresses : names + [place.host]
  }

  /// Returns the host to show in a URL for the browser.
  package static func displayed(_ place: HostAndPort) -> String {
    let host = isEveryAddress(place.host) ? names.first ?? "localhost" : place.host
    return host.contains(":") ? "[\(host)]" : host
  }

  /// The host name of the machine; empty if it has none.
  package static var own: String { names.first ?? "" }

  private static func isEveryAddress(_ host: String) -> Bool {
    host.isEmpty || host == "0.0.0.0" || host == "::"
  }

  /// The machine's host name, and its name in multicast DNS (RFC 6762).
  private static var names: [String] {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return [] }
    let name = String(
      decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard !name.isEmpty else { return [] }
    let short = name.prefix { $0 != "." }
    return name.hasSuffix(".local") ? [name, String(short)] : [name, "\(short).local"]
  }

  /// The addresses of the machine's network interfaces.
  private static var addresses: [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var found: [String] = []
    var next = first
    while let interface = next {
      if let text = number(interface.pointee.ifa_addr) { found.append(text) }
      next = interface.pointee.ifa_next
    }
    return found
  }

  private static func number(_ address: UnsafeMutablePointer<sockaddr>?) -> String? {
    guard let address else { return nil }
    let length: Int
    switch CInt(address.pointee.sa_family) {
    case AF_INET: length = MemoryLayout<sockaddr_in>.size
    case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
    default: return nil
    }
    var buffer = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard
      getnameinfo(
        address, socklen_t(length), &buffer, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST) == 0
    else { return nil }
    let text = String(
      decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    // Browsers do not send the zone of a link-local address, which follows the %.
    return String(text.prefix { $0 != "%" })
  }
}
