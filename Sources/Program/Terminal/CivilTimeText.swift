package import CivilTime
import SpotAlerts

/// Times for display, in the machine's time zone.
package enum CivilTimeText {
  /// Returns the minute of an instant with its zone, for example `2026-05-16 10:35 UTC+02:00`.
  package static func minute(_ instant: Instant) -> String {
    bareMinute(instant) + " " + zone(at: instant)
  }

  /// Returns the minute of an instant without the zone, for example `2026-05-16 10:35`.
  package static func bareMinute(_ instant: Instant) -> String {
    String(
      instant.iso8601(utcOffsetMinutes: offset(at: instant)).prefix(16)
        .replacing("T", with: " "))
  }

  /// Returns the day and minute of an instant, for example `12 May 10:04`, with the year unless it
  /// is the current one.
  package static func dayAndMinute(_ instant: Instant, now: Instant = .now) -> String {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let local = CivilDateTime(nearestTo: instant, utcOffsetMinutes: offset(at: instant))
    let today = CivilDateTime(nearestTo: now, utcOffsetMinutes: offset(at: now))
    let year = local.year == today.year ? "" : " \(local.year)"
    return "\(local.day) \(months[local.month - 1])\(year) \(bareMinute(instant).suffix(5))"
  }

  /// Returns the midnight at the start of an instant's day.
  package static func midnight(before instant: Instant) -> Instant {
    let offset = offset(at: instant)
    let local = instant.advanced(bySeconds: Double(offset) * 60).millisecondsSince1970
    let day = Int64(86_400_000)
    let start = local - ((local % day) + day) % day
    return Instant(millisecondsSince1970: start - Int64(offset) * 60_000)
  }

  /// Parses a time typed by the user: `2026-05-12T10:04`, with a space instead of the `T` or with
  /// an offset; a date alone, which means noon of that day; or `10:04`, which means today. Returns
  /// `nil` for any other text.
  package static func instant(typed text: String, now: Instant) -> Instant? {
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

  /// Returns the offset of the machine's time zone from UTC at an instant, in minutes.
  package static func offset(at instant: Instant) -> Int {
    LocalClock.machine.utcOffsetMinutes(instant)
  }

  /// Returns the name of the machine's time zone at an instant, for example `UTC+02:00`.
  package static func zone(at instant: Instant) -> String {
    zone(offsetMinutes: offset(at: instant))
  }

  /// Returns the name of an offset: `UTC`, `UTC+02:00` or `UTC-03:30`.
  package static func zone(offsetMinutes offset: Int) -> String {
    guard offset != 0 else { return "UTC" }
    func twoDigits(_ number: Int) -> String { String(number).leftPadded(to: 2, with: "0") }
    let minutes = abs(offset)
    return "UTC\(offset < 0 ? "-" : "+")\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
  }
}

/// The time zone labels of a column of times: the first time has one, and each time after a change
/// of the UTC offset.
package struct ZoneLabel {
  private var offset: Int?
  private var width = 0

  /// Creates the label of the next time.
  package init() {}

  /// Returns the minute of the next time in the column, followed by its zone or by equally wide
  /// space.
  package mutating func minute(_ instant: Instant) -> String {
    let label = next(instant)
    width = max(width, label?.count ?? 0)
    return CivilTimeText.bareMinute(instant) + " " + (label ?? "").padded(to: width)
  }

  /// Returns the zone of the next time if it differs from the zone before.
  package mutating func next(_ instant: Instant) -> String? {
    let offset = CivilTimeText.offset(at: instant)
    defer { self.offset = offset }
    return self.offset == offset ? nil : CivilTimeText.zone(offsetMinutes: offset)
  }
}
