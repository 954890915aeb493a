#if HTTPServer
  import CivilTime
  import Encodings
  import HTTPTypes
  import HummingbirdCore
  import NIOCore
  import SpotAlerts
  import SpotService

  extension WebEndpoint {
    /// Thrown to end a connection whose client may still be sending.
    private struct End: Error {}

    // MARK: - Answers in memory

    /// Returns whether an answer is worth compressing: JSON of 1000 bytes or more. A shorter one
    /// fits into a packet.
    static func isWorthPacking(_ response: ServiceResponse) -> Bool {
      response.body.count >= 1000
        && response.field("Content-Type")?.hasPrefix("application/json") == true
    }

    /// Returns the answer, compressed if that is worthwhile and the client accepts it.
    static func packed(
      _ response: ServiceResponse, for asked: ServiceRequest
    ) -> ServiceResponse {
      guard isWorthPacking(response) else { return response }
      var response = response
      response.fields.append(("Vary", "Accept-Encoding"))
      guard Gzip.isAccepted(asked.field("Accept-Encoding")),
        let packed = Gzip.packed(response.body, level: 5)
      else { return response }
      response.body = packed
      response.fields.append(("Content-Encoding", "gzip"))
      for place in response.fields.indices where response.fields[place].name == "ETag" {
        response.fields[place].value = EntityTags.packed(response.fields[place].value)
      }
      return response
    }

    /// Writes an answer, without the body for HEAD. Foreign content is sent with headers that
    /// forbid it to run scripts.
    func write(
      _ response: ServiceResponse, to asked: ServiceRequest, isForeign: Bool = false,
      endsConnection: Bool = false, _ writer: consuming ResponseWriter
    ) async throws {
      var fields = dated(isForeign ? Self.foreignFields : Self.pageFields)
      fields.append(contentsOf: HTTPFields(response.fields))
      // RFC 9110, section 8.6: answers with these statuses have no length.
      let isBare = response.status == 204 || response.status == 304
      if !isBare { fields[.contentLength] = "\(response.body.count)" }
      if endsConnection { fields[.connection] = "close" }
      let head = HTTPResponse(status: .init(code: response.status), headerFields: fields)
      guard !isBare, asked.method != "HEAD", !response.body.isEmpty else {
        return try await writer.writeResponse(head)
      }
      try await writer.write(
        response: head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: response.body)))
    }

    /// The header fields of answers created by this program.
    static let pageFields = HTTPFields(SecurityHeaders.fields())
    /// The header fields of answers with foreign content.
    private static let foreignFields = HTTPFields(SecurityHeaders.fields(isOriginal: true))

    /// Returns header fields with the time of the answer added (RFC 9110, section 6.6.1).
    private func dated(_ fields: HTTPFields) -> HTTPFields {
      var fields = fields
      fields[.date] = SystemClock().now().httpDate
      return fields
    }

    /// Answers a request without accepting its body.
    ///
    /// Closing a connection with unread bytes resets it, which may lose the answer. The rest of the
    /// request is therefore read and discarded for a while.
    func refuse(
      _ asked: ServiceRequest, with response: ServiceResponse, _ parts: RequestBody.AsyncIterator,
      _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
      try await write(response, to: asked, endsConnection: true, writer)
      let end = channel.eventLoop.scheduleTask(in: TimeAmount(limits.farewell)) {
        channel.close(promise: nil)
      }
      defer { end.cancel() }
      var parts = parts
      while try await parts.next() != nil {}
      throw End()
    }

    // MARK: - Files

    /// Sends a file, or the requested part of it.
    func send(
      _ file: ServedFile, to asked: ServiceRequest, _ writer: consuming ResponseWriter
    ) async throws {
      let name = PercentEncoding.text(file.name.utf8, keeping: "-._~")
      var fields = dated(Self.foreignFields)
      fields.append(
        contentsOf: HTTPFields([
          ("Content-Type", file.mediaType), ("ETag", file.entityTag), ("Accept-Ranges", "bytes"),
          ("Cache-Control", "private, max-age=31536000, immutable"),
          ("Content-Disposition", "inline; filename*=UTF-8''\(name)"),
        ]))
      // RFC 9110, section 13.2.2: If-Match comes first.
      if asked.entityTags("If-Match")?.contains(strongly: file.entityTag) == false {
        return try await write(
          Problem(.changed, "The file has another entity tag than If-Match.").response, to: asked,
          writer)
      }
      if asked.entityTags("If-None-Match")?.weakMatch(of: file.entityTag) != nil {
        return try await writer.writeResponse(
          HTTPResponse(status: .notModified, headerFields: fields))
      }
      var status = HTTPResponse.Status.ok
      var range = 0..<file.size
      switch ByteRange(
        asked.field("Range"), condition: asked.field("If-Range"), entityTag: file.entityTag,
        size: file.size)
      {
      case .whole: break
      case .part(let part):
        status = .partialContent
        range = part
        fields[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.size)"
      case .unsatisfiable:
        status = .rangeNotSatisfiable
        range = 0..<0
        fields[.contentRange] = "bytes */\(file.size)"
      }
      fields[.contentLength] = "\(range.count)"
      let head = HTTPResponse(status: status, headerFields: fields)
      guard asked.method != "HEAD", !range.isEmpty else {
        return try await writer.writeResponse(head)
      }
      var body = try await writer.writeHead(head)
      var start = range.lowerBound
      while start < range.upperBound {
        let place = start
        let count = Int(min(range.upperBound - start, 128 << 10))
        let bytes = await onThread { file.bytes(from: place, count: count) } ?? []
        // The file was truncated. The incomplete answer shows this to the client.
        guard bytes.count == count else { throw End() }
        try await body.write(ByteBuffer(bytes: bytes))
        start += Int64(count)
      }
      try await body.finish(nil)
    }

    // MARK: - Events

    /// Sends events until the client disconnects or the server ends.
    func stream(
      of events: EventHub, after id: String?, _ request: Request, _ asked: ServiceRequest,
      _ writer: consuming ResponseWriter
    ) async throws {
      var fields = dated(Self.pageFields)
      fields.append(
        contentsOf: HTTPFields([
          ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
          // Prevents nginx from buffering events.
          ("X-Accel-Buffering", "no"),
        ]))
      let head = HTTPResponse(status: .ok, headerFields: fields)
      guard asked.method != "HEAD" else { return try await writer.writeResponse(head) }
      guard let listener = events.join(after: id) else {
        let busy = Problem(.busy, "Too many pages are open; close some.")
        return try await write(busy.response, to: asked, writer)
      }
      defer { events.leave(listener) }
      var body = try await writer.writeHead(head)
      try await body.write(ByteBuffer(bytes: ServiceEvent.streamStart))
      try await request.body.consumeWithInboundCloseHandler { _ in
        while let bytes = await listener.next() {
          try await body.write(ByteBuffer(bytes: bytes))
        }
      } onInboundClosed: {
        events.leave(listener)
      }
      try await body.finish(nil)
    }
  }

  extension HTTPFields {
    /// Creates fields from pairs; pairs with invalid names are left out.
    init(_ pairs: [(name: String, value: String)]) {
      self.init()
      for (name, value) in pairs {
        if let name = HTTPField.Name(name) { append(HTTPField(name: name, value: value)) }
      }
    }
  }
#endif
