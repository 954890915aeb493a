#if HTTPServer
  import HTTPTypes
  import LocationFeeds

  /// The answer to a request.
  struct Answer: Hashable {
    var status: HTTPResponse.Status
    var body = ""
    var fields: HTTPFields = [:]
    /// Whether the connection is closed after the answer, without reading the rest of the request.
    var endsConnection = false

    /// Returns the answer that confirms a message, in the form that its app expects.
    ///
    /// An app that gets another answer sends the message again. OwnTracks expects a list of
    /// messages (Booklet, "HTTP"), Overland an object (README, "API"), others as ``AppProtocol``
    /// says.
    ///
    /// - Parameters:
    ///   - format: The format of the message.
    ///   - app: The protocol of the app; `nil` where it expects no certain body.
    ///   - messages: The list of messages for OwnTracks; `nil` for an empty one.
    /// - Returns: The answer with status 200.
    static func taken(
      _ format: FeedFormat, _ app: AppProtocol?, _ messages: [UInt8]?
    ) -> Self {
      switch format {
      case .owntracks:
        Self(
          status: .ok, body: messages.map { String(decoding: $0, as: UTF8.self) } ?? "[]",
          fields: json)
      case .overland: Self(status: .ok, body: #"{"result":"ok"}"#, fields: json)
      default:
        app.map {
          Self(status: .ok, body: $0.body, fields: $0.isJSON ? json : [.contentType: plain])
        }
          ?? Self(status: .ok)
      }
    }

    /// Returns the page of metrics.
    static func metrics(_ text: [UInt8]) -> Self {
      Self(
        status: .ok, body: String(decoding: text, as: UTF8.self),
        fields: [.contentType: MetricsPage.mediaType, .cacheControl: "no-store"])
    }

    static let unknownFormat = text(
      .badRequest, "The request contains no position in a known format.")
    static let wrongMethod = Self(
      status: .methodNotAllowed, fields: [.allow: "GET, POST"], endsConnection: true)
    static let wrongToken = Self(
      status: .unauthorized,
      body: "This server needs a token, which 'photospots phone add' makes.\n",
      fields: [.wwwAuthenticate: #"Basic realm="photospots""#, .contentType: plain],
      endsConnection: true)
    static let unknownToken = Self(
      status: .unauthorized,
      body: "This server needs a token made by 'photospots store account feed'.\n",
      fields: [.wwwAuthenticate: #"Basic realm="photospots""#, .contentType: plain],
      endsConnection: true)
    static let noMetrics = Self(
      status: .unauthorized,
      body: "The metrics need the token of the setting metricsToken.\n",
      fields: [.wwwAuthenticate: #"Bearer realm="photospots""#, .contentType: plain],
      endsConnection: true)
    static let browser = text(
      .forbidden,
      "Requests of web pages need a token, but this server has none ('photospots phone add').",
      endsConnection: true)
    static let otherHost = text(
      .misdirectedRequest,
      "This server has no tokens ('photospots phone add'), so it can be reached as localhost only.",
      endsConnection: true)
    static let tooLong = text(
      .contentTooLarge, "A request may be at most 4 MiB long.", endsConnection: true)
    static let compressed = text(
      .unsupportedMediaType, "Compressed requests are not supported.", endsConnection: true)
    /// The message could not be stored, or the program is ending; the app sends it again later.
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
