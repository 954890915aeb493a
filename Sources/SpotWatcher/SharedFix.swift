import LocationFeeds

/// A fix that all decisions about it and the state of its device hold together: a fix is large, and
/// copying it for each took a third of the time of a decision.
///
/// A value: what holds it sees the same fix for good, as with an array.
struct SharedFix: Hashable, Sendable {
  /// Changed only where nobody else holds it.
  private final class Storage: @unchecked Sendable {
    var fix: LocationFix

    init(_ fix: LocationFix) { self.fix = fix }
  }

  private var storage: Storage

  init(_ fix: LocationFix) { storage = Storage(fix) }

  /// Becomes another fix, in the same memory where nobody else holds it.
  mutating func replace(with fix: LocationFix) {
    if isKnownUniquelyReferenced(&storage) {
      storage.fix = fix
    } else {
      storage = Storage(fix)
    }
  }

  var fix: LocationFix { storage.fix }
  var speedMetersPerSecond: Double? { storage.fix.speedMetersPerSecond }
  var horizontalAccuracyMeters: Double? { storage.fix.horizontalAccuracyMeters }

  /// Whether both are the same memory.
  func isIdentical(to other: SharedFix) -> Bool { storage === other.storage }

  static func == (left: SharedFix, right: SharedFix) -> Bool {
    left.storage === right.storage || left.fix == right.fix
  }

  func hash(into hasher: inout Hasher) { hasher.combine(fix) }
}
