public import CivilTime
import Interchange
import PhotoLibrary
public import SpotWatcher

/// What is sent in sum of a day or week: the first of what fired and what was passed by, with the
/// names of the places.
public struct AlertDigest: Hashable, Sendable, Identifiable {
  /// A place, and how often it fired.
  public struct Place: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// The number of firings.
    public var count: Int
  }

  /// A place that was passed by once.
  public struct Pass: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// The decision that kept it silent.
    public let kind: WatcherDecision.Kind
  }

  /// Thirteen characters of base32, of the time that it is of.
  public var id: String { SpotNotification.makeID(device: nil, spotID: "digest", time: end) }
  /// The first instant that it is of.
  public let start: Instant
  /// The instant after the last that it is of.
  public let end: Instant
  /// The offset of local time from UTC at the end, in minutes.
  let utcOffsetMinutes: Int
  /// The number of firings.
  public let firedCount: Int
  /// Where, the most often first, at most ``maximumPlaceCount``.
  public let fired: [Place]
  /// The decisions that kept visits back for good, and how many each, the most first.
  public let keptBack: [HistoryDigest.KeptBack]
  /// The number of spots passed by once without firing.
  public let passedByCount: Int
  /// The first of them, at most ``maximumPlaceCount``.
  public let passedBy: [Pass]

  /// So many places are named at most.
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

  /// Creates the digest of a period; `nil` where nothing fired and nothing was passed by, so that
  /// there is nothing to tell.
  ///
  /// - Parameters:
  ///   - digest: The sums of the period.
  ///   - period: The time that it is of.
  ///   - utcOffsetMinutes: The offset of local time from UTC at the end.
  ///   - name: Returns the name of the place that an entry is about.
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

  /// A name on one line without what cannot be seen, at most 40 characters long: journals that were
  /// tampered with may hold any text.
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

  /// `Your spots, 22 November`, or the days of a week.
  func title(in language: AlertLanguage) -> String {
    let last = end.advanced(bySeconds: -1)
    // A day is called by its end: that of nine in the evening is of this day and not of two.
    let isDay = end.seconds(since: start) < 2 * 86_400
    func day(_ instant: Instant) -> CivilDateTime {
      CivilDateTime(nearestTo: instant, utcOffsetMinutes: utcOffsetMinutes)
    }
    let words = language.words
    return words.digestTitle(words.days(from: day(isDay ? last : start), to: day(last)))
  }

  /// A line each for what fired, was kept back, and was passed by, where there is any:
  /// `3 fired: Arezzo ×2, Siena`.
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
