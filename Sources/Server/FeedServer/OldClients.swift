#if HTTPServer
  import NIOCore
  import NIOHTTP1

  /// Answers clients of HTTP/1.0, such as old proxies, without chunks, which that version does not
  /// have (RFC 9112, section 6.1). The end of the connection ends the body, so a connection has one
  /// answer.
  ///
  /// It stands between the coders of bytes and the conversion to `HTTPRequest`, which has no
  /// version.
  final class OldClients: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Whether the last request was of HTTP/1.0.
    private var isOld = false

    /// Adds the handler to a pipeline for HTTP.
    static func add(to channel: any Channel) throws {
      let operations = channel.pipeline.syncOperations
      let decoder = try operations.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try operations.addHandler(OldClients(), position: .after(decoder))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .head(var head) = unwrapInboundIn(data) else {
        return context.fireChannelRead(data)
      }
      isOld = head.version.major < 1 || (head.version.major == 1 && head.version.minor == 0)
      guard isOld else { return context.fireChannelRead(data) }
      // The server closes the connection after the answer.
      head.headers.replaceOrAdd(name: "connection", value: "close")
      context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      guard isOld, case .head(var head) = unwrapOutboundIn(data) else {
        return context.write(data, promise: promise)
      }
      // The encoder writes chunks for HTTP/1.1 only.
      head.version = .http1_0
      head.headers.replaceOrAdd(name: "connection", value: "close")
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
  }

  @available(*, unavailable)
  extension OldClients: Sendable {}
#endif
