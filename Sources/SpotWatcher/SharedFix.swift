import LocationFeeds

/// A fix that all decisions about it and the state of its device hold together: a fix is large, and
/// copying it for each took a third of the time of a decision.
struct SharedFix: Hashable, Sendable {
  private final class Storage: Sendable {
    let fix: LocationFix

    init(_ fix: LocationFix) { self.fix = fix }
  }

  private let storage: Storage

  init(_ fix: LocationFix) { storage = Storage(fix) }

  var fix: LocationFix { storage.fix }
  var device: String? { storage.fix.device }
  var speedMetersPerSecond: Double? { storage.fix.speedMetersPerSecond }
  var horizontalAccuracyMeters: Double? { storage.fix.horizontalAccuracyMeters }

  static func == (left: SharedFix, right: SharedFix) -> Bool {
    left.storage === right.storage || left.fix == right.fix
  }

  func hash(into hasher: inout Hasher) { hasher.combine(fix) }
}
