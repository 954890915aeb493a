public import CivilTime
import Encodings
import PhotoLibrary
public import SpotWatcher

/// A summary of a day or week: the numbers of firings, of suppressed visits, and of spots passed
/// once without a firing, with the names of the first places.
public struct AlertDigest: Hashable, Sendable, Identifiable {
  /// A place and its number of firings.
  public struct Place: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The number of firings.
    public var count: Int
  }

  /// A place that was passed once without firing.
  public struct Pass: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The decision that suppressed it.
    public let kind: WatcherDecision.Kind
  }

  /// Thirteen characters of base32, derived from the end of the period.
  public var id: String { SpotNotification.makeID(device: nil, spotID: "digest", time: end) }
  /// The start of the period.
  public let start: Instant
  /// The end of the period, not included.
  public let end: Instant
  /// The offset of local time from UTC at the end of the period, in minutes.
  let utcOffsetMinutes: Int
  /// The number of firings.
  public let firedCount: Int
  /// The places that fired most often, in descending order; at most ``maximumPlaceCount``.
  public let fired: [Place]
  /// The decisions that suppressed visits, with the numbers of visits, in descending order.
  public let keptBack: [HistoryDigest.KeptBack]
  /// The number of spots passed once without firing.
  public let passedByCount: Int
  /// The first of these spots, at most ``maximumPlaceCount``.
  public let passedBy: [Pass]

  /// The maximum number of named places.
  public static let maximumPlaceCount = 5

  init(
    start: Instant, end: Instant, utcOffsetMinutes: Int, firedCount: Int, fired: [Place],
    keptBack: [HistoryDigest.KeptBack], passedByCount: Int, passedBy: [Pass]
  ) {
    self.start = start
    self.end = end
    self.utcOffsetMinutes = utcOffsetMinutes
    self.firedCount = firedCount
    self.fired = fired.prefix(Self.maximumPlaceCount).map {
      Place(name: Self.cleaned($0.name), count: $0.count)
    }
    self.keptBack = keptBack
    self.passedByCount = passedByCount
    self.passedBy = passedBy.prefix(Self.maximumPlaceCount).map {
      Pass(name: Self.cleaned($0.name), kind: $0.kind)
    }
  }

  /// Creates the digest of a period; `nil` if nothing fired and no spot was passed once.
  ///
  /// - Parameters:
  ///   - digest: The summary of the period.
  ///   - period: The period.
  ///   - utcOffsetMinutes: The offset of local time from UTC at the end of the period.
  ///   - name: Returns the name of an entry's place.
  init?(
    of digest: HistoryDigest, in period: DigestSchedule.Period, utcOffsetMinutes: Int,
    name: (HistoryEntry) -> String
  ) {
    guard !digest.fired.isEmpty || !digest.passedBy.isEmpty else { return nil }
    var places: [Place] = []
    for entry in digest.fired {
      let name = name(entry)
      if let place = places.firstIndex(where: { $0.name == name }) {
        places[place].count += 1
      } else {
        places.append(Place(name: name, count: 1))
      }
    }
    places.sort { $0.count > $1.count }
    self.init(
      start: period.start, end: period.end, utcOffsetMinutes: utcOffsetMinutes,
      firedCount: digest.fired.count, fired: places, keptBack: digest.keptBack,
      passedByCount: digest.passedBy.count,
      passedBy: digest.passedBy.prefix(Self.maximumPlaceCount).compactMap { entry in
        entry.suppressedBy.map { Pass(name: name(entry), kind: $0) }
      })
  }

  /// Returns a name on one line, without invisible characters and truncated to 40 characters. A
  /// manipulated journal may contain any text.
  private static func cleaned(_ name: String) -> String {
    let visible = name.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
        .paragraphSeparator:
        false
      default: true
      }
    }
    guard visible.count > 40 else { return String(String.UnicodeScalarView(visible)) }
    return String(String.UnicodeScalarView(visible.prefix(39))) + "…"
  }

  // MARK: - Words

  /// Returns the title: `Your spots, 22 November`, or the days of a week.
  func title(in language: AlertLanguage) -> String {
    let last = end.advanced(bySeconds: -1)
    // A daily digest is named by the day of its end: a period that ends at nine in the evening
    // belongs to that day, not to two days.
    let isDay = end.seconds(since: start) < 2 * 86_400
    func day(_ instant: Instant) -> CivilDateTime {
      CivilDateTime(nearestTo: instant, utcOffsetMinutes: utcOffsetMinutes)
    }
    let words = language.words
    return words.digestTitle(words.days(from: day(isDay ? last : start), to: day(last)))
  }

  /// Returns a line each for firings, suppressed visits, and spots passed once without firing:
  /// `3 fired: Arezzo ×2, Siena`. Lines with the count zero are omitted.
  func lines(in language: AlertLanguage) -> [String] {
    let words = language.words
    var lines: [String] = []
    func add(_ count: Int, _ text: String, _ parts: [String], of total: Int) {
      guard count > 0 else { return }
      let more = total > parts.count ? [words.more(total - parts.count)] : []
      lines.append("\(text): \((parts + more).joined(separator: ", "))")
    }
    add(
      firedCount, words.fired(firedCount),
      fired.map { $0.count > 1 ? "\($0.name) ×\($0.count)" : $0.name },
      of: fired.count + max(0, firedCount - fired.reduce(0) { $0 + $1.count }))
    let keptBackCount = keptBack.reduce(0) { $0 + $1.count }
    add(
      keptBackCount, words.keptBack(keptBackCount),
      keptBack.map { "\($0.count) \(words.reason($0.kind) ?? $0.kind.rawValue)" },
      of: keptBack.count)
    add(
      passedByCount, words.passedBy(passedByCount),
      passedBy.map { "\($0.name) (\(words.reason($0.kind) ?? $0.kind.rawValue))" },
      of: passedByCount)
    return lines
  }
}
