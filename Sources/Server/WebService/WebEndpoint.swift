#if HTTPServer
  import FeedServer
  import HTTPTypes
  import HummingbirdCore
  import NIOCore
  import NIOPosix
  import SpotAlerts
  import SpotService
  import Synchronization

  /// Reads requests, and answers them according to their paths.
  struct WebEndpoint: Sendable {
    let directory: any ServiceDirectory
    let limits: WebServer.Limits
    private let feed: Endpoint
    private let metrics: MetricsPage?
    private let secured: SecuredChannels?
    private let isBehindProxy: Bool
    private let page = PageFiles()
    private let replays = Gate()
    private let imports = Gate()
    private let strangers = StrangerBodies()
    /// Threads on which answers are prepared and files are read. A level of the map may take a
    /// second, and Swift's concurrency has only one thread per core for the tasks of all streams.
    private let threads: NIOThreadPool

    init(
      directory: any ServiceDirectory, feed: WebServer.Feed, metrics: MetricsPage?,
      limits: WebServer.Limits, secured: SecuredChannels?, isBehindProxy: Bool
    ) {
      self.directory = directory
      self.limits = limits
      let threads = NIOThreadPool(numberOfThreads: limits.threads)
      self.threads = threads
      self.secured = secured
      self.isBehindProxy = isBehindProxy
      self.metrics = metrics
      var ofFeed = FeedServer.Limits()
      ofFeed.farewell = limits.farewell
      self.feed = Endpoint(
        tokens: feed.tokens, phones: feed.phones, limits: ofFeed, needsToken: true,
        commonFields: Self.pageFields, reply: feed.reply, take: feed.take,
        lookup: feed.directory.map { directory in
          FeedTokenLookup(isKnown: directory.isKnown) { token, address in
            (try? await threads.runIfActive { directory.lookUp(token, from: address) })
              ?? .unavailable
          }
        })
      threads.start()
    }

    func stop() async { try? await threads.shutdownGracefully() }

    // MARK: - Requests

    /// Returns whether a request presents the key, the cookie or a token.
    func admits(_ head: HTTPRequest) -> Bool {
      if Self.isFeed(head) { return feed.admits(head) }
      if let metrics, MetricsPage.isAsked(by: head), metrics.isShown(by: head) { return true }
      return directory.isKnown(request(head))
    }

    /// Answers a request.
    ///
    /// - Throws: An error if the connection must be closed, or was closed.
    func respond(
      to request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
      if Self.endsConnection(request.head) {
        // Closes the connection when the answer has been written.
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
      }
      if Self.isFeed(request.head) {
        return try await feed.respond(
          to: request, from: address(of: request.head, channel), writer)
      }
      let path = (request.head.path ?? "/").prefix { $0 != "?" }
      if path == "/api" || path.hasPrefix("/api/") {
        try await answerCall(of: request, writer, channel)
      } else {
        let asked = self.request(request.head, from: channel)
        let answer =
          if let metrics, MetricsPage.isAsked(by: request.head) {
            await metricsAnswer(metrics, request.head, asked)
          } else {
            path.hasPrefix("/tiles/")
              ? await tile(path, asked)
              : pageAnswer(path, asked)
          }
        guard Self.announcedLength(of: request.head) == 0 else {
          return try await refuse(
            asked, with: answer, request.body.makeAsyncIterator(), writer, channel)
        }
        try await write(answer, to: asked, isForeign: path.hasPrefix("/tiles/"), writer)
      }
    }

    private static func isFeed(_ head: HTTPRequest) -> Bool {
      let path = (head.path ?? "").prefix { $0 != "?" }
      return path == "/feed" || path.hasPrefix("/feed/")
    }

    /// Returns whether a request closes its connection in a form that HummingbirdCore does not
    /// recognise, which is any but a lone lower-case `close`.
    private static func endsConnection(_ head: HTTPRequest) -> Bool {
      guard let field = head.headerFields[.connection] else { return false }
      return field != "close"
        && field.lowercased().split(separator: ",").contains { $0.filter { $0 != " " } == "close" }
    }

    /// Converts the request to the service's type.
    private func request(
      _ head: HTTPRequest, from channel: (any Channel)? = nil, body: [UInt8] = []
    ) -> ServiceRequest {
      var fields: [(name: String, value: String)] = []
      fields.reserveCapacity(head.headerFields.count + 1)
      if let authority = head.authority { fields.append(("Host", authority)) }
      for field in head.headerFields { fields.append((field.name.rawName, field.value)) }
      // Proxies append to the list, so its first entry is the scheme of the client.
      let schemes = HTTPField.Name("X-Forwarded-Proto").flatMap { head.headerFields[$0] }
      let scheme = schemes?.split(separator: ",", omittingEmptySubsequences: false).first?
        .filter { $0 != " " && $0 != "\t" }
      var request = ServiceRequest(
        method: head.method.rawValue, target: head.path ?? "/", fields: fields, body: body,
        isSecure: isSecured(channel) || (isBehindProxy && scheme?.lowercased() == "https"))
      request.address = address(of: head, channel)
      return request
    }

    private func isSecured(_ channel: (any Channel)?) -> Bool {
      guard let secured else { return false }
      return channel.map { !secured.isPlain($0) } ?? true
    }

    /// Returns the address of the browser: that of the connection, or the last one that a trusted
    /// proxy appended.
    private func address(of head: HTTPRequest, _ channel: (any Channel)?) -> String? {
      guard isBehindProxy else { return channel?.remoteAddress?.ipAddress }
      let forwarded = HTTPField.Name("X-Forwarded-For").flatMap { head.headerFields[$0] }
      return forwarded?.split(separator: ",").last
        .map { String($0.filter { $0 != " " && $0 != "\t" }) }
    }

    /// Returns the length of the body announced by the head; `nil` for a body of unknown length.
    private static func announcedLength(of head: HTTPRequest) -> Int? {
      if head.headerFields[.transferEncoding] != nil { return nil }
      // Values that are not numbers were rejected before.
      return head.headerFields[.contentLength].map { Int($0) ?? .max } ?? 0
    }

    // MARK: - The API

    /// Answers a request to the API, after reading its body up to the limit of its route.
    private func answerCall(
      of request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
      var asked = self.request(request.head, from: channel)
      let length = Self.announcedLength(of: request.head)
      var account: ServedAccount
      switch await self.account(of: asked) {
      case .success(let found): account = found
      case .failure(let problem):
        let parts = request.body.makeAsyncIterator()
        return try await refuse(asked, with: problem.response, parts, writer, channel)
      }
      let service = account.service
      if length != 0 {
        var parts = request.body.makeAsyncIterator()
        if let refusal = service.refusal(of: asked, bodyLength: length ?? 0) {
          return try await refuse(asked, with: refusal, parts, writer, channel)
        }
        var body = ByteBuffer()
        let route = ServiceRoute.route(of: asked)
        let limit = route?.bodyLimit ?? 0
        // Strangers share a small amount of memory, however many they are.
        let isStranger = route?.isOpen == true && !service.isOpen(to: asked)
        guard !isStranger || strangers.enter(reading: limit) else {
          let busy = Self.busy("Too many are logging in; try again.")
          return try await refuse(asked, with: busy, parts, writer, channel)
        }
        defer { if isStranger { strangers.leave(reading: limit) } }
        if request.headers[.expect]?.lowercased() == "100-continue" {
          try await writer.writeInformationalHead(HTTPResponse(status: .continue))
        }
        while let part = try await parts.next() {
          body.writeImmutableBuffer(part)
          if body.readableBytes > limit,
            let refusal = service.refusal(of: asked, bodyLength: body.readableBytes)
          {
            return try await refuse(asked, with: refusal, parts, writer, channel)
          }
        }
        asked = self.request(request.head, from: channel, body: Array(buffer: body))
        // The body that opens a session holds the key.
        if ServiceRoute.route(of: asked)?.isOpen == true {
          switch await self.account(of: asked) {
          case .success(let found): account = found
          case .failure(let problem): return try await write(problem.response, to: asked, writer)
          }
        }
      }
      if let prepare = account.prepare, ServiceRoute.route(of: asked)?.isOpen != true,
        let problem = await prepare()
      {
        return try await write(problem.response, to: asked, writer)
      }
      switch await reply(to: asked, account.service) {
      case .response(let response): try await write(response, to: asked, writer)
      case .work(.events(let id)):
        try await stream(of: account.events, after: id, request, asked, writer)
      case .work(let work):
        // The page of a link is the program's own, and uses its style sheets.
        let isForeign = if case .act = work { false } else { true }
        switch await perform(work, account.outside, channel) {
        case .response(let response):
          try await write(
            await packed(response, for: asked), to: asked, isForeign: isForeign, writer)
        case .file(let file): try await send(file, to: asked, writer)
        }
      }
    }

    /// Finds the account of a request.
    private func account(of asked: ServiceRequest) async -> Result<ServedAccount, Problem> {
      // The only account is known without waiting.
      if let single = directory as? SingleAccount { return .success(single.strangers) }
      return await onThread {
        do throws(Problem) {
          return .success(try directory.account(of: asked))
        } catch { return .failure(error) }
      } ?? .failure(Problem(.busy, "PhotoSpots is shutting down."))
    }

    private func reply(to asked: ServiceRequest, _ service: Service) async -> ServiceReply {
      await onThread {
        switch service.reply(to: asked, now: SystemClock().now()) {
        case .response(let response): .response(Self.packed(response, for: asked))
        case .work(let work): .work(work)
        }
      } ?? .response(Self.busy("PhotoSpots is shutting down."))
    }

    private func packed(
      _ response: ServiceResponse, for asked: ServiceRequest
    ) async -> ServiceResponse {
      guard Self.isWorthPacking(response) else { return response }
      return await onThread { Self.packed(response, for: asked) } ?? response
    }

    func onThread<Value: Sendable>(
      _ body: @escaping @Sendable () -> Value
    ) async -> Value? {
      try? await threads.runIfActive { body() }
    }

    /// Performs work outside of the service. Creating a picture and replaying a track are cancelled
    /// if the client disconnects.
    private func perform(
      _ work: ServiceWork, _ outside: any ServiceEffects, _ channel: any Channel
    ) async -> ServedAnswer {
      switch work {
      case .picture, .replay:
        let handler = try? await channel.pipeline.handler(type: DisconnectHandler.self).get()
        guard let handler else { return .response(Self.busy("The connection has ended.")) }
        return await handler.cancelling {
          if case .replay = work {
            await replay(work, outside)
          } else {
            await outside.perform(work)
          }
        }
      case .importPlaces:
        guard imports.enter() else {
          return .response(Self.busy("Another file is being imported."))
        }
        defer { imports.leave() }
        return await outside.perform(work)
      default: return await outside.perform(work)
      }
    }

    /// Replays a track within a time limit; only one replay runs at a time.
    private func replay(
      _ work: ServiceWork, _ outside: any ServiceEffects
    ) async -> ServedAnswer {
      guard replays.enter() else {
        return .response(Self.busy("Another track is being replayed."))
      }
      defer { replays.leave() }
      return await Deadline.run(for: limits.replay) { await outside.perform(work) }
        ?? .response(Self.busy("The replay of this track takes too long."))
    }

    private static func busy(_ detail: String) -> ServiceResponse {
      Problem(.busy, detail).response
    }

    // MARK: - The page

    private func pageAnswer(_ path: Substring, _ asked: ServiceRequest) -> ServiceResponse {
      let service = directory.strangers.service
      if let problem = service.problem(withOpen: asked) {
        return service.answer(refusing: problem, to: asked)
      }
      guard let file = page.file(at: path) else { return Self.nothingHere }
      guard asked.method == "GET" || asked.method == "HEAD" else {
        return Self.plain(405, "This path is read-only.", [("Allow", "GET, HEAD")])
      }
      let fields = [
        ("ETag", file.entityTag), ("Cache-Control", "no-cache"), ("Vary", "Accept-Encoding"),
      ]
      if asked.entityTags("If-None-Match")?.weakMatch(of: file.entityTag) != nil {
        return ServiceResponse(status: 304, fields: fields)
      }
      var response = ServiceResponse(
        status: 200, fields: [("Content-Type", file.mediaType)] + fields, body: file.bytes)
      if let packed = file.packed, Gzip.isAccepted(asked.field("Accept-Encoding")) {
        response.body = packed
        response.fields.append(("Content-Encoding", "gzip"))
      }
      return response
    }

    /// Returns the page of metrics if the request presents its token, or the key that the API
    /// requires.
    private func metricsAnswer(
      _ metrics: MetricsPage, _ head: HTTPRequest, _ asked: ServiceRequest
    ) async -> ServiceResponse {
      // The metrics are about all accounts, so the key of one does not suffice.
      if !metrics.isShown(by: head),
        directory.strangers.service.problem(withKeyed: asked) != nil
      {
        return Self.plain(
          401, "The metrics need the token of the setting metricsToken, or the key of the page.",
          [("WWW-Authenticate", #"Bearer realm="photospots""#)])
      }
      guard asked.method == "GET" || asked.method == "HEAD" else {
        return Self.plain(405, "This path is read-only.", [("Allow", "GET, HEAD")])
      }
      guard let text = await onThread(metrics.text) else {
        return Self.busy("PhotoSpots is shutting down.")
      }
      return ServiceResponse(
        status: 200,
        fields: [("Content-Type", MetricsPage.mediaType), ("Cache-Control", "no-store")],
        body: text)
    }

    private func tile(_ path: Substring, _ asked: ServiceRequest) async -> ServiceResponse {
      let account: ServedAccount
      switch await self.account(of: asked) {
      case .success(let found): account = found
      case .failure(let problem): return problem.response
      }
      if let problem = account.service.problem(withKeyed: asked) { return problem.response }
      guard asked.method == "GET" || asked.method == "HEAD" else {
        return Self.plain(405, "This path is read-only.", [("Allow", "GET, HEAD")])
      }
      guard let tile = TilePath(path) else { return Self.nothingHere }
      return await account.outside.tile(zoom: tile.zoom, column: tile.column, row: tile.row)
    }

    private static let nothingHere = plain(404, "Nothing was found here.")

    private static func plain(
      _ status: Int, _ text: String, _ fields: [(String, String)] = []
    ) -> ServiceResponse {
      ServiceResponse(
        status: status,
        fields: [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")]
          + fields, body: Array((text + "\n").utf8))
    }
  }

  /// A lock that one task at a time can enter; others are refused instead of waiting.
  private final class Gate: Sendable {
    private let isTaken = Mutex(false)

    func enter() -> Bool {
      isTaken.withLock { isTaken in
        defer { isTaken = true }
        return !isTaken
      }
    }

    func leave() { isTaken.withLock { $0 = false } }
  }
#endif
