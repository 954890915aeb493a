import CivilTime
import LocationFeeds
import PhotoLibrary
import Spatial
import Testing
import WatchScenes

@testable import SpotAlerts
@testable import SpotWatcher

/// The sentence for every kind of decision, with and without its figures.
@Suite struct DecisionSentenceTests {
  /// A decision's kind and figures, and its reason in a few words.
  struct Reason: CustomTestStringConvertible {
    let kind: WatcherDecision.Kind
    let figure: Double?
    let limit: Double?
    let text: String

    let days: Int?

    init(
      _ kind: WatcherDecision.Kind, _ figure: Double?, _ limit: Double?, _ text: String,
      days: Int? = nil
    ) {
      (self.kind, self.figure, self.limit, self.text) = (kind, figure, limit, text)
      self.days = days
    }

    var testDescription: String { text }
  }

  static let reasons: [Reason] = [
    Reason(.invalid, 3600, 60, "no valid position or time"),
    Reason(.late, 10, nil, "not newer than the last fix"),
    Reason(.stale, 3600, 900, "too old to fire"),
    Reason(.inaccurate, 200, 100, "too inaccurate"),
    Reason(.jump, 900, nil, "implausibly far from the last position"),
    Reason(.unmoved, 3, 10, "has not moved"),
    Reason(.clear, nil, nil, "no spot near"),
    Reason(.inside, nil, nil, "already here"),
    Reason(.leaving, nil, 140, "beyond the radius, but not left yet"),
    Reason(.exit, 600, 140, "left"),
    Reason(.lapsed, 600, 140, "left while it waited"),
    Reason(.dwelling, 30, 600, "did not stay for 10 min"),
    Reason(.notify, nil, nil, "fires"),
    Reason(.alsoNear, nil, nil, "named in the notification about another spot"),
    Reason(.paced, 60, 300, "waits: the last notification was 60 s before, interval 5 min"),
    Reason(.paced, -60, 300, "waits: the last notification was 60 s later, interval 5 min"),
    Reason(.cooldown, 7200, 86_400, "it fired 2 h before, and it stays silent for 24 h"),
    Reason(.cooldown, -7200, 86_400, "it fires 2 h later, and it stays silent for 24 h"),
    Reason(.cooldown, 0, 86_400 * 365, "it fired at the same time, and it stays silent for 365 d"),
    Reason(.cooldown, -0.4, 86_400, "it fired at the same time, and it stays silent for 24 h"),
    Reason(.paced, 0, 300, "waits: the last notification was at the same time, interval 5 min"),
    Reason(
      .sibling, 0.4, 86_400, "a nearby spot fired at the same time, which silences it for 24 h"),
    Reason(.shared, 0, 600, "it fired at the same time on another device nearby"),
    Reason(
      .familiar, 0, 691_200,
      "you had just been there, and on 3 recent days, which silences it for 8 d", days: 3),
    Reason(.recreated, 0, 86_400, "you had just taken it again, and it stays silent for 24 h"),
    Reason(.sibling, 300, 172_800, "a nearby spot fired 5 min before, which silences it for 2 d"),
    Reason(.shared, 30, 600, "it had fired 30 s before on another device nearby"),
    Reason(.muted, nil, nil, "it is muted"),
    Reason(.muted, 40, 300, "a muted zone of 300 m applies there"),
    Reason(.quiet, 1350, 420, "quiet hours last until 07:00"),
    Reason(.quiet, 1350, 0, "quiet hours last until 00:00"),
    Reason(.burst, 400, 300, "waits: the fix came 6 min late, and newer ones may follow"),
    Reason(.tooFast, 30.6, 20, "waits: at 31 km/h, above 20 km/h"),
    Reason(.arriving, 45, 90, "waits: slow for 45 s of the required 90 s"),
    Reason(.settling, 20, 60, "waits: positions have agreed for 20 s of the required 60 s"),
    Reason(.halted, 41.6, 80, "waits: the vehicle may go on (free with 42 %, 80 % needed)"),
    Reason(.unconfirmed, nil, nil, "waits: a second position must confirm that you are slow"),
    Reason(.uncertain, 60.4, 85, "waits: there with 60 %, 85 % needed"),
    Reason(
      .familiar, 345_600, 691_200,
      "you had been there 4 d before and on 3 recent days, which silences it for 8 d",
      days: 3),
    Reason(
      .familiar, 7200, 86_400, "you had been there 2 h before, which silences it for 24 h", days: 1),
    Reason(
      .tooRecent, 3600, 86_400, "its oldest photo was 60 min old, and at least 24 h are required"),
    Reason(.tooRecent, -7200, 86_400, "its photos were taken later"),
    Reason(.filtered, 0, 1, "none of its photos is a favourite, and only such spots fire"),
    Reason(
      .recreated, 259_200, 2_592_000,
      "you had taken it again 3 d before, and it stays silent for 30 d"),
    Reason(.disabled, nil, nil, "notifications were switched off"),
    Reason(.overBudget, 5, 5, "5 had fired that day, of a budget of 5"),
    Reason(
      .reserved, 1, 4,
      "it has 1 photo, and the rest of that day's budget was reserved for spots with 4 or more"),
    Reason(
      .reserved, 3, 4,
      "it has 3 photos, and the rest of that day's budget was reserved for spots with 4 or more"),
    Reason(.overRate, 6, 6, "the limit of 6 alerts a minute was reached"),
  ]

