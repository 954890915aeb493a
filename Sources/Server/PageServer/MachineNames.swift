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
    bracketed(isEveryAddress(place.host) ? names.first ?? "localhost" : place.host)
  }

  /// Returns the host at which phones of the network reach a server with a certificate of this
  /// machine's own.
  ///
  /// - Parameters:
  ///   - place: The address that the server listens on.
  ///   - hosts: The names and addresses of the setting `serveHosts`.
  /// - Returns: For all addresses, a private one that the setting names, which a container does not
  ///   know of itself, else that of the interface to which the default route leads, else another
  ///   private one, else the name in multicast DNS. Otherwise the host of `place`.
  package static func reachedAtHome(_ place: HostAndPort, named hosts: [String]) -> String {
    reachedAtHome(
      place, named: hosts, among: [routed].compactMap(\.self) + addresses,
      else: names.first { $0.hasSuffix(".local") } ?? "localhost")
  }

  /// Returns the host as above, for a machine with addresses, the likeliest first, and a name.
  static func reachedAtHome(
    _ place: HostAndPort, named hosts: [String], among own: [String], else name: String
  ) -> String {
    guard isEveryAddress(place.host) else { return place.host }
    // A socket of IPv4 alone cannot be reached at an address of IPv6.
    let listened = own.filter { place.host != "0.0.0.0" || !$0.contains(":") }
    return (hosts + listened).first { address in
      PrivateAddress(address).map { !$0.isOfOneMachine } ?? false
    } ?? name
  }

  /// Returns a host for a URL: an IPv6 address in brackets.
  package static func bracketed(_ host: String) -> String {
    host.contains(":") ? "[\(host)]" : host
  }

  /// Returns the host at which other machines reach a server: for all addresses, the one of the
  /// interface to which the default route leads.
  package static func reached(_ place: HostAndPort) -> String {
    isEveryAddress(place.host) ? routed ?? names.first ?? "localhost" : place.host
  }

  /// The address of this machine on the way to others; `nil` without a route. Connecting a socket
  /// of datagrams sends nothing.
  private static var routed: String? {
    // Addresses for documentation (RFC 5737, RFC 3849), which are routed like any other.
    for (address, family) in [("192.0.2.1", AF_INET), ("2001:db8::1", AF_INET6)] {
      var hints = addrinfo()
      (hints.ai_flags, hints.ai_family) = (AI_NUMERICHOST, family)
      var found: UnsafeMutablePointer<addrinfo>?
      guard getaddrinfo(address, "9", &hints, &found) == 0, let found else { continue }
      defer { freeaddrinfo(found) }
      let descriptor = datagramSocket(family)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      guard connect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 else {
        continue
      }
      var storage = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let text: String? = withUnsafeMutablePointer(to: &storage) { storage in
        storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          getsockname(descriptor, address, &length) == 0 ? number(address) : nil
        }
      }
      if let text { return text }
    }
    return nil
  }

  private static func datagramSocket(_ family: CInt) -> CInt {
    #if os(Linux)
      socket(family, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    #else
      socket(family, SOCK_DGRAM, 0)
    #endif
  }

  /// The host name of the machine; empty if it has none.
  package static var own: String { names.first ?? "" }

  /// Returns whether a server listens at all addresses of the machine.
  package static func isEveryAddress(_ host: String) -> Bool {
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
  package static var addresses: [String] {
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
