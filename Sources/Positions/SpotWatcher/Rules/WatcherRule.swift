/// A rule that prevents too frequent alerts and can be turned off by its name.
///
/// The rules for the user's own restrictions (mutes, quiet hours, filters) have settings instead.
/// The order of the cases is that of decisions, of the documentation, and of all lists shown to
/// users.
public enum WatcherRule: String, Hashable, Sendable, CaseIterable, Comparable {
  /// A fix at an unreachable position is rejected, even if a second one agrees with it.
  case jumps
  /// The cooldown runs from the end of the last stay, multiplied by the number of recent days with
  /// a stay.
  case routine
  /// A firing silences the spots close to it.
  case siblings
  /// A firing on another device carried along counts for this one.
  case devices
  /// Only the newest fix of a late burst is decided.
  case bursts
  /// A spot entered in a vehicle waits until the device has been slow for a time.
  case vehicles
  /// After a first fix or a gap in the fixes, a spot fires only after a stay.
  case coldStart
  /// Close to the last alert, the minimum interval is longer.
  case towns

  /// Compares the order in `allCases`, which is the order of decisions.
  public static func < (left: WatcherRule, right: WatcherRule) -> Bool {
    left.place < right.place
  }

  private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
