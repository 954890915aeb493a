#if MQTT
  import CLibrary
  import Dispatch
  public import FeedSources
  import LocationFeeds

  /// Reads what an MQTT broker passes on, as OwnTracks sends it.
  ///
  /// The broker is asked for what comes from now on: a message that it *retained* tells where a
  /// device was when nobody looked, and is passed over, and it keeps none for this subscriber while
  /// that is away. A message that the device itself kept back has the time at which it was there. A
  /// broker that is not there is waited for.
  public enum MQTTFeed {
    /// Begins to read, on a thread of its own, until the inbox ends.
    ///
    /// - Parameters:
    ///   - address: The broker, user and topic.
    ///   - password: The user's password, where one is needed.
    ///   - pace: When a connection is made again.
    ///   - inbox: Gets what comes.
    ///   - number: The number that its items get.
    public static func start(
      _ address: MQTTAddress, password: String?, pace: ConnectionPace = ConnectionPace(),
      into inbox: FeedInbox, as number: Int
    ) {
      var pace = pace
      // Phones that stay where they are say nothing for hours.
      pace.silence = .seconds(365 * 86_400)
      let reader = Reader(
        address: address, password: password, pace: pace, inbox: inbox, number: number)
      DispatchQueue(label: "photospots.mqtt").async { reader.run() }
    }

    /// The longest message that is looked at, in bytes.
    static let maximumLength = 4 << 20

    private struct Reader: Sendable {
      let address: MQTTAddress
      let password: String?
      let pace: ConnectionPace
      let inbox: FeedInbox
      let number: Int

      /// How long the end of the inbox may go unnoticed.
      private static let interval = Duration.seconds(1)

      func run() {
        var schedule = ConnectionSchedule(pace, needsAnswer: true, now: .now)
        var connection: BrokerConnection?
        while !inbox.isStopped {
          let (step, time) = schedule.next
          let wait = min(max(ContinuousClock.now.duration(to: time), .zero), Self.interval)
          do throws(FeedOutage) {
            if let connection {
              try connection.wait(milliseconds: wait.milliseconds)
              if connection.isReady { tell(schedule.didAnswer()) }
              for message in connection.takeMessages() { give(message) }
            } else {
              poll(nil, 0, wait.milliseconds)
            }
            guard ContinuousClock.now >= time else { continue }
            switch step {
            case .open:
              connection = try BrokerConnection(
                to: address, password: password, reading: [address.topic])
              schedule.didOpen(now: .now)
            case .giveUp: throw .notBroker
            case .tellSilence, .wait: break
            }
          } catch {
            connection = nil
            tell(schedule.didFail(error, now: .now))
          }
        }
      }

      private func tell(_ event: FeedEvent?) {
        if let event { inbox.put(.event(event), as: number) }
      }

      private func give(_ message: BrokerConnection.Message) {
        let prefix = "owntracks/"
        let device =
          message.topic.hasPrefix(prefix)
          ? String(message.topic.dropFirst(prefix.count)) : message.topic
        // An empty message says that a retained one is gone.
        guard !message.payload.isEmpty else { return }
        let (fixes, format, statistics) = FeedReader.fixes(in: message.payload, device: device)
        inbox.put(.reports(fixes, format, statistics), as: number)
      }
    }
  }

  extension Duration {
    /// Rounded up, so that a wait is not cut to nothing.
    var milliseconds: Int32 {
      let (seconds, attoseconds) = components
      return Int32(
        clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
  }
#endif
