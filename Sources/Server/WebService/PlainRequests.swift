#if HTTPServer
  import NIOCore
  import SpotService

  /// Adds TLS to a connection whose first byte begins a handshake. Others speak plain HTTP: people
  /// type addresses without `https`, and get the address with it.
  ///
  /// Only the first page is answered, so no request whose content or key was sent in the open seems
  /// to have worked. Connections of this machine to itself, which nobody else can read, may stay
  /// plain.
  final class PlainRequests: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The first byte of a record of a handshake (RFC 8446, section 5.1).
    private static let handshake: UInt8 = 22
    /// The length up to which the head of a plain request is read.
    private static let maximumHead = 8 << 10

    private let secure: (ChannelHandlerContext) throws -> Void
    private let keepPlain: ((ChannelHandlerContext) -> Void)?
    private var head: [UInt8] = []
    private var isAnswered = false

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - secure: Adds TLS to a connection, behind this handler.
    ///   - keepPlain: Notes that a connection of this machine to itself stays plain; `nil` if it
    ///     must not.
    init(
      secure: @escaping (ChannelHandlerContext) throws -> Void,
      keepPlain: ((ChannelHandlerContext) -> Void)? = nil
    ) {
      (self.secure, self.keepPlain) = (secure, keepPlain)
    }

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
      if let keepPlain, Self.host(of: head).map(HostRule.isLoopback(_:)) == true {
        keepPlain(context)
        context.fireChannelRead(NIOAny(context.channel.allocator.buffer(bytes: head)))
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
        return
      }
      let answer = context.channel.allocator.buffer(string: Self.answer(to: head))
      let channel = context.channel
      context.writeAndFlush(NIOAny(answer)).whenComplete { _ in channel.close(promise: nil) }
    }

    private static func isWhole(_ head: [UInt8]) -> Bool {
      String(decoding: head, as: UTF8.self).contains("\r\n\r\n")
    }

    /// Returns the answer to a plain request: for the first page, its address with `https`.
    static func answer(to head: [UInt8]) -> String {
      let line = String(decoding: head, as: UTF8.self).prefix { $0 != "\r\n" }
      let first = line.split(separator: " ")
      if first.count == 3, first[0] == "GET" || first[0] == "HEAD", first[1] == "/",
        let host = host(of: head), isHost(host)
      {
        return response(
          "308 Permanent Redirect", "This page is at https://\(host)/.",
          "Location: https://\(host)/\r\n")
      }
      return response(
        "400 Bad Request", "Requests to this port need https; nothing was read of this one.")
    }

    /// Returns the host that a request names, with or without a port.
    private static func host(of head: [UInt8]) -> String? {
      String(decoding: head, as: UTF8.self).split(separator: "\r\n").dropFirst()
        .first { $0.lowercased().hasPrefix("host:") }
        .map { String($0.dropFirst(5).filter { $0 != " " && $0 != "\t" }) }
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
