public import CivilTime
public import Foundation

extension Date {
  /// Creates the date of an instant.
  ///
  /// A date counts seconds as a `Double`, which holds each millisecond of the years 1 to 9999
  /// closely enough for ``CivilTime/Instant/init(_:)`` to return the same instant.
  public init(_ instant: Instant) {
    self.init(timeIntervalSince1970: Double(instant.millisecondsSince1970) / 1000)
  }
}

extension Instant {
  /// Creates the instant of a date, rounded to the millisecond.
  ///
  /// A date beyond the range of an instant becomes the nearest instant, and a date that is not a
  /// number becomes 1970-01-01T00:00:00Z.
  public init(_ date: Date) {
    self = Instant(millisecondsSince1970: 0).advanced(bySeconds: date.timeIntervalSince1970)
  }
}
