/// A rule that keeps alerts from nagging, which can be turned off by its name.
///
/// The rules for what the user silences (mutes, quiet hours, filters) have settings of their own.
/// The order is that in which a visit is decided, of the documentation, and of all lists that users
/// see.
public enum WatcherRule: String, Hashable, Sendable, CaseIterable, Comparable {
  /// A fix that the device cannot have reached is not believed, even when a second agrees.
  case jumps
  /// The cooldown runs from when the device was last there, times the number of days it was there
  /// lately.
  case routine
  /// A firing silences the spots close to it.
  case siblings
  /// What fired on another device that is along counts as fired.
  case devices
  /// A burst of late fixes is decided on its newest one.
  case bursts
  /// A spot that is entered in a vehicle waits until the device was slow for a time.
  case vehicles
  /// After a first fix or a gap in the fixes, a spot must be stayed at before it fires.
  case coldStart
  /// Near the last alert the next one waits longer.
  case towns

  /// In the order of ``allCases``, which is the order of the decisions.
  public static func < (left: WatcherRule, right: WatcherRule) -> Bool {
    left.place < right.place
  }

  private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
