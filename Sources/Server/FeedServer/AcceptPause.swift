#if HTTPServer
  import NIOCore

  import CLibrary

  /// Stops accepting connections for a time when the system has run out of descriptors.
  ///
  /// SwiftNIO's own handler stops reading but goes on polling the socket, which keeps a processor
  /// busy.
  final class AcceptPause: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    private let pause: TimeAmount
    private let report: (FeedServerEvent) -> Void
    private var isPausing = false
    private var didReport = false

    /// Creates a handler that reports the first shortage.
    init(_ pause: TimeAmount, report: @escaping (FeedServerEvent) -> Void) {
      self.pause = pause
      self.report = report
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      guard let error = error as? IOError,
        [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode)
      else { return context.fireErrorCaught(error) }
      guard !isPausing else { return }
      isPausing = true
      if !didReport { report(.outOfDescriptors) }
      didReport = true
      context.channel.setOption(.autoRead, value: false).whenComplete { _ in }
      context.eventLoop.assumeIsolated().scheduleTask(in: pause) {
        self.isPausing = false
        context.channel.setOption(.autoRead, value: true).whenComplete { _ in }
      }
    }
  }

  @available(*, unavailable)
  extension AcceptPause: Sendable {}
#endif
