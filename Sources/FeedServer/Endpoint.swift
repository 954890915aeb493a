#if HTTPServer
  import HTTPTypes
  import HummingbirdCore
  import LocationFeeds
  import NIOCore

  /// Reads requests and decides what they are answered.
  struct Endpoint: Sendable {
    let tokens: DeviceTokens
    let limits: FeedServer.Limits
    let take: FeedServer.Taking
    private let names = SenderNames()

    /// Ends a connection whose sender may go on sending what nobody wants.
    private struct End: Error {}

    /// Answers a request.
    ///
    /// - Throws: Where the connection is to end, or has ended.
    func respond(to request: Request, _ writer: consuming ResponseWriter) async throws {
      let answer = try await answer(to: request)
      var fields = answer.fields
      fields[.contentLength] = "\(answer.body.utf8.count)"
      if answer.endsConnection { fields[.connection] = "close" }
      try await writer.write(
        response: HTTPResponse(status: answer.status, headerFields: fields),
        body: ResponseBody(byteBuffer: ByteBuffer(string: answer.body)))
      guard answer.endsConnection else { return }
      // What is closed at once, with bytes unread, the other side sees broken, and not why.
      try await Task.sleep(for: limits.farewell)
      throw End()
    }

    /// Whether a request may be sent, and by whom.
    func admission(of head: HTTPRequest) -> Admission {
      if tokens.isEmpty {
        guard Credentials.namesThisMachine(head) else { return .refused(.otherHost) }
        return Credentials.isOfBrowser(head) ? .refused(.browser) : .granted(nil)
      }
      let holder = Credentials.token(of: head).flatMap { tokens.holder(showing: $0) }
      return holder.map(Admission.granted) ?? .refused(.wrongToken)
    }

    private func answer(to request: Request) async throws -> Answer {
      guard request.method == .post || request.method == .get else { return .wrongMethod }
      let holder: DeviceTokens.Holder?
      switch admission(of: request.head) {
      case .granted(let shown): holder = shown
      case .refused(let answer): return answer
      }
      if let encoding = request.headers[.contentEncoding], encoding.lowercased() != "identity" {
        return .compressed
      }
      if let length = request.headers[.contentLength], let length = Int(length),
        length > limits.bodyLength
      {
        return .tooLong
      }
      let body: ByteBuffer
      do { body = try await request.body.collect(upTo: limits.bodyLength) } catch {
        guard error is NIOTooManyBytesError else { throw error }
        return .tooLong
      }
      let name = holder?.device ?? Self.device(named: request)
      guard var message = Self.message(in: Array(buffer: body), request.uri.query, device: name)
      else { return .unknownFormat }
      message.fixes = names.admitted(message.fixes, of: holder, tokens)
      return await take(message) ? .taken(message.format) : .ending
    }

    /// The positions in a body, or in a query where the body shows none; `nil` where neither does.
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

    /// The device in the fields in which OwnTracks puts its user and device (Booklet, "HTTP").
    private static func device(named request: Request) -> String? {
      guard let user = HTTPField.Name("X-Limit-U").flatMap({ request.headers[$0] }),
        let device = HTTPField.Name("X-Limit-D").flatMap({ request.headers[$0] })
      else { return nil }
      return "\(user)/\(device)"
    }
  }

  /// Whether a request may be sent.
  enum Admission {
    /// By the holder of a token, where one is needed.
    case granted(DeviceTokens.Holder?)
    case refused(Answer)

    var isGranted: Bool {
      if case .granted = self { true } else { false }
    }
  }
#endif
