import Codecs

/// Where to send something on the web: an address that begins with `http://` or `https://`.
///
/// All of it but the host is a secret: a name and a password before the host, and a path that only
/// the owner knows, the topic of an ntfy server say. So its description names the host alone.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address without name and password.
  package let url: String
  /// `http` or `https`.
  package let scheme: String
  /// The host, and the port where one is given.
  package let host: String
  /// What follows the host, from its first slash.
  package let path: String
  /// The header that tells name and password (RFC 7617); `nil` where the address has none.
  package let authorization: String?

  /// Creates an address; `nil` where it is none, or not one of the web.
  ///
  /// It is ASCII without spaces, as an address is written (RFC 3986). A fragment, which is not
  /// sent, and a backslash, which some take for a slash, are refused.
  public init?(_ text: String) {
    guard text.utf8.count <= 2048, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x23 }),
      !text.contains("\\"), let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://")
    else { return nil }
    scheme = text[..<colon].lowercased()
    guard scheme == "http" || scheme == "https" else { return nil }
    let rest = text[colon...].dropFirst(3)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let separator = authority.lastIndex(of: "@")
    host = String(separator.map { authority[$0...].dropFirst() } ?? authority)
    let end = rest[authority.endIndex...]
    path = "\(end.hasPrefix("/") ? "" : "/")\(end)"
    guard Self.isHost(host) else { return nil }
    url = "\(scheme)://\(host)\(path)"
    if let separator {
      guard let user = PercentEncoding.bytes(authority[..<separator]) else { return nil }
      authorization = "Basic \(Base64.text(user))"
    } else {
      authorization = nil
    }
  }

  private init(
    scheme: String, host: String, path: String, authorization: String?
  ) {
    self.scheme = scheme
    self.host = host
    self.path = path
    self.authorization = authorization
    url = "\(scheme)://\(host)\(path)"
  }

  /// Returns the address with a component behind its path.
  ///
  /// - Parameter component: Letters, digits, and other characters that a path may hold.
  /// - Returns: The address, with one slash before the component; `nil` where a query follows the
  ///   path.
  package func appending(_ component: String) -> WebAddress? {
    guard !path.contains("?") else { return nil }
    let base = path.hasSuffix("/") ? String(path.dropLast()) : path
    return WebAddress(
      scheme: scheme, host: host, path: "\(base)/\(component)", authorization: authorization)
  }

  /// The scheme and the host, and `…` for what is nobody's business: `https://ntfy.sh/…`.
  public var description: String { "\(scheme)://\(host)/…" }

  /// Whether this is a name or a number, and a port from 1 to 65535 where one is given.
  private static func isHost(_ host: String) -> Bool {
    let name: Substring
    let port: Substring
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return false }
      name = host[host.index(after: host.startIndex)..<end]
      port = host[end...].dropFirst()
      guard name.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return false }
    } else {
      name = host.prefix { $0 != ":" }
      port = host[name.endIndex...]
      guard name.allSatisfy({ $0.isLetter || $0.isNumber || "-._".contains($0) }) else {
        return false
      }
    }
    guard !name.isEmpty, name.utf8.count <= 255 else { return false }
    return port.isEmpty
      || port.first == ":" && port.dropFirst().allSatisfy(\.isNumber)
        && (UInt16(port.dropFirst()) ?? 0) > 0
  }
}
