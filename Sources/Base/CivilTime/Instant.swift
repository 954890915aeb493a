/// A moment in time, to the millisecond, on the UTC time scale without leap seconds (POSIX time).
public struct Instant: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z; negative before.
  public var millisecondsSince1970: Int64

  /// Creates an instant from milliseconds since 1970-01-01T00:00:00Z.
  public init(millisecondsSince1970: Int64) {
    self.millisecondsSince1970 = millisecondsSince1970
  }

  /// Creates an instant from whole seconds since 1970-01-01T00:00:00Z.
  ///
  /// - Precondition: The product with 1000 fits in an `Int64`.
  public init(secondsSince1970: Int64) {
    millisecondsSince1970 = secondsSince1970 * 1000
  }

  /// Whether the left instant is the earlier one.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.millisecondsSince1970 < right.millisecondsSince1970
  }

  /// Returns the seconds from `earlier` to this instant; negative if `earlier` is later.
  public func seconds(since earlier: Instant) -> Double {
    (Double(millisecondsSince1970) - Double(earlier.millisecondsSince1970)) / 1000
  }

  /// Returns the instant a number of seconds after this one, rounded to the millisecond.
  ///
  /// The result is clamped to the range of `Int64`. NaN returns the instant unchanged.
  public func advanced(bySeconds seconds: Double) -> Instant {
    guard !seconds.isNaN else { return self }
    let sum = Double(millisecondsSince1970) + (seconds * 1000).rounded()
    let inRange = min(max(sum, -9.2e18), 9.2e18)
    return Instant(millisecondsSince1970: Int64(saturating: inRange))
  }
}

extension Instant {
  /// Returns the instants from this one to another, both included; only this one if the other is
  /// earlier.
  public func through(_ end: Instant) -> ClosedRange<Instant> {
    ClosedRange(uncheckedBounds: (lower: self, upper: max(self, end)))
  }

  /// Shadows the operator of the standard library, which traps if the end is earlier: the bounds
  /// come from clocks, cameras and feeds.
  @available(*, deprecated, message: "use through(_:)")
  public static func ... (start: Instant, end: Instant) -> ClosedRange<Instant> {
    start.through(end)
  }

  /// Shadows the operator of the standard library, which traps if the end is earlier.
  @available(*, deprecated, message: "compare the instants")
  public static func ..< (start: Instant, end: Instant) -> Range<Instant> {
    Range(uncheckedBounds: (lower: start, upper: max(start, end)))
  }
}
