public import CivilTime
public import LocationFeeds
public import PhotoLibrary
import Spatial
public import SpotWatcher

/// The history that a recorded feed would have produced, and the nearest approaches to some spots.
///
/// ```swift
/// var feed = FeedHistory(spots: spots, asking: [spot], settings: settings)
/// for fix in track { feed.process(fix) }
/// for entry in feed.history { print(entry.time, entry.explanation) }
/// ```
public struct FeedHistory: Sendable {
  /// The nearest approach of a device to a spot.
  public struct Approach: Hashable, Sendable {
    /// The distance in metres between the spot and the nearest fix; the path between fixes does not
    /// count.
    public let meters: Double
    /// The time of the approach.
    public let time: Instant
  }

  /// The nearest approach to each requested spot, by spot id.
  public private(set) var approaches: [String: Approach] = [:]
  private let asked: [PhotoSpot]
  private var watcher: LocationWatcher
  private var contents = JournalContents()

  /// Creates an empty history.
  ///
  /// - Parameters:
  ///   - spots: All spots.
  ///   - asked: The spots whose approaches are recorded.
  ///   - settings: The settings of the watcher.
  ///   - localClock: The local clock.
  public init(
    spots: SpotIndex, asking asked: [PhotoSpot], settings: WatcherSettings,
    localClock: LocalClock = .fixed(utcOffsetMinutes: 0)
  ) {
    self.asked = asked
    watcher = LocationWatcher(spots: spots, settings: settings, localClock: localClock)
  }

  /// The history so far, oldest first.
  public var history: [HistoryEntry] { contents.history }

  /// Processes the next fix; one without a time is skipped.
  public mutating func process(_ fix: LocationFix) {
    guard let time = fix.time else { return }
    if let position = fix.coordinate {
      for spot in asked {
        let meters = position.distance(to: spot.coordinate)
        if meters < approaches[spot.id]?.meters ?? .infinity {
          approaches[spot.id] = Approach(meters: meters, time: time)
        }
      }
    }
    note(watcher.evaluate(fix, now: time, isLive: false))
  }

  private mutating func note(_ decisions: [WatcherDecision]) {
    for decision in decisions {
      let event =
        decision.notification.map { JournalEvent.fired($0, notifiers: []) }
        ?? JournalEvent(of: decision, watcher.spots)
      if let event { contents.apply(JournalRecord(recorded: decision.time, event: event)) }
    }
  }
}
