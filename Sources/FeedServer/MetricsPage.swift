/// The page of metrics of a server, `/metrics`, and who may read it.
///
/// With a token a reader must show it, as Prometheus does: `Authorization: Bearer` (Prometheus,
/// "Configuration", `authorization`). Without one, a ``FeedServer`` without tokens of devices shows
/// the page to programs on this machine, under the same conditions under which it takes positions.
/// With tokens of devices it shows it to nobody: a proxy may be in front, and the owner of one
/// device need not learn of another.
public struct MetricsPage: Sendable {
  /// The path.
  static let path = "/metrics"
  /// The media type (Prometheus, "Exposition formats", text-based format).
  package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  /// The token; `nil` for none.
  private let token: [UInt8]?
  /// Writes the page.
  package let text: @Sendable () -> [UInt8]

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - token: The token that a reader must show; `nil` for none.
  ///   - text: Writes the page, in the text format of Prometheus; called on any thread.
  public init(token: String?, text: @escaping @Sendable () -> [UInt8]) {
    self.token = token.map { Array($0.utf8) }
    self.text = text
  }
}

#if HTTPServer
  package import HTTPTypes

  extension MetricsPage {
    /// Whether a request is for the page.
    package static func isAsked(by head: HTTPRequest) -> Bool { head.path == path }

    /// Whether the page has a token.
    var hasToken: Bool { token != nil }

    /// Returns whether a request shows the page's token; not where it has none.
    package func isShown(by head: HTTPRequest) -> Bool {
      guard let token, head.headerFields[.authorization] != nil,
        let shown = Credentials.token(of: head)
      else { return false }
      return DeviceTokens.isSame(shown, token)
    }
  }
#endif
