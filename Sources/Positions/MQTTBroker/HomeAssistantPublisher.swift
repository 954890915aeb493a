#if MQTT
  import CLibrary
  import Dispatch
  public import FeedSources
  public import HomeAssistant
  public import LocationFeeds
  public import SpotAlerts
  import SpotWatcher
  import Synchronization
  public import SystemPackage

  /// Publishes devices, spots and alerts to Home Assistant, over one MQTT connection that lasts as
  /// long as the watch.
  ///
  /// A ``HomeAssistant/HomeBoard`` decides what is published and when. This class connects, with a
  /// last will that makes Home Assistant show all entities as unavailable, and reconnects when the
  /// connection breaks. An alert counts as delivered when the broker has acknowledged all of its
  /// messages.
  public final class HomeAssistantPublisher: Notifier {
    /// An event that the user may want to know about.
    public enum Event: Hashable, Sendable, CustomStringConvertible {
      /// The connection to the broker broke, or was established again.
      case connection(FeedEvent)
      /// There are more devices than are published.
      case tooManyDevices

      /// The event, in one line.
      public var description: String {
        switch self {
        case .connection(let event): "\(event)"
        case .tooManyDevices:
          "\(HomeBoard.maximumDeviceCount) devices are announced; further devices are not"
        }
      }
    }

    /// The notifier's name: `home-assistant`.
    public let name = "home-assistant"

    private let address: MQTTAddress
    private let password: String?
    private let pace: ConnectionPace
    private let limitSeconds: Double
    private let picture: (@Sendable (FilePath) async -> [UInt8]?)?
    private let report: @Sendable (Event) -> Void
    private let state: Mutex<State>
    private let group = DispatchGroup()

    private struct State {
      var board: HomeBoard
      var deliveries: [Delivery] = []
      var isRunning = false
      var isStopped = false
    }

    /// An alert that waits to be published.
    private struct Delivery {
      let alert: Alert
      let picture: [UInt8]?
      let ending: DeliveryEnding
    }

    /// A published alert, and the numbers of its messages that the broker has not acknowledged. The
    /// number 0, which no message has, is replaced when the messages are published.
    private struct Publication {
      let ending: DeliveryEnding
      var numbers: Set<CInt> = [0]
    }

    /// The interval in milliseconds at which due messages are published.
    private static let intervalMilliseconds: Int32 = 200
    /// The time limit in milliseconds for publishing the final availability, `offline`.
    private static let farewellMilliseconds: Int32 = 2000

    /// Creates a publisher, which ``start()`` or the first alert starts.
    ///
    /// - Parameters:
    ///   - address: The broker and the user; its topic is ignored in favour of the board's.
    ///   - password: The user's password, if one is required.
    ///   - board: The devices known so far.
    ///   - pace: The delays and time limits of reconnecting.
    ///   - limitSeconds: The time limit for an alert.
    ///   - picture: Creates a small JPEG file of a photo; `nil` publishes no pictures.
    ///   - report: Receives events that the user may want to know about; called on any thread.
    public init(
      address: MQTTAddress, password: String?, board: HomeBoard,
      pace: ConnectionPace = ConnectionPace(), limitSeconds: Double = 30,
      picture: (@Sendable (FilePath) async -> [UInt8]?)? = nil,
      report: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
      self.address = address
      self.password = password
      var pace = pace
      // Silence of Home Assistant does not affect the connection.
      pace.silence = .seconds(365 * 86_400)
      self.pace = pace
      self.limitSeconds = limitSeconds
      self.picture = picture
      self.report = report
      state = Mutex(State(board: board))
    }

    /// Connects on a thread of its own, unless that was done already.
    public func start() {
      let isNew = state.withLock { state in
        defer { state.isRunning = true }
        return !state.isRunning && !state.isStopped
      }
      guard isNew else { return }
      DispatchQueue(label: "photospots.home").async(group: group) { [self] in run() }
    }

    /// Publishes the availability `offline`, and disconnects. Blocks the thread.
    ///
    /// - Parameter seconds: The time limit. If it is exceeded, the broker publishes the last will
    ///   instead.
    public func stop(withinSeconds seconds: Double = 5) {
      let isRunning = state.withLock { state in
        state.isStopped = true
        return state.isRunning
      }
      guard isRunning else { return }
      _ = group.wait(timeout: .now() + seconds)
    }

    /// Updates the spots around a device.
    public func note(_ surroundings: HomeSurroundings, of device: String?) {
      if state.withLock({ $0.board.note(surroundings, of: device) }) { report(.tooManyDevices) }
    }

    /// Sets an alert of an earlier run as the last one of its device, if none is known.
    public func restore(_ alert: Alert) { state.withLock { $0.board.restore(alert) } }

    /// Publishes an alert. Starts the publisher if it was not started.
    public func deliver(_ alert: Alert) async -> DeliveryResult {
      let ending = DeliveryEnding()
      var cover: [UInt8]?
      if let picture, let photo = alert.notification?.spot.cover { cover = await picture(photo) }
      let delivery = Delivery(alert: alert, picture: cover, ending: ending)
      let isStopped = state.withLock { state in
        if !state.isStopped { state.deliveries.append(delivery) }
        return state.isStopped
      }
      if isStopped { return .failed("the connection to the broker is closed") }
      start()
      DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + limitSeconds) {
        [limitSeconds] in
        ending.end(.failed("the broker took longer than \(limitSeconds) s"))
      }
      return await withTaskCancellationHandler {
        await ending.result
      } onCancel: {
        ending.end(.failed("interrupted before the broker accepted it"))
      }
    }

    // MARK: - The thread

    /// Publishes messages, and reconnects after failures, until the publisher is stopped.
    private func run() {
      var schedule = ConnectionSchedule(pace, needsAnswer: true, now: .now)
      var connection: BrokerConnection?
      var isGreeted = false
      var publications: [Publication] = []
      while !state.withLock({ $0.isStopped }) {
        let (step, time) = schedule.next
        do throws(FeedOutage) {
          if let connection {
            try connection.wait(milliseconds: Self.intervalMilliseconds)
            if connection.isReady {
              report(schedule.didAnswer())
              try publish(isFirst: !isGreeted, over: connection, &publications)
              isGreeted = true
            }
          } else {
            pause(until: time)
          }
          guard ContinuousClock.now >= time else { continue }
          switch step {
          case .open:
            connection = try connect()
            isGreeted = false
            schedule.didOpen(now: .now)
          case .giveUp: throw .notBroker
          case .reportSilence, .wait: break
          }
        } catch {
          connection = nil
          report(schedule.didFail(error, now: .now))
          end(&publications, .failed("\(error)"))
        }
      }
      if let connection, isGreeted { sayFarewell(over: connection, &publications) }
      end(&publications, .failed("interrupted before the broker accepted it"))
    }

    private func report(_ event: FeedEvent?) {
      if let event { report(.connection(event)) }
    }

    private func connect() throws(FeedOutage) -> BrokerConnection {
      let (topics, will) = state.withLock {
        ($0.board.topics, $0.board.availability(isOnline: false))
      }
      return try BrokerConnection(
        to: address, password: password, reading: [topics.birth],
        will: .init(topic: will.topic, payload: will.payload))
    }

    private func pause(until time: ContinuousClock.Instant) {
      let wait = ContinuousClock.now.duration(to: time)
      poll(nil, 0, min(max(wait, .zero).milliseconds, Self.intervalMilliseconds))
    }

    /// Publishes all due messages, and ends the deliveries that the broker has acknowledged.
    private func publish(
      isFirst: Bool, over connection: BrokerConnection, _ publications: inout [Publication]
    ) throws(FeedOutage) {
      let heard = connection.takeMessages()
      let (messages, alerts) = state.withLock { state in
        for message in heard where message.topic == state.board.topics.birth {
          state.board.didHear(message.payload, now: .now)
        }
        let messages =
          isFirst ? state.board.greeting(now: .now) : state.board.messagesDue(now: .now)
        var alerts: [(ending: DeliveryEnding, messages: [HomeMessage])] = []
        for delivery in state.deliveries where !delivery.ending.isOver {
          let messages = state.board.messages(of: delivery.alert, picture: delivery.picture)
          alerts.append((delivery.ending, messages))
        }
        state.deliveries = []
        return (messages, alerts)
      }
      // The publications are recorded before their messages are sent, so that each ends if the
      // connection breaks.
      let first = publications.count
      publications += alerts.map { Publication(ending: $0.ending) }
      try publish(messages, over: connection)
      for (place, alert) in alerts.enumerated() {
        publications[first + place].numbers = try publish(alert.messages, over: connection)
      }
      let taken = connection.takeAcknowledgedNumbers()
      for place in publications.indices {
        publications[place].numbers.subtract(taken)
        if publications[place].numbers.isEmpty { publications[place].ending.end(.delivered) }
      }
      publications.removeAll { $0.ending.isOver }
    }

    /// Publishes messages.
    ///
    /// - Returns: The numbers of the messages.
    @discardableResult
    private func publish(
      _ messages: [HomeMessage], over connection: BrokerConnection
    ) throws(FeedOutage) -> Set<CInt> {
      var numbers: Set<CInt> = []
      for message in messages {
        numbers.insert(
          try connection.publish(
            message.payload, to: message.topic, isRetained: message.isRetained))
      }
      return numbers
    }

    /// Ends all open deliveries with a result.
    private func end(_ publications: inout [Publication], _ result: DeliveryResult) {
      let deliveries = state.withLock { state in
        defer { state.deliveries = [] }
        return state.deliveries
      }
      for ending in deliveries.map(\.ending) + publications.map(\.ending) { ending.end(result) }
      publications = []
    }

    /// Publishes the remaining messages, and finally the availability `offline`.
    private func sayFarewell(
      over connection: BrokerConnection, _ publications: inout [Publication]
    ) {
      do throws(FeedOutage) {
        try publish(isFirst: false, over: connection, &publications)
        let message = state.withLock { $0.board.availability(isOnline: false) }
        let number = try connection.publish(
          message.payload, to: message.topic, isRetained: message.isRetained)
        let end = ContinuousClock.now + .milliseconds(Int64(Self.farewellMilliseconds))
        while connection.lastAcknowledged != number, ContinuousClock.now < end {
          try connection.wait(milliseconds: Self.intervalMilliseconds)
        }
      } catch {
        // The broker then publishes the last will, which has the same content.
      }
    }
  }
#endif
