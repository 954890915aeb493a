/// The hosts that this program answers for: the owner of any other name could make it lead here
/// and read with the person's browser what is here (DNS rebinding).
public struct HostRule: Sendable {
  private let names: Set<String>

  /// Creates a rule.
  ///
  /// - Parameter names: The address that is listened at, the machine's names, and those of the
  ///   setting `serveHosts`; without a port. Loopback addresses and `localhost` are always known.
  public init(_ names: some Sequence<String>) {
    self.names = Set(names.map { Self.plain($0) })
  }

  /// Whether a request for a host is answered.
  ///
  /// - Parameter authority: What the request says, with the port or without it (RFC 9110, section
  ///   7.2); `nil` where it says nothing.
  /// - Returns: Whether the host is known.
  public func allows(_ authority: String?) -> Bool {
    guard let authority, let host = Self.host(of: authority) else { return false }
    return names.contains(host) || Self.isLoopback(host)
  }

  /// `localhost` and names below it (RFC 6761, section 6.3), 127.0.0.0/8 and ::1.
  private static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// The host of an authority, in small letters and without brackets; `nil` where it is none.
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

  /// In small letters, without the dot that ends a full name.
  private static func plain(_ host: some StringProtocol) -> String {
    let lower = host.lowercased()
    return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
  }
}
