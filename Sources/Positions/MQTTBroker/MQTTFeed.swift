#if MQTT
  import CLibrary
  import Dispatch
  public import FeedSources
  import LocationFeeds

  /// Reads positions from an MQTT broker, in the format of OwnTracks.
  ///
  /// Only new messages are read. A *retained* message holds an earlier position of a device and is
  /// skipped, and the session is clean, so the broker stores no messages while this subscriber is
  /// away. Messages that the device itself stored have the time of their positions. If the broker
  /// cannot be reached, connecting is repeated.
  public enum MQTTFeed {
    /// Starts reading, on a thread of its own, until the inbox is stopped.
    ///
    /// - Parameters:
    ///   - address: The broker, user and topic.
    ///   - password: The user's password, if one is required.
    ///   - pace: The delays and time limits of reconnecting.
    ///   - inbox: Receives the positions and events.
    ///   - number: The number assigned to its items.
    public static func start(
      _ address: MQTTAddress, password: String?, pace: ConnectionPace = ConnectionPace(),
      into inbox: FeedInbox, as number: Int
    ) {
      var pace = pace
      // Phones that do not move send nothing for hours.
      pace.silence = .seconds(365 * 86_400)
      let reader = Reader(
        address: address, password: password, pace: pace, inbox: inbox, number: number)
      DispatchQueue(label: "photospots.mqtt").async { reader.run() }
    }

    /// The maximum length of a message in bytes; longer ones are refused.
    static let maximumLength = 4 << 20

    private struct Reader: Sendable {
      let address: MQTTAddress
      let password: String?
      let pace: ConnectionPace
      let inbox: FeedInbox
      let number: Int

      /// The interval between checks whether the inbox is stopped.
      private static let interval = Duration.seconds(1)

      /// Reads messages, and reconnects after failures, until the inbox is stopped.
      func run() {
        var schedule = ConnectionSchedule(pace, needsAnswer: true, now: .now)
        var connection: BrokerConnection?
        while !inbox.isStopped {
          let (step, time) = schedule.next
          let wait = min(max(ContinuousClock.now.duration(to: time), .zero), Self.interval)
          do throws(FeedOutage) {
            if let connection {
              try connection.wait(milliseconds: wait.milliseconds)
              if connection.isReady { report(schedule.didAnswer()) }
              for message in connection.takeMessages() { emit(message) }
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
            case .reportSilence, .wait: break
            }
          } catch {
            connection = nil
            report(schedule.didFail(error, now: .now))
          }
        }
      }

      private func report(_ event: FeedEvent?) {
        if let event { inbox.enqueue(.event(event), as: number) }
      }

      private func emit(_ message: BrokerConnection.Message) {
        let prefix = "owntracks/"
        let device =
          message.topic.hasPrefix(prefix)
          ? String(message.topic.dropFirst(prefix.count)) : message.topic
        // An empty message announces that a retained one was removed.
        guard !message.payload.isEmpty, !message.isTooLong else {
          let end = message.isTooLong ? ReportOutcome.refused(.unsupported) : .withoutPosition
          inbox.enqueue(.reports([], nil, FeedStatistics(end, of: device)), as: number)
          return
        }
        let (fixes, format, statistics) = FeedReader.message(in: [message.payload], device: device)
        inbox.enqueue(.reports(fixes, format, statistics), as: number)
      }
    }
  }

  extension Duration {
    /// The duration in milliseconds, rounded up so that a short wait does not become zero.
    var milliseconds: Int32 {
      let (seconds, attoseconds) = components
      return Int32(
        clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
  }
#endif
