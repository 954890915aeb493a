import Encodings

extension ServiceRequest {
  /// A secret that a request presents.
  public enum Credential: Hashable, Sendable {
    /// A key: as `Authorization: Bearer`, as a password, or in the body that opens a session.
    case key(String)
    /// The value of the session cookie.
    case session(String)

    /// The key or the value.
    public var text: String {
      switch self {
      case .key(let text), .session(let text): text
      }
    }
  }

  /// The secrets that the request presents, whether they are valid or not; at most four.
  public var credentials: [Credential] {
    var found: [Credential] = []
    if let token = bearerToken { found.append(.key(token)) }
    if let password { found.append(.key(password)) }
    if ServiceRoute.route(of: self)?.name == .openSession,
      case .key(let key)? = try? RequestBody.login(body)
    {
      found.append(.key(key))
    }
    found += sessionCookies.map { .session($0) }
    return Array(found.prefix(4))
  }

  /// The token of `Authorization: Bearer` (RFC 6750, section 2.1); `nil` where there is none.
  var bearerToken: String? {
    guard let authorization = field("Authorization") else { return nil }
    let parts = authorization.split(separator: " ", maxSplits: 1)
    return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
  }

  /// The password, with any user name, of `Authorization: Basic` (RFC 7617, section 2); `nil` where
  /// there is none.
  var password: String? {
    guard let authorization = field("Authorization") else { return nil }
    let parts = authorization.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "basic",
      let pair = Base64.bytes(parts[1]), let colon = pair.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    return String(decoding: pair[(colon + 1)...], as: UTF8.self)
  }

  /// The name of the session's cookie, `photospots-PORT`, with the port that the browser used.
  ///
  /// Browsers send cookies to all ports of a host (RFC 6265, section 8.5), so that servers on two
  /// ports would otherwise replace each other's cookie.
  var cookieName: String {
    let port = field("Host").flatMap(HostRule.port(of:)) ?? (isSecure ? "443" : "80")
    return "photospots-\(port)"
  }

  /// The values of cookies with the session's name.
  var sessionCookies: [String] {
    var values: [String] = []
    let name = cookieName
    for field in fields where field.name.lowercased() == "cookie" {
      for pair in field.value.split(separator: ";") {
        let parts = pair.trimmed.split(
          separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == name else { continue }
        values.append(String(parts[1]))
      }
    }
    return values
  }
}

extension Substring {
  /// The text without surrounding spaces and tabs.
  fileprivate var trimmed: Substring {
    var text = drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}
