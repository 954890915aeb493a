#if HTTPServer
  import HTTPTypes
  import NIOCore
  import NIOHTTPTypes
  import Synchronization

  /// The open connections of a server, each with its place.
  final class OpenConnections: Sendable {
    private struct State {
      var places: ConnectionPlaces
      var channels: [Int: any Channel] = [:]
      var latest = 0
      var hasEnded = false
    }

    private let state: Mutex<State>

    init(places: ConnectionPlaces) { state = Mutex(State(places: places)) }

    /// Registers a connection and returns its number.
    func open(_ channel: any Channel) -> Int {
      let address = ConnectionPlaces.Address(channel.remoteAddress)
      let (id, hasEnded) = state.withLock { state in
        state.latest += 1
        state.channels[state.latest] = channel
        return (state.latest, state.hasEnded)
      }
      if hasEnded { channel.close(promise: nil) }
      closeOne { $0.open(id, from: address, at: NIODeadline.now().nanoseconds) }
      channel.closeFuture.whenComplete { [self] _ in
        state.withLock { state in
          state.channels[id] = nil
          state.places.close(id)
        }
      }
      return id
    }

    /// Returns the open connections; each later one is closed as soon as it comes.
    func end() -> [any Channel] {
      state.withLock { state in
        state.hasEnded = true
        return Array(state.channels.values)
      }
    }

    func admit(_ id: Int) { closeOne { $0.admit(id, at: NIODeadline.now().nanoseconds) } }

    func touch(_ id: Int) {
      state.withLock { $0.places.touch(id, at: NIODeadline.now().nanoseconds) }
    }

    private func closeOne(_ choose: (inout ConnectionPlaces) -> Int?) {
      let channel = state.withLock { state in
        choose(&state.places).flatMap { state.channels[$0] }
      }
      channel?.close(promise: nil)
    }
  }

  /// Closes a connection that gives up its place to another one, or whose request is not admitted
  /// or not complete in time. So no sender keeps a connection by sending slowly, or nothing.
  final class ConnectionGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let connections: OpenConnections
    private let limits: FeedServer.Limits
    private let admits: (HTTPRequest) -> Bool
    private var id: Int?
    private var isAdmitted = false
    private var timer: Scheduled<Void>?

    init(
      _ connections: OpenConnections, _ limits: FeedServer.Limits,
      admits: @escaping (HTTPRequest) -> Bool
    ) {
      self.connections = connections
      self.limits = limits
      self.admits = admits
    }

    func handlerAdded(context: ChannelHandlerContext) {
      id = connections.open(context.channel)
      restart(context, seconds: limits.admissionSeconds)
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head) where admits(head):
        isAdmitted = true
        if let id { connections.admit(id) }
        restart(context, seconds: limits.requestSeconds)
      case .end where isAdmitted:
        if let id { connections.touch(id) }
        restart(context, seconds: limits.requestSeconds)
      default: break
      }
      context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
      timer?.cancel()
      context.fireChannelInactive()
    }

    private func restart(_ context: ChannelHandlerContext, seconds: Int64) {
      timer?.cancel()
      timer = context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(seconds)) {
        context.close(promise: nil)
      }
    }
  }

  @available(*, unavailable)
  extension ConnectionGuard: Sendable {}

  extension NIODeadline {
    fileprivate var nanoseconds: UInt64 { uptimeNanoseconds }
  }

  extension ConnectionPlaces.Address {
    init(_ address: SocketAddress?) {
      // Where the host lies in sockaddr_in and in sockaddr_in6 (POSIX, netinet/in.h), on every
      // system the same.
      switch address {
      case .v4(let address):
        self = .ipv4(
          withUnsafeBytes(of: address.address) {
            UInt32(truncatingIfNeeded: Self.number($0[4..<8]))
          })
      case .v6(let address):
        self = withUnsafeBytes(of: address.address) { bytes in
          // An IPv4 address that an IPv6 socket sees (RFC 4291, section 2.5.5.2).
          let isMapped = Self.number(bytes[8..<16]) == 0 && Self.number(bytes[16..<20]) == 0xFFFF
          return isMapped
            ? .ipv4(UInt32(truncatingIfNeeded: Self.number(bytes[20..<24])))
            : .ipv6(Self.number(bytes[8..<16]))
        }
      default: self = .unknown
      }
    }

    private static func number(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt64 {
      bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
#endif
