#if HTTPServer
  import HTTPTypes
  import NIOCore
  import NIOHTTPTypes
  import Synchronization

  /// The open connections of a server, each assigned to a place.
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

    /// Returns the open connections. Connections opened later are closed at once.
    func end() -> [any Channel] {
      state.withLock { state in
        state.hasEnded = true
        return Array(state.channels.values)
      }
    }

    /// The maximum number of open connections with an admitted request.
    var admittedCount: Int { state.withLock { $0.places.admittedCount } }

    func admit(_ id: Int) { closeOne { $0.admit(id, at: NIODeadline.now().nanoseconds) } }

    func touch(_ id: Int, isBusy: Bool) {
      state.withLock {
        $0.places.touch(id, at: NIODeadline.now().nanoseconds, isBusy: isBusy)
      }
    }

    private func closeOne(_ choose: (inout ConnectionPlaces) -> Int?) {
      let channel = state.withLock { state in
        choose(&state.places).flatMap { state.channels[$0] }
      }
      channel?.close(promise: nil)
    }
  }

  /// Closes connections that lose their place to another, or whose client is too slow to be
  /// admitted, to send a request or to read an answer. So no client can occupy a place by sending
  /// or reading slowly.
  ///
  /// The duration of an answer is not limited: a stream of events lasts for days.
  final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let connections: OpenConnections
    private let limits: ConnectionLimits
    private let admits: (HTTPRequest) -> Bool
    private var id: Int?
    private var isAdmitted = false
    /// The requests whose answers have not ended.
    private var openRequests = 0
    /// The time by which the client must have sent a request; `nil` while it waits for an answer.
    private var requestDeadline: NIODeadline?
    /// The time by which the client must have read a part of the written bytes; `nil` while the
    /// channel is writable.
    private var writeDeadline: NIODeadline?
    private var timer: Scheduled<Void>?

    init(
      _ connections: OpenConnections, _ limits: ConnectionLimits,
      admits: @escaping (HTTPRequest) -> Bool
    ) {
      self.connections = connections
      self.limits = limits
      self.admits = admits
    }

    func handlerAdded(context: ChannelHandlerContext) {
      id = connections.open(context.channel)
      requestDeadline = .now() + .seconds(limits.admissionSeconds)
      schedule(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head):
        openRequests += 1
        if !isAdmitted, admits(head) {
          isAdmitted = true
          if let id { connections.admit(id) }
        }
        guard isAdmitted else { break }
        if let id { connections.touch(id, isBusy: true) }
        requestDeadline = .now() + .seconds(limits.requestSeconds)
      // The deadline for a request that is not admitted also covers its answer.
      case .end where isAdmitted && openRequests > 0: requestDeadline = nil
      default: break
      }
      schedule(context)
      context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      if case .end = unwrapOutboundIn(data) {
        openRequests -= 1
        if isAdmitted, openRequests == 0, let id { connections.touch(id, isBusy: false) }
        requestDeadline =
          .now() + .seconds(isAdmitted ? limits.requestSeconds : limits.admissionSeconds)
        schedule(context)
      }
      context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      let seconds = isAdmitted ? limits.writeSeconds : limits.admissionSeconds
      writeDeadline = context.channel.isWritable ? nil : .now() + .seconds(seconds)
      schedule(context)
      context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
      timer?.cancel()
      context.fireChannelInactive()
    }

    private var deadline: NIODeadline? {
      [requestDeadline, writeDeadline].compactMap(\.self).min()
    }

    /// Schedules a check of the deadlines at the next one. A timer that is set for an earlier time
    /// is kept, so that postponing a deadline costs nothing; it reschedules itself when it fires.
    private func schedule(_ context: ChannelHandlerContext) {
      guard let deadline, timer == nil || timerDeadline > deadline else { return }
      timer?.cancel()
      timerDeadline = deadline
      timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
        self.timer = nil
        if let deadline = self.deadline, deadline <= .now() {
          context.close(promise: nil)
        } else {
          self.schedule(context)
        }
      }
    }

    private var timerDeadline = NIODeadline.distantFuture
  }

  @available(*, unavailable)
  extension ConnectionGuard: Sendable {}

  extension NIODeadline {
    fileprivate var nanoseconds: UInt64 { uptimeNanoseconds }
  }

  extension ConnectionPlaces.Address {
    init(_ address: SocketAddress?) {
      // The offsets of the host in sockaddr_in and sockaddr_in6 (POSIX, netinet/in.h), which are
      // the same on all systems.
      switch address {
      case .v4(let address):
        self = .ipv4(
          withUnsafeBytes(of: address.address) {
            UInt32(truncatingIfNeeded: Self.number($0[4..<8]))
          })
      case .v6(let address):
        self = withUnsafeBytes(of: address.address) { bytes in
          // An IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2).
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
