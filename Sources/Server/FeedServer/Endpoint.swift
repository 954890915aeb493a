#if HTTPServer
  package import HTTPTypes
  package import HummingbirdCore
  import LocationFeeds
  import NIOCore
  import NIOPosix

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
    private let phones: (any PhoneTokens)?
    private let names = SenderNames()

    /// Creates an endpoint.
    ///
    /// - Parameters:
    ///   - tokens: The tokens, one of which each request must present.
    ///   - phones: The tokens of phones, besides `tokens`; `nil` for none.
    ///   - limits: The limits of sizes and times.
    ///   - needsToken: Whether requests are refused before a token is made. Otherwise, programs on
    ///     this machine are admitted without a token.
    ///   - commonFields: The header fields of all answers.
    ///   - metrics: The page of metrics; `nil` for none.
    ///   - reply: Creates the answer to a message that was stored.
    ///   - take: Stores the content of each request.
    ///   - lookup: Looks up the tokens of requests instead of `tokens`, which must be empty then;
    ///     `reply` and `take` are not used.
    package init(
      tokens: DeviceTokens, phones: (any PhoneTokens)? = nil, limits: FeedServer.Limits,
      needsToken: Bool = false, commonFields: HTTPFields = [:], metrics: MetricsPage? = nil,
      reply: @escaping FeedServer.Replying = { _ in nil }, take: @escaping FeedServer.Taking,
      lookup: FeedTokenLookup? = nil
    ) {
      self.lookup = lookup
      self.phones = phones
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
      return !areTokensNeeded && admission(of: head).isGranted
    }

    /// Whether a request without a token is refused.
    private var areTokensNeeded: Bool {
      needsToken || !tokens.isEmpty || phones?.areNeeded == true
    }

    /// Returns whether a request is allowed, and the holder of its token.
    private func admission(of head: HTTPRequest) -> Admission {
      guard areTokensNeeded else {
        guard Credentials.namesThisMachine(head) else { return .refused(.otherHost) }
        return Credentials.isOfBrowser(head) ? .refused(.browser) : .granted(nil)
      }
      let holder = Credentials.token(of: head).flatMap { token in
        tokens.holder(showing: token)
          ?? phones?.phone(showing: token).map(DeviceTokens.Holder.init)
      }
      return holder.map(Admission.granted) ?? .refused(.wrongToken)
    }

    /// Reads the phones again if they have changed: one may have been added or removed since.
    private func readPhonesAgain() async {
      guard let phones else { return }
      try? await NIOThreadPool.singleton.runIfActive { phones.readAgain() }
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
      await readPhonesAgain()
      let holder: DeviceTokens.Holder?
      switch admission(of: request.head) {
      case .granted(let shown): holder = shown
      case .refused(let answer): return answer
      }
      let name = holder?.device ?? Self.device(named: request)
      switch try await content(of: request, device: name) {
      case .refused(let answer, let reason):
        if let reason {
          _ = await take(named(Self.refused(reason, of: name), of: holder))
        }
        return answer
      case .message(let message, let format, let app):
        let message = named(message, of: holder)
        guard await take(message) else { return .ending }
        if let phone = holder?.phone { phones?.noteUse(of: phone, format: format) }
        return .taken(format, app, reply(message))
      }
    }

    /// Returns a message with the device names that its sender may use.
    private func named(
      _ message: FeedServer.Message, of holder: DeviceTokens.Holder?
    ) -> FeedServer.Message {
      names.admitted(message, of: holder, tokens, phones: phones?.names ?? [])
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
      case .refused(let answer, let reason):
        if let reason { _ = await sender.take(Self.refused(reason, of: sender.device)) }
        return answer
      case .message(let message, let format, let app):
        guard await sender.take(message.assigned(to: sender.device)) else { return .ending }
        return .taken(format, app, nil)
      }
    }

    /// The content of an allowed request.
    private enum Content {
      case message(FeedServer.Message, FeedFormat, AppProtocol?)
      /// None can be read. The answer gives the reason, as does the counter; an empty request is no
      /// report.
      case refused(Answer, ReportRefusal?)
    }

    /// Returns the content of a request that is refused, which is counted.
    private static func refused(_ reason: ReportRefusal, of device: String?) -> FeedServer.Message {
      FeedServer.Message(nil, .refused(reason), of: device)
    }

    /// Reads the positions of a request.
    private func content(of request: Request, device: String?) async throws -> Content {
      if let encoding = request.headers[.contentEncoding], encoding.lowercased() != "identity" {
        return .refused(.compressed, .unsupported)
      }
      if let length = request.headers[.contentLength], let length = Int(length),
        length > limits.bodyLength
      {
        return .refused(.tooLong, .unsupported)
      }
      let body: ByteBuffer
      do { body = try await request.body.collect(upTo: limits.bodyLength) } catch {
        guard error is NIOTooManyBytesError else { throw error }
        return .refused(.tooLong, .unsupported)
      }
      let query = Array((request.uri.query ?? "").utf8)
      // OwnTracks posts an empty body after a friend was deleted (Booklet, "HTTP": the length may
      // be zero).
      if body.readableBytes == 0, query.isEmpty, request.method == .post {
        let message = FeedServer.Message(.owntracks, .withoutPosition, of: device)
        return .message(message, .owntracks, nil)
      }
      let form = request.headers[.contentType].flatMap(MultipartForm.boundary)
      let message = Array(buffer: body)
      let parts = [form.map { MultipartForm.query(message, boundary: $0) } ?? message, query]
      let read = FeedReader.message(in: parts, device: device)
      guard let format = read.format else {
        let isEmpty = body.readableBytes == 0 && query.isEmpty
        return .refused(.unknownFormat, isEmpty ? nil : .unreadable)
      }
      return .message(
        FeedServer.Message(fixes: read.fixes, format: format, statistics: read.statistics), format,
        AppProtocol(parts))
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
