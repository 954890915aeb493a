import CivilTime
import Spatial

/// A fix being processed, with validated values and context.
struct Observation {
  let fix: SharedFix
  let time: Instant
  let standpoint: Standpoint
  let now: Instant
  let isLive: Bool
  /// The number that identifies the device in ``SharedFirings``.
  let deviceKey: Int
  /// The recent firings on all devices; `nil` if none of another device can affect the fix.
  let sharedFirings: SharedFirings?
  /// The number of notifications to all devices within the last minute if it reached the limit;
  /// otherwise `nil`.
  let spentRate: Int?

  var coordinate: Coordinate { standpoint.coordinate }

  func decision(
    _ kind: WatcherDecision.Kind, figure: Double? = nil, limit: Double? = nil,
    waiting: WatcherDecision.Waiting? = nil
  ) -> WatcherDecision {
    WatcherDecision(kind, fix: fix, time: now, figure: figure, limit: limit, waiting: waiting)
  }
}
