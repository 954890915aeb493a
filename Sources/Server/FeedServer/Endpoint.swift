#if HTTPServer
  package import HTTPTypes
  package import HummingbirdCore
  import LocationFeeds
  import NIOCore

  /// Reads the requests of apps and chooses their answers.
  package struct Endpoint: Sendable {
    private let tokens: DeviceTokens
    private let limits: FeedServer.Limits
    private let needsToken: Bool
    private let commonFields: HTTPFields
    private let metrics: MetricsPage?
    private let reply: FeedServer.Replying
    private let take: FeedServer.Taking
    private let lookup: FeedTokenLookup?
    private let names = SenderNames()

    /// Creates an endpoint.
    ///
    /// - Parameters:
    ///   - tokens: The tokens, one of which each request must present.
    ///   - limits: The limits of sizes and times.
    ///   - needsToken: Whether requests are refused if `tokens` is empty. Otherwise, programs on
    ///     this machine are admitted without a token.
    ///   - commonFields: The header fields of all answers.
    ///   - metrics: The page of metrics; `nil` for none.
    ///   - reply: Creates the answer to a message that was stored.
    ///   - take: Stores the content of each request.
    ///   - lookup: Looks up the tokens of requests instead of `tokens`, which must be empty then;
    ///     `reply` and `take` are not used.
    package init(
      tokens: DeviceTokens, limits: FeedServer.Limits, needsToken: Bool = false,
      commonFields: HTTPFields = [:], metrics: MetricsPage? = nil,
      reply: @escaping FeedServer.Replying = { _ in nil }, take: @escaping FeedServer.Taking,
      lookup: FeedTokenLookup? = nil
    ) {
      self.lookup = lookup
      self.tokens = tokens
      self.limits = limits
      self.needsToken = needsToken
      self.commonFields = commonFields
      self.metrics = metrics
      self.reply = reply
      self.take = take
    }

    /// Ends a connection whose sender may still be sending.
    private struct End: Error {}

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - address: The address of the sender, for looking up its token; `nil` if unknown.
    ///   - writer: Receives the answer.
    /// - Throws: An error if the connection must be closed, or was closed.
    package func respond(
      to request: Request, from address: String? = nil, _ writer: consuming ResponseWriter
    ) async throws {
      let answer = try await answer(to: request, from: address)
      var fields = commonFields
      fields.append(contentsOf: answer.fields)
      fields[.contentLength] = "\(answer.body.utf8.count)"
      if answer.endsConnection { fields[.connection] = "close" }
      try await writer.write(
        response: HTTPResponse(status: answer.status, headerFields: fields),
        body: ResponseBody(byteBuffer: ByteBuffer(string: answer.body)))
      guard answer.endsConnection else { return }
      // Closing a connection with unread bytes resets it, which may lose the answer.
      try await Task.sleep(for: limits.farewell)
      throw End()
    }

    /// Returns whether a request is allowed.
    package func admits(_ head: HTTPRequest) -> Bool {
      if let metrics, MetricsPage.isAsked(by: head) { return mayRead(metrics, head) }
      if let lookup { return Credentials.token(of: head).map(lookup.isKnown) ?? false }
      return admission(of: head).isGranted
    }

    /// Returns whether a request may read the page of metrics.
    private func mayRead(_ metrics: MetricsPage, _ head: HTTPRequest) -> Bool {
      if metrics.hasToken { return metrics.isShown(by: head) }
      return tokens.isEmpty && admission(of: head).isGranted
    }

    /// Returns whether a request is allowed, and the holder of its token.
    private func admission(of head: HTTPRequest) -> Admission {
      if tokens.isEmpty {
        guard !needsToken else { return .refused(.wrongToken) }
        guard Credentials.namesThisMachine(head) else { return .refused(.otherHost) }
        return Credentials.isOfBrowser(head) ? .refused(.browser) : .granted(nil)
      }
      let holder = Credentials.token(of: head).flatMap { tokens.holder(showing: $0) }
      return holder.map(Admission.granted) ?? .refused(.wrongToken)
    }

    /// Reads a request, stores its positions, and returns the answer.
    private func answer(to request: Request, from address: String?) async throws -> Answer {
      if let metrics, MetricsPage.isAsked(by: request.head) {
        guard mayRead(metrics, request.head) else { return .noMetrics }
        guard request.method == .get else { return .wrongMethod }
        return .metrics(metrics.text())
      }
      guard request.method == .post || request.method == .get else { return .wrongMethod }
      if let lookup { return try await answer(to: request, from: address, by: lookup) }
      let holder: DeviceTokens.Holder?
      switch admission(of: request.head) {
      case .granted(let shown): holder = shown
      case .refused(let answer): return answer
      }
      let name = holder?.device ?? Self.device(named: request)
      switch try await content(of: request, device: name) {
      case .refused(let answer): return answer
      case .message(var message):
        message.fixes = names.admitted(message.fixes, of: holder, tokens)
        guard await take(message) else { return .ending }
        return .taken(message.format, reply(message))
      }
    }

    /// Looks up the token of a request, stores its positions for the token's device, and returns
    /// the answer.
    private func answer(
      to request: Request, from address: String?, by lookup: FeedTokenLookup
    ) async throws -> Answer {
      guard let token = Credentials.token(of: request.head) else { return .unknownToken }
      let sender: FeedSender
      switch await lookup.find(token, address) {
      case .found(let found): sender = found
      case .unknown: return .unknownToken
      case .unavailable: return .ending
      }
      switch try await content(of: request, device: sender.device) {
      case .refused(let answer): return answer
      case .message(let message):
        guard await sender.take(message.assigned(to: sender.device)) else { return .ending }
        return .taken(message.format, nil)
      }
    }

    /// The content of an allowed request.
    private enum Content {
      case message(FeedServer.Message)
      /// None can be read; the answer gives the reason.
      case refused(Answer)
    }

    /// Reads the positions of a request.
    private func content(of request: Request, device: String?) async throws -> Content {
      if let encoding = request.headers[.contentEncoding], encoding.lowercased() != "identity" {
        return .refused(.compressed)
      }
      if let length = request.headers[.contentLength], let length = Int(length),
        length > limits.bodyLength
      {
        return .refused(.tooLong)
      }
      let body: ByteBuffer
      do { body = try await request.body.collect(upTo: limits.bodyLength) } catch {
        guard error is NIOTooManyBytesError else { throw error }
        return .refused(.tooLong)
      }
      let bytes = Array(buffer: body)
      if let message = Self.message(in: bytes, request.uri.query, device: device) {
        return .message(message)
      }
      guard
        let format = Self.formatWithoutPosition(
          bytes, request.uri.query, isPost: request.method == .post)
      else { return .refused(.unknownFormat) }
      return .message(.withoutPosition(format))
    }

    /// Returns the format for confirming a well-formed message without a position; `nil` for text
    /// in no known form.
    ///
    /// An app keeps a message that is refused at the front of its queue and sends nothing else. So
    /// a heartbeat, an event or a status is confirmed. OwnTracks posts an empty body after a friend
    /// was deleted (Booklet, "HTTP": the length may be zero).
    private static func formatWithoutPosition(
      _ body: [UInt8], _ query: String?, isPost: Bool
    ) -> FeedFormat? {
      let text = body.isEmpty ? Array((query ?? "").utf8) : body
      if text.isEmpty { return isPost ? .owntracks : nil }
      return FeedReader.formatWithoutPosition(of: text)
    }

    /// Returns the positions in a body, or else in a query; `nil` if neither has a known format.
    private static func message(
      in body: [UInt8], _ query: String?, device: String?
    ) -> FeedServer.Message? {
      for text in [body, Array((query ?? "").utf8)] where !text.isEmpty {
        let (fixes, format, statistics) = FeedReader.fixes(in: text, device: device)
        if let format {
          return FeedServer.Message(fixes: fixes, format: format, statistics: statistics)
        }
      }
      return nil
    }

    /// Returns the user and device in the header fields of OwnTracks (Booklet, "HTTP").
    private static func device(named request: Request) -> String? {
      guard let user = HTTPField.Name("X-Limit-U").flatMap({ request.headers[$0] }),
        let device = HTTPField.Name("X-Limit-D").flatMap({ request.headers[$0] })
      else { return nil }
      return "\(user)/\(device)"
    }
  }

  /// The decision whether a request is allowed.
  private enum Admission {
    /// Allowed, with the holder of its token if the server has tokens.
    case granted(DeviceTokens.Holder?)
    /// Refused, with the answer that gives the reason.
    case refused(Answer)

    var isGranted: Bool {
      if case .granted = self { true } else { false }
    }
  }
#endif
