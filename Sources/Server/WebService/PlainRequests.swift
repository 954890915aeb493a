#if HTTPServer
  import NIOCore

  /// Adds TLS to a connection whose first byte begins a handshake. Others speak plain HTTP: people
  /// type addresses without `https`, and get the address with it.
  ///
  /// Only the first page is answered, so no request whose content or key was sent in the open seems
  /// to have worked.
  final class PlainRequests: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The first byte of a record of a handshake (RFC 8446, section 5.1).
    private static let handshake: UInt8 = 22
    /// The length up to which the head of a plain request is read.
    private static let maximumHead = 8 << 10

    private let secure: (ChannelHandlerContext) throws -> Void
    private var head: [UInt8] = []
    private var isAnswered = false

    /// Creates a handler.
    ///
    /// - Parameter secure: Adds TLS to a connection, behind this handler.
    init(secure: @escaping (ChannelHandlerContext) throws -> Void) { self.secure = secure }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let bytes = unwrapInboundIn(data)
      if head.isEmpty, !isAnswered, bytes.readableBytesView.first == Self.handshake {
        do {
          try secure(context)
          context.fireChannelRead(data)
          context.pipeline.syncOperations.removeHandler(self, promise: nil)
        } catch { context.fireErrorCaught(error) }
        return
      }
      guard !isAnswered else { return }
      head += bytes.readableBytesView
      let isWhole = head.suffix(4).elementsEqual("\r\n\r\n".utf8) || Self.isWhole(head)
      guard isWhole || head.count > Self.maximumHead else { return }
      isAnswered = true
      let answer = context.channel.allocator.buffer(string: Self.answer(to: head))
      let channel = context.channel
      context.writeAndFlush(NIOAny(answer)).whenComplete { _ in channel.close(promise: nil) }
    }

    private static func isWhole(_ head: [UInt8]) -> Bool {
      String(decoding: head, as: UTF8.self).contains("\r\n\r\n")
    }

    /// Returns the answer to a plain request: for the first page, its address with `https`.
    static func answer(to head: [UInt8]) -> String {
      let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
      let first = lines.first?.split(separator: " ") ?? []
      let host = lines.dropFirst().first { $0.lowercased().hasPrefix("host:") }
        .map { $0.dropFirst(5).filter { $0 != " " && $0 != "\t" } }
      if first.count == 3, first[0] == "GET" || first[0] == "HEAD", first[1] == "/", let host,
        isHost(host)
      {
        return response(
          "308 Permanent Redirect", "This page is at https://\(host)/.",
          "Location: https://\(host)/\r\n")
      }
      return response(
        "400 Bad Request", "Requests to this port need https; nothing was read of this one.")
    }

    /// Returns whether a text can be the host of an address, with or without a port.
    private static func isHost(_ text: String) -> Bool {
      !text.isEmpty
        && text.utf8.allSatisfy {
          switch $0 {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
            true
          default: false
          }
        }
    }

    private static func response(
      _ status: String, _ text: String, _ fields: String = ""
    ) -> String {
      """
      HTTP/1.1 \(status)\r\nContent-Type: text/plain; charset=utf-8\r\n\
      Content-Length: \(text.utf8.count + 1)\r\nCache-Control: no-store\r\n\
      Connection: close\r\n\(fields)\r\n\(text)\n
      """
    }
  }
#endif
