#if HTTPServer
  import Encodings
  import FeedSources
  import HTTPTypes
  import HummingbirdCore

  /// Reads the token and the origin of a request.
  enum Credentials {
    /// Returns the token of a request; `nil` if it has none.
    ///
    /// The token is in `Authorization: Bearer` (RFC 6750, section 2), in the password of
    /// `Authorization: Basic` (RFC 7617), which OwnTracks sends, or without the header in the query
    /// parameter `token`, or else in a path `/feed/TOKEN`: Traccar Client drops the query of an
    /// address that it scanned.
    static func token(of request: HTTPRequest) -> [UInt8]? {
      if let authorization = request.headerFields[.authorization] {
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        switch parts[0].lowercased() {
        case "bearer": return Array(parts[1].utf8)
        case "basic": return password(of: parts[1])
        default: return nil
        }
      }
      let uri = URI(request.path ?? "")
      if let token = uri.queryParameters["token"] {
        return Array(withoutLoggerPath(String(token)).utf8)
      }
      return token(inPath: withoutLoggerPath(uri.path))
    }

    /// Returns a text without the path that μlogger appends to the address that it was given.
    private static func withoutLoggerPath(_ text: String) -> String {
      text.hasSuffix(loggerPath) ? String(text.dropLast(loggerPath.count)) : text
    }

    /// Returns the token in a path `/feed/TOKEN`, with or without a slash at its end; `nil` for
    /// another path.
    private static func token(inPath path: String) -> [UInt8]? {
      var parts = path.split(separator: "/", omittingEmptySubsequences: false)
      if parts.last?.isEmpty == true { parts.removeLast() }
      guard parts.count == 3, parts[0].isEmpty, parts[1] == "feed" else { return nil }
      return PercentEncoding.bytes(parts[2])
    }

    private static let loggerPath = "/client/index.php"

    /// Returns whether a browser sent a request on behalf of a web page, which may be that of any
    /// site.
    static func isOfBrowser(_ request: HTTPRequest) -> Bool {
      request.headerFields[.origin] != nil || request.headerFields[fetchSite] != nil
    }

    /// Returns whether the host in a request is `localhost` or a loopback address.
    ///
    /// The owner of any other name can make it resolve to this machine (DNS rebinding). A browser's
    /// requests for the images and frames of such a page can be recognised by that name only.
    static func namesThisMachine(_ request: HTTPRequest) -> Bool {
      guard let authority = request.authority else { return false }
      let host: Substring
      var port: Substring
      if authority.hasPrefix("[") {
        // An IPv6 address (RFC 3986, section 3.2.2).
        guard let end = authority.firstIndex(of: "]") else { return false }
        host = authority[..<end].dropFirst()
        guard host.contains(":") else { return false }
        port = authority[end...].dropFirst()
      } else {
        host = authority.prefix { $0 != ":" }
        port = authority[host.endIndex...]
      }
      if port.popFirst() != nil {
        guard authority[..<port.startIndex].last == ":", port.utf8.allSatisfy(isDigit) else {
          return false
        }
      }
      return HostAndPort(host: host.lowercased(), port: 0).isLoopback
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static let fetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .origin

    private static func password(of text: Substring) -> [UInt8]? {
      guard let bytes = Base64.bytes(text), let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
      else { return nil }
      return Array(bytes[(colon + 1)...])
    }
  }
#endif