  @Test(arguments: reasons) func `each kind of decision is described by its reason and figures`(
    _ row: Reason
  ) {
    let fix = LocationFix(time: noon, latitude: 48.8584, longitude: 2.2945)
    let decision = WatcherDecision(
      row.kind, fix: SharedFix(fix), time: noon, figure: row.figure, limit: row.limit,
      days: row.days)
    #expect(decision.reason == row.text)
  }

  @Test func `the table covers every kind of decision, with a distinct reason for each`() {
    #expect(Set(Self.reasons.map(\.kind)) == Set(WatcherDecision.Kind.allCases))
    for kind in WatcherDecision.Kind.allCases {
      let words = Set(Self.reasons.filter { $0.kind == kind }.map(\.text))
      let others = Set(Self.reasons.filter { $0.kind != kind }.map(\.text))
      #expect(words.isDisjoint(with: others), "\(kind) reads as another kind does")
    }
  }

  /// `replay` said "fired 11 min ago" of a visit of last year, and `why` had another sentence.
  @Test(arguments: reasons) func `a refusal has one sentence, in a replay and in the history`(
    _ row: Reason
  ) {
    guard let refusal = row.kind.refusal(row.figure, row.limit, days: row.days) else { return }
    #expect(row.text == refusal && !row.text.contains(" ago"))
  }

  // MARK: - History

  /// An entry of the history, and its explanation.
  struct Visit: CustomTestStringConvertible {
    let kind: HistoryEntry.Kind
    let decision: WatcherDecision.Kind?
    var figure: Double?
    var limit: Double?
    var days: Int?
    var closest: Double? = 40
    /// The seconds after which the device left.
    var stay: Double?
    let text: String

    var testDescription: String { text }

    var entry: HistoryEntry {
      HistoryEntry(
        kind: kind, time: noon, recorded: noon, device: "phone", spotID: "a", coordinate: .tower,
        notification: nil, suppressedBy: decision, figure: figure, limit: limit, days: days,
        closestMeters: closest, left: stay.map { noon.advanced(bySeconds: $0) }, deliveries: [])
    }
  }

  /// Visits that ended while their notification waited.
  static let lapsed: [Visit] = [
    lapse(.tooFast, 30.6, 20, 60, " at 31 km/h", "before you were slow"),
    lapse(.tooFast, nil, nil, 60, "", "before you were slow"),
    lapse(
      .halted, 40, 80, 60, " in a vehicle that stood", "before it was clear that you had got off"),
    lapse(.unconfirmed, nil, nil, 60, "", "before a second position showed that you were slow"),
    lapse(
      .uncertain, 60, 85, 60, " by uncertain positions", "before it was clear that you were there"
    ),
    lapse(.arriving, 45, 90, 60, " after a ride", "before you had been slow for 90 s"),
    lapse(.arriving, 45, 120, nil, " after a ride", "before you had been slow for 2 min"),
    lapse(
      .settling, 0, 60, 30, " with the first positions after a gap",
      "30 s later, before positions had agreed for 60 s"),
    lapse(
      .settling, nil, nil, nil, " with the first positions after a gap",
      "before positions had agreed for long enough"),
    lapse(.dwelling, 0, 600, 300, "", "5 min later, before you had been there for 10 min"),
    lapse(
      .paced, 60, 300, 120, " 60 s after another alert", "2 min later, before 5 min were over"),
    lapse(
      .paced, -60, 300, 120, " 60 s before another alert", "2 min later, before 5 min were over"),
    lapse(
      .paced, 0.4, 300, 0.4, " at the same time as another alert", "before 5 min were over"),
    lapse(.paced, nil, nil, 0, " soon after another alert", "before its turn came"),
    lapse(.burst, 400, 300, 60, " with positions that came late", "before a fresh one came"),
    lapse(.stale, 3600, 900, 60, " with positions that came too late", "before a fresh one came"),
    lapse(nil, nil, nil, 7200, "", "2 h later, before its turn came"),
    Visit(
      kind: .lapsed, decision: nil, closest: nil, stay: -1,
      text: "you came near and were gone before its turn came"),
  ]

