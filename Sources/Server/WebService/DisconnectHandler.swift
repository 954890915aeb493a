#if HTTPServer
  import NIOCore
  import Synchronization

  /// Detects that a client disconnects while its answer is prepared.
  ///
  /// When a page is scrolled, the browser cancels requests for pictures that are no longer visible
  /// by disconnecting. The work for them is then cancelled, and visible pictures are made sooner.
  final class DisconnectHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private struct State {
      var hasLeft = false
      var leave: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Runs work in a task that is cancelled if the client disconnects.
    func cancelling<Value: Sendable>(
      _ body: @escaping @Sendable () async -> Value
    ) async -> Value {
      let work = Task { await body() }
      let hasLeft = state.withLock { state in
        state.leave = { work.cancel() }
        return state.hasLeft
      }
      if hasLeft { work.cancel() }
      let value = await work.value
      state.withLock { $0.leave = nil }
      return value
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if event as? ChannelEvent == .inputClosed { left() }
      context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
      left()
      context.fireChannelInactive()
    }

    private func left() {
      let leave = state.withLock { state in
        state.hasLeft = true
        return state.leave
      }
      leave?()
    }
  }
#endif
