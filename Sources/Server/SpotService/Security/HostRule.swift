/// The host names that this program serves. The owner of any other name could make it resolve to
/// this machine, and read its data through the user's browser (DNS rebinding).
public struct HostRule: Sendable {
  private let names: Set<String>
  private let laterNames: @Sendable () -> [String]

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - names: The address listened at, the machine's names, and those of the setting
  ///     `serveHosts`, without ports. Loopback addresses and `localhost` are always permitted.
  ///   - laterNames: Returns the addresses that the machine has now, for a host that is not among
  ///     `names`: a network may give the machine another address while the program runs.
  public init(
    _ names: some Sequence<String>, laterNames: @escaping @Sendable () -> [String] = { [] }
  ) {
    self.names = Set(names.map { Self.plain($0) })
    self.laterNames = laterNames
  }

  /// Returns whether requests for a host are served.
  ///
  /// - Parameter authority: The host named by the request, with or without a port (RFC 9110,
  ///   section 7.2); `nil` where there is none.
  /// - Returns: Whether the host is permitted.
  public func allows(_ authority: String?) -> Bool {
    guard let authority, let host = Self.host(of: authority) else { return false }
    return names.contains(host) || Self.isLoopback(host: host)
      || laterNames().contains { Self.plain($0) == host }
  }

  /// Returns whether an authority, with or without a port, names this machine only.
  package static func isLoopback(_ authority: String) -> Bool {
    host(of: authority).map { isLoopback(host: $0) } ?? true
  }

  /// Returns whether a host is `localhost` or a subdomain of it (RFC 6761, section 6.3), in
  /// 127.0.0.0/8, or ::1.
  private static func isLoopback(host: String) -> Bool {
    if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Returns whether the address of a connection's other end is one of this machine: ::1, or in
  /// 127.0.0.0/8. A socket of both versions of IP maps the addresses of version 4.
  package static func isLoopback(address: String) -> Bool {
    let plain = address.hasPrefix("::ffff:") ? String(address.dropFirst(7)) : address
    return plain == "::1" || plain.hasPrefix("127.") && isLoopback(host: plain)
  }

  /// Returns the host of an authority, in lower case and without brackets; `nil` where it is
  /// malformed.
  static func host(of authority: String) -> String? {
    var rest = authority[...]
    let host: Substring
    if rest.first == "[" {
      // An IPv6 address (RFC 3986, section 3.2.2).
      guard let end = rest.firstIndex(of: "]") else { return nil }
      host = rest[..<end].dropFirst()
      guard host.contains(":") else { return nil }
      rest = rest[rest.index(after: end)...]
    } else {
      host = rest.prefix { $0 != ":" }
      rest = rest[host.endIndex...]
    }
    if rest.popFirst() != nil {
      guard authority[..<rest.startIndex].last == ":",
        rest.utf8.allSatisfy({ (0x30...0x39).contains($0) })
      else { return nil }
    }
    let name = plain(host)
    return name.isEmpty ? nil : name
  }

  /// Returns the port of an authority, as digits; `nil` where there is none.
  package static func port(of authority: String) -> String? {
    let digits = authority.reversed().prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, digits.count <= 5, authority.dropLast(digits.count).last == ":" else {
      return nil
    }
    return String(digits.reversed())
  }

  /// Returns a host in lower case, without the final dot of a fully qualified name.
  private static func plain(_ host: some StringProtocol) -> String {
    let lower = host.lowercased()
    return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
  }
}
