package import CivilTime

/// The clock offsets of cameras given by the user, for example `Canon EOS 70D=+02:00:30`, or
/// `ZV-1=-06:00 from 2025-04-01 to 2025-04-03`.
package struct GivenClocks: Hashable {
  /// An offset during a time.
  private struct Entry: Hashable {
    /// The camera's name in lower case.
    let name: String
    /// The seconds by which the clock was ahead of UTC.
    let seconds: Double
    /// The first time on the clock; `nil` for no limit.
    var start: Instant?
    /// The time on the clock after the last; `nil` for no limit.
    var end: Instant?
    /// The times as written: ` from … to …`, or nothing.
    var times = ""

    func includes(_ time: Instant) -> Bool {
      start.map { $0 <= time } ?? true && end.map { time < $0 } ?? true
    }
  }

  /// The offsets, ordered by name and time.
  private var entries: [Entry] = []

  /// The maximum offset of a clock from UTC in seconds. A clock that was never set may be years
  /// off, but a mistake in setting one is at most a day.
  package static let maximumSeconds = 86_400.0

  /// Whether no clocks are given.
  package var isEmpty: Bool { entries.isEmpty }

  /// Creates an empty list of clocks.
  package init() {}

  /// Creates clocks; `nil` if a text is not of the form `CAMERA=+HH:MM` or `CAMERA=+HH:MM:SS`, with
  /// ` from TIME`, ` to TIME` or both after it. A time is as the camera shows it, `2025-04-01` or
  /// `2025-04-01T12:00`; a day is included as a whole.
  package init?(_ texts: [String]) {
    for text in texts {
      guard let entry = Self.entry(text) else { return nil }
      entries.removeAll { $0.name == entry.name && $0.times == entry.times }
      entries.append(entry)
    }
    entries.sort { ($0.name, $0.times) < ($1.name, $1.times) }
  }

  /// Returns the given seconds by which a camera's clock was ahead of UTC when it showed a time;
  /// `nil` if none is given. An offset for certain times takes precedence over one for all. The
  /// user's name of a camera is the model, the maker and the model, or `*` for all cameras.
  package func seconds(ofMake make: String?, model: String?, at time: Instant) -> Double? {
    let (make, model) = (make?.lowercased() ?? "", model?.lowercased() ?? "")
    for name in [model, "\(make) \(model)", "*"] {
      let all = entries.filter { $0.name == name && $0.includes(time) }
      if let found = all.first(where: { !$0.times.isEmpty }) ?? all.first { return found.seconds }
    }
    return nil
  }

  /// The clocks in the notation of the setting, ordered by name and time.
  package var texts: [String] {
    entries.map { "\($0.name)=\(ClockText.signed($0.seconds))\($0.times)" }
  }

  private static func entry(_ text: String) -> Entry? {
    guard let equals = text.lastIndex(of: "=") else { return nil }
    let name = text[..<equals].drop { $0.isWhitespace }
    let words = text[text.index(after: equals)...].split(separator: " ")
    guard !name.isEmpty, let first = words.first, let seconds = seconds(first) else { return nil }
    var entry = Entry(name: name.lowercased(), seconds: seconds)
    var rest = words.dropFirst()
    while let word = rest.popFirst() {
      guard let time = rest.popFirst(), let bounds = bounds(time) else { return nil }
      switch word {
      case "from" where entry.start == nil: entry.start = bounds.start
      case "to" where entry.end == nil: entry.end = bounds.end
      default: return nil
      }
      entry.times += " \(word) \(time)"
    }
    if let start = entry.start, let end = entry.end, end <= start { return nil }
    return entry
  }

  /// Returns the start of a day, a minute or a second, and of the next one.
  private static func bounds(_ text: Substring) -> (start: Instant, end: Instant)? {
    let isDay = text.utf8.count == 10
    let whole = isDay ? text + "T00:00:00" : text.utf8.count == 16 ? text + ":00" : text
    guard let (date, offset) = CivilDateTime.parse(iso8601: whole.utf8), offset == nil else {
      return nil
    }
    let start = date.instant()
    return (start, start.advanced(bySeconds: isDay ? 86_400 : text.utf8.count == 16 ? 60 : 1))
  }

  private static func seconds(_ text: Substring) -> Double? {
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    var total = 0.0
    for (part, unit) in zip(parts, [3600.0, 60, 1]) {
      guard (1...2).contains(part.utf8.count), part.utf8.allSatisfy({ (48...57).contains($0) }),
        let number = Double(part), unit == 3600 || number < 60
      else { return nil }
      total += number * unit
    }
    guard total <= maximumSeconds else { return nil }
    return sign == "-" ? -total : total
  }
}

/// The text form of clock offsets.
package enum ClockText {
  /// Returns an offset in seconds as `+02:00` or `+02:00:30`.
  package static func signed(_ seconds: Double) -> String {
    let whole = Int(saturating: seconds.magnitude.rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let text = "\(seconds < 0 ? "-" : "+")\(two(whole / 3600)):\(two(whole / 60 % 60))"
    return whole % 60 == 0 ? text : text + ":\(two(whole % 60))"
  }
}
