#if HTTPServer
  import HTTPTypes
  import LocationFeeds

  /// What a request is answered.
  struct Answer: Hashable {
    var status: HTTPResponse.Status
    var body = ""
    var fields: HTTPFields = [:]
    /// Whether the connection ends with it, since the rest of the request is not wanted.
    var endsConnection = false

    /// The answer to a message in a format, once its positions are taken; as its app expects it,
    /// which sends the message again otherwise.
    ///
    /// OwnTracks takes a list of messages in return (Booklet, "HTTP"), Overland an object (README,
    /// "API").
    static func taken(_ format: FeedFormat) -> Self {
      switch format {
      case .owntracks: Self(status: .ok, body: "[]", fields: json)
      case .overland: Self(status: .ok, body: #"{"result":"ok"}"#, fields: json)
      default: Self(status: .ok)
      }
    }

    static let unknownFormat = text(
      .badRequest, "There is no position in a known format in this request.")
    static let wrongMethod = Self(
      status: .methodNotAllowed, fields: [.allow: "GET, POST"], endsConnection: true)
    static let wrongToken = Self(
      status: .unauthorized, body: "A token of the setting listenTokens is needed.\n",
      fields: [.wwwAuthenticate: #"Basic realm="photospots""#, .contentType: plain],
      endsConnection: true)
    static let browser = text(
      .forbidden, "Pages of the web may not send positions; set up a token to send them from one.",
      endsConnection: true)
    static let otherHost = text(
      .misdirectedRequest,
      "Without a token only requests to 127.0.0.1, [::1] and localhost are served; set up a token for others.",
      endsConnection: true)
    static let tooLong = text(
      .contentTooLarge, "A request may be 4 MiB long.", endsConnection: true)
    static let compressed = text(
      .unsupportedMediaType, "Compressed requests are not read.", endsConnection: true)
    /// The message could not be kept, or the program ends: the app is to send it again.
    static let ending = Self(
      status: .serviceUnavailable, fields: [.retryAfter: "30"], endsConnection: true)

    private static let plain = "text/plain; charset=utf-8"
    private static let json: HTTPFields = [.contentType: "application/json"]

    private static func text(
      _ status: HTTPResponse.Status, _ text: String, endsConnection: Bool = false
    ) -> Self {
      Self(
        status: status, body: text + "\n", fields: [.contentType: plain],
        endsConnection: endsConnection)
    }
  }
#endif
