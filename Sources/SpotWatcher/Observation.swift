import CivilTime
import Spatial

/// A fix under consideration, with what is known for certain.
struct Observation {
  let fix: SharedFix
  let time: Instant
  let standpoint: Standpoint
  let now: Instant
  let isLive: Bool
  /// The device's slot.
  let slot: Int
  /// What fired on other devices; `nil` where there are none.
  let company: Company?
  /// How many notifications all devices together have had in the last minute, where these are as
  /// many as they may.
  let spentRate: Int?

  var coordinate: Coordinate { standpoint.coordinate }

  func decision(
    _ kind: WatcherDecision.Kind, figure: Double? = nil, limit: Double? = nil,
    waiting: WatcherDecision.Waiting? = nil
  ) -> WatcherDecision {
    WatcherDecision(kind, fix: fix, time: now, figure: figure, limit: limit, waiting: waiting)
  }
}
