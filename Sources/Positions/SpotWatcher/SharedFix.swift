import LocationFeeds

/// A fix shared by the decisions about it and the state of its device. A fix is large, and copying
/// it took a third of the time of a decision.
///
/// It has value semantics, as an array does.
struct SharedFix: Hashable, Sendable {
  /// The storage, mutated only when uniquely referenced.
  private final class Storage: @unchecked Sendable {
    var fix: LocationFix

    init(_ fix: LocationFix) { self.fix = fix }
  }

  private var storage: Storage

  init(_ fix: LocationFix) { storage = Storage(fix) }

  /// Replaces the fix, in the same storage if it is uniquely referenced.
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

  /// Returns whether both share the same storage.
  func isIdentical(to other: SharedFix) -> Bool { storage === other.storage }

  static func == (left: SharedFix, right: SharedFix) -> Bool {
    left.storage === right.storage || left.fix == right.fix
  }

  func hash(into hasher: inout Hasher) { hasher.combine(fix) }
}
