/// The page of metrics of a server, `/metrics`, and the rules for access to it.
///
/// If a token is set, a request must present it as Prometheus does: `Authorization: Bearer`
/// (Prometheus, "Configuration", `authorization`). If no token is set, a ``FeedServer`` without
/// device tokens shows the page to programs on this machine, under the conditions under which it
/// accepts positions. With device tokens but no token for the metrics, it shows the page to nobody:
/// a proxy may be in front of it, and the owner of one device need not learn about another.
public struct MetricsPage: Sendable {
  /// The path.
  static let path = "/metrics"
  /// The media type (Prometheus, "Exposition formats", text-based format).
  package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  /// The token; `nil` for none.
  private let token: [UInt8]?
  /// Returns the content of the page.
  package let text: @Sendable () -> [UInt8]

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - token: The token that a request must present; `nil` for none.
  ///   - text: Returns the page in the text format of Prometheus; called on any thread.
  public init(token: String?, text: @escaping @Sendable () -> [UInt8]) {
    self.token = token.map { Array($0.utf8) }
    self.text = text
  }
}

#if HTTPServer
  package import HTTPTypes

  extension MetricsPage {
    /// Returns whether a request is for the page.
    package static func isAsked(by head: HTTPRequest) -> Bool { head.path == path }

    /// Whether the page has a token.
    var hasToken: Bool { token != nil }

    /// Returns whether a request presents the page's token; false if the page has none.
    package func isShown(by head: HTTPRequest) -> Bool {
      guard let token, head.headerFields[.authorization] != nil,
        let shown = Credentials.token(of: head)
      else { return false }
      return DeviceTokens.isSame(shown, token)
    }
  }
#endif
