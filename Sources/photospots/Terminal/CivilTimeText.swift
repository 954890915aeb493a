import CivilTime
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

  /// The day and the minute of an instant: `12 May 10:04`, and the year where it is not this one.
  static func dayAndMinute(_ instant: Instant, now: Instant = .now) -> String {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let local = CivilDateTime(nearestTo: instant, utcOffsetMinutes: offset(at: instant))
    let today = CivilDateTime(nearestTo: now, utcOffsetMinutes: offset(at: now))
    let year = local.year == today.year ? "" : " \(local.year)"
    return "\(local.day) \(months[local.month - 1])\(year) \(bareMinute(instant).suffix(5))"
  }

  /// The midnight that the day of an instant begins with.
  static func midnight(before instant: Instant) -> Instant {
    let offset = offset(at: instant)
    let local = instant.advanced(bySeconds: Double(offset) * 60).millisecondsSince1970
    let day = Int64(86_400_000)
    let start = local - ((local % day) + day) % day
    return Instant(millisecondsSince1970: start - Int64(offset) * 60_000)
  }

  /// The instant of a time that is typed: `2026-05-12T10:04`, the same with a space or an offset, a
  /// date alone, whose middle is meant, or `10:04` of today; `nil` for anything else.
  static func instant(typed text: String, now: Instant) -> Instant? {
    var text = text
    if text.utf8.count <= 5, text.contains(":") {
      text = bareMinute(now).prefix(11) + (text.utf8.count == 4 ? "0" : "") + text
    }
    guard let (time, offset) = CivilDateTime.parse(iso8601: text.utf8) else { return nil }
    let isDate = text.utf8.count == 10
    let guess = time.instant(utcOffsetMinutes: offset ?? self.offset(at: now))
    let instant = time.instant(utcOffsetMinutes: offset ?? self.offset(at: guess))
    return isDate ? instant.advanced(bySeconds: 43_200) : instant
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
