import Interchange
import SpotAlerts

/// Times for people, who read the time of the machine's zone.
enum CivilTimeText {
  /// The minute of an instant and its zone: `2026-05-16 10:35 UTC+02:00`.
  static func minute(_ instant: Instant) -> String {
    bareMinute(instant) + " " + zone(at: instant)
  }

  /// The minute of an instant, where its zone stands elsewhere: `2026-05-16 10:35`.
  static func bareMinute(_ instant: Instant) -> String {
    String(
      instant.iso8601(utcOffsetMinutes: offset(at: instant)).prefix(16)
        .replacing("T", with: " "))
  }

  /// The offset of the machine's zone from UTC at an instant, in minutes.
  static func offset(at instant: Instant) -> Int { LocalClock.machine.utcOffsetMinutes(instant) }

  /// The machine's zone at an instant: `UTC+02:00`.
  static func zone(at instant: Instant) -> String { zone(offsetMinutes: offset(at: instant)) }

  /// `UTC`, `UTC+02:00`, `UTC-03:30`.
  static func zone(offsetMinutes offset: Int) -> String {
    guard offset != 0 else { return "UTC" }
    func twoDigits(_ number: Int) -> String { String(number).leftPadded(to: 2, with: "0") }
    let minutes = abs(offset)
    return "UTC\(offset < 0 ? "-" : "+")\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
  }
}

/// Names the zone of a column of times once, and again where summer time begins or ends.
struct ZoneLabel {
  private var offset: Int?
  private var width = 0

  /// The minute of the next time of the column, with its zone or the space of it.
  mutating func minute(_ instant: Instant) -> String {
    let label = next(instant)
    width = max(width, label?.count ?? 0)
    return CivilTimeText.bareMinute(instant) + " " + (label ?? "").padded(to: width)
  }

  /// The zone of the next time, where it was not named yet.
  mutating func next(_ instant: Instant) -> String? {
    let offset = CivilTimeText.offset(at: instant)
    defer { self.offset = offset }
    return self.offset == offset ? nil : CivilTimeText.zone(offsetMinutes: offset)
  }
}