  private static func lapse(
    _ kind: WatcherDecision.Kind?, _ figure: Double?, _ limit: Double?, _ stay: Double?,
    _ way: String, _ condition: String
  ) -> Visit {
    Visit(
      kind: .lapsed, decision: kind, figure: figure, limit: limit, stay: stay,
      text: "you came within 40 m\(way)\(way.isEmpty ? "" : ",") and were gone \(condition)")
  }

  /// Visits whose notification was postponed.
  static let waits: [Visit] = [
    wait(.tooFast, 31, 20, " at 31 km/h", "until you are slow"),
    wait(.halted, 40, 80, " in a vehicle that stood", "until it is clear that you have got off"),
    wait(.unconfirmed, nil, nil, "", "for a second position that shows that you are slow"),
    wait(
      .uncertain, 60, 85, " by uncertain positions", "until it is clear that you are there"),
    wait(.arriving, 45, 120, " after a ride", "until you have been slow for 2 min"),
    wait(
      .settling, 0, 60, " with the first positions after a gap",
      "until positions have agreed for 60 s"),
    wait(.dwelling, 0, 600, "", "until you have been there for 10 min"),
    wait(.dwelling, nil, nil, "", "until you have been there for some time"),
    wait(.paced, 60, 300, " 60 s after another alert", "until 5 min are over"),
    wait(.paced, 0, 300, " at the same time as another alert", "until 5 min are over"),
    wait(.paced, nil, nil, " soon after another alert", "for its turn"),
    wait(.burst, 400, 300, " with positions that came late", "for a fresh one"),
  ]

  private static func wait(
    _ kind: WatcherDecision.Kind, _ figure: Double?, _ limit: Double?, _ way: String,
    _ condition: String
  ) -> Visit {
    Visit(
      kind: .waited, decision: kind, figure: figure, limit: limit,
      text: "you came within 40 m\(way); it waits \(condition)")
  }

  /// Visits whose notification was suppressed by a rule or a setting: those of ``reasons``, and
  /// others.
  static let refusals: [Visit] =
    reasons.compactMap { row in
      guard row.kind.refusal(row.figure, row.limit, days: row.days) != nil else { return nil }
      var visit = refusal(row.kind, row.figure, row.limit, row.text)
      visit.days = row.days
      return visit
    } + [
      refusal(
        .familiar, 345_600, 691_200,
        "you had been there 4 d before, which silences it for 8 d"),
      refusal(.cooldown, -300, 86_400, "it fires 5 min later, and it stays silent for 24 h"),
      refusal(.cooldown, nil, nil, "it had fired shortly before"),
      refusal(
        .sibling, -300, 86_400, "a nearby spot fired 5 min later, which silences it for 24 h"),
      refusal(
        .reserved, 2, 4,
        "it has 2 photos, and the rest of that day's budget was reserved for spots with 4 or more"),
      refusal(.overBudget, nil, nil, "it was suppressed: overBudget"),
      refusal(nil, nil, nil, "it was suppressed"),
    ]

  private static func refusal(
    _ kind: WatcherDecision.Kind?, _ figure: Double?, _ limit: Double?, _ reason: String
  ) -> Visit {
    Visit(
      kind: .refused, decision: kind, figure: figure, limit: limit,
      text: "you came within 40 m, but \(reason)")
  }

  @Test(arguments: lapsed + waits + refusals)
  func `each kind of visit in the history is explained with its figures`(_ visit: Visit) {
    #expect(visit.entry.explanation == visit.text)
  }

  @Test func `a visit is explained the same whether a rule or a user setting suppressed it`() {
    for visit in Self.refusals {
      let suppressed = Visit(
        kind: .suppressed, decision: visit.decision, figure: visit.figure, limit: visit.limit,
        days: visit.days,
        text: visit.text)
      #expect(suppressed.entry.explanation == visit.text)
    }
  }

