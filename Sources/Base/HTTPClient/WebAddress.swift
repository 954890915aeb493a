import Encodings

/// An HTTP address: it begins with `http://` or `https://`.
///
/// Everything but the scheme and the host is secret: the user and password, and the path, which may
/// be known to its owner only, as the topic of an ntfy server is. The description therefore
/// contains the scheme and the host alone.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address without user and password.
  package let url: String
  /// The scheme: `http` or `https`.
  package let scheme: String
  /// The host, with the port if one is given.
  package let host: String
  /// The path and query, from the first slash after the host.
  package let path: String
  /// The value of the header `Authorization` for the user and password (RFC 7617); `nil` where the
  /// address has none.
  package let authorization: String?

  /// Creates an address; returns `nil` where the text is not an HTTP address.
  ///
  /// The text must be ASCII without spaces (RFC 3986). Fragments, which are not sent, and
  /// backslashes, which some programs treat as slashes, are rejected.
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

  /// Returns the address with a component appended to its path.
  ///
  /// - Parameter component: Letters, digits and other characters that are valid in a path.
  /// - Returns: The address, with one slash before the component; `nil` where the address has a
  ///   query.
  package func appending(_ component: String) -> WebAddress? {
    guard !path.contains("?") else { return nil }
    let base = path.hasSuffix("/") ? String(path.dropLast()) : path
    return WebAddress(
      scheme: scheme, host: host, path: "\(base)/\(component)", authorization: authorization)
  }

  /// The scheme and the host, with `…` for the secret rest: `https://ntfy.sh/…`.
  public var description: String { "\(scheme)://\(host)/…" }

  /// Returns whether a text is a host name or IP address, optionally followed by a port from 1 to
  /// 65535.
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
