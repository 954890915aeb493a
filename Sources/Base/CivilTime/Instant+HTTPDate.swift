extension Instant {
  /// Parses an HTTP date such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7,
  /// `IMF-fixdate`).
  ///
  /// The day of the week is not checked. Returns `nil` for the obsolete date formats and for any
  /// other text.
  package init?(httpDate text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 6, words[4].utf8.count == 8, words[5] == "GMT",
      let month = Self.months.firstIndex(of: words[2])
    else { return nil }
    let twoDigits = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    self.init(iso8601: "\(words[3])-\(twoDigits)-\(words[1])T\(words[4])Z")
  }

  /// The instant as an HTTP date, to the second; see ``init(httpDate:)``.
  package var httpDate: String {
    let shown = CivilDateTime(nearestTo: self, utcOffsetMinutes: 0)
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = "\(number)"
      return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }
    // 1 January 1970 was a Thursday.
    let dayNumber = Int(CivilDay(self).days(since: CivilDay(Instant(secondsSince1970: 0))))
    let weekday = Self.weekdays[((dayNumber % 7) + 7) % 7]
    let time = [shown.hour, shown.minute, shown.second].map { padded($0, 2) }
    return """
      \(weekday), \(padded(shown.day, 2)) \(Self.months[shown.month - 1]) \
      \(padded(shown.year, 4)) \(time.joined(separator: ":")) GMT
      """
  }

  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months: [Substring] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