  @Test func `the tables cover every kind of waiting and suppression`() {
    let waiting = Set(WatcherDecision.Kind.allCases.filter(\.isWaiting))
    #expect(Set(Self.waits.compactMap(\.decision)) == waiting)
    // A late fix does not start a waiting visit, but a visit can end while only late fixes arrive.
    #expect(Set(Self.lapsed.compactMap(\.decision)) == waiting.union([.stale]))
    let silent = WatcherDecision.Kind.allCases.filter { AlertWords.english.reason($0) != nil }
    #expect(
      Set(Self.refusals.compactMap(\.decision))
        == Set(silent).subtracting(waiting)
        .subtracting([.stale]))
  }

  @Test(arguments: [
    (0.4, "you came within 1 m"), (1.4, "you came within 1 m"), (1.5, "you came within 2 m"),
    (99.6, "you came within 100 m"), (4999.4, "you came within 4999 m"),
  ]) func `the closest distance is rounded to metres, and at least 1 m`(
    meters: Double, text: String
  ) {
    let visit = Visit(kind: .refused, decision: .disabled, closest: meters, text: text)
    #expect(visit.entry.explanation == text + ", but notifications were switched off")
  }

  @Test func `a distance of 0 m has no direction`() {
    let here = Coordinate.tower.offset(north: 0.2, east: 0)
    let alert = SpotNotification(
      entering: spot("a"), alsoNear: [],
      fix: LocationFix(time: noon, latitude: here.latitude, longitude: here.longitude).stored,
      position: here, time: noon)
    let entry = HistoryEntry(
      kind: .notified, time: noon, recorded: noon, device: nil, spotID: "a", coordinate: .tower,
      notification: alert, suppressedBy: nil, figure: nil, limit: nil, days: nil,
      closestMeters: nil, left: nil, deliveries: [])
    #expect(entry.explanation == "it fired, right where you were")
    #expect(alert.text.contains("right here") || alert.text.hasPrefix("Right here"))
    #expect(alert.text(in: .spanish).lowercased().contains("aquí mismo"))
  }

  @Test(arguments: [
    ([String](), "it fired, 120 m north-east of you"),
    (["b"], "it fired, 120 m north-east of you, and named 1 more nearby"),
    (["b", "c"], "it fired, 120 m north-east of you, and named 2 more nearby"),
  ]) func `a notification is explained with its distance, direction and other spots`(
    also: [String], text: String
  ) {
    var entry = Visit(kind: .notified, decision: nil, text: text).entry
    #expect(entry.explanation == "it fired")
    entry = HistoryEntry(
      kind: .notified, time: noon, recorded: noon, device: "phone", spotID: "a",
      coordinate: .tower, notification: notification(also: also), suppressedBy: nil, figure: nil,
      limit: nil, days: nil, closestMeters: nil, left: nil, deliveries: [])
    #expect(entry.explanation == text)
  }
}

/// Durations in sentences.
@Suite struct DurationTextTests {
  private static let year = 31_557_600.0

  private static let durations: [(seconds: Double, text: String)] = [
    (0, "0 s"), (0.4, "0 s"), (0.5, "1 s"), (1, "1 s"), (1.4, "1 s"), (2, "2 s"), (59, "59 s"),
    (60, "60 s"), (90, "90 s"), (119, "119 s"), (119.4, "119 s"), (119.5, "2 min"),
    (120, "2 min"), (179, "2 min"), (180, "3 min"), (3599, "59 min"), (3600, "60 min"),
    (7199, "119 min"), (7199.5, "2 h"), (7200, "2 h"), (86_399, "23 h"), (86_400, "24 h"),
    (90_000, "25 h"), (172_799, "47 h"), (172_800, "2 d"), (604_800, "7 d"),
    (31_536_000, "365 d"), (63_115_199, "730 d"), (63_115_200, "2 y"), (94_672_799, "2 y"),
    (3_155_760_000, "100 y"), (1e300, "1000000000 y"), (.infinity, "1000000000 y"),
    (.nan, "0 s"), (-1, "-1 s"), (-120, "-2 min"), (-86_400, "-24 h"),
    (-.infinity, "-1000000000 y"),
  ]

  @Test(arguments: durations) func `a duration is in the largest unit that it holds at least twice`(
    seconds: Double, text: String
  ) {
    #expect(DurationText.text(seconds) == text)
  }

  @Test func `the text of a longer duration never reads as shorter`() {
    let lengths = ["s": 1.0, "min": 60, "h": 3600, "d": 86_400, "y": Self.year]
    var last = -1.0
    var seconds = 0.0
    while seconds < 200 * Self.year {
      let words = DurationText.text(seconds).split(separator: " ")
      let value = (Double(words[0]) ?? .nan) * (lengths[String(words[1])] ?? .nan)
      #expect(value >= last, "\(seconds) s")
      #expect(value <= seconds + 0.5 && value > seconds * 0.5 - 0.5, "\(seconds) s")
      last = value
      seconds = seconds * 1.01 + 0.25
    }
  }
}
