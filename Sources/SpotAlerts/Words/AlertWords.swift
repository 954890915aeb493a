import CivilTime
import LocationFeeds
package import SpotWatcher

/// All that alerts and digests say, in one language.
///
/// A language is made by naming every text, so that none can be missing in one.
struct AlertWords: Sendable {
  /// A number of something: `1 photo`, `3 photos`.
  typealias Counted = @Sendable (Int) -> String

  /// The points of the compass, clockwise from north.
  let compassPoints: [String]
  /// The decimal separator.
  let decimalPoint: String
  /// `95 m south-east`, of a distance and a point of the compass.
  let away: @Sendable (_ distance: String, _ point: String) -> String
  /// A distance of no more than a few steps, behind a name.
  let rightHere: String
  let photos: Counted
  /// `and 2 more spots`
  let moreSpots: Counted
  /// `Face north-west`, of a point of the compass.
  let face: @Sendable (_ point: String) -> String
  /// `Taken at 26 mm`
  let taken: @Sendable (_ lens: String) -> String
  /// `9 years ago this week`, or today.
  let anniversary: @Sendable (_ years: Int, _ isToday: Bool) -> String
  /// `the last 2 years ago`
  let lastYearsAgo: Counted
  /// `the last 111 days ago`; of zero, today.
  let lastDaysAgo: Counted
  /// The title where nothing else is worth one.
  let title: String
  /// The same for a place of one's own.
  let placeTitle: String
  /// The labels of an alert's buttons.
  let takeAgain: String
  let mute: String
  let notNow: String
  /// `good fix`
  let accuracy: @Sendable (AccuracyClass) -> String

  /// `22 November`, of a day or several and the number of a month, 1–12.
  let date: @Sendable (_ day: String, _ month: Int) -> String
  /// The title of a digest, of its days.
  let digestTitle: @Sendable (_ days: String) -> String
  /// `3 fired`
  let fired: Counted
  /// `5 kept back`
  let keptBack: Counted
  /// `2 passed by once`
  let passedBy: Counted
  /// `2 more`
  let more: Counted
  /// `3 spots near`, `no spot near`
  let spotsNear: Counted
  /// The reason for silence in a few words; `nil` for decisions that silence no spot.
  let reason: @Sendable (WatcherDecision.Kind) -> String?

  /// The point of the compass nearest to a direction in degrees; north for what is none.
  func compassPoint(_ degrees: Double) -> String {
    let eighth = (degrees / 45).rounded()
    return compassPoints[eighth >= 0 && eighth < 8 ? Int(saturating: eighth) : 0]
  }

  /// Metres, from 100 m on in tens, from a kilometre on in tenths of one.
  func distance(_ meters: Double) -> String {
    switch meters {
    case ..<100: return "\(Int(saturating: meters.rounded())) m"
    case ..<995: return "\(Int(saturating: (meters / 10).rounded()) * 10) m"
    default:
      let tenths = (min(meters, 1e9) / 100).rounded() / 10
      return "\(tenths) km".replacing(".", with: decimalPoint)
    }
  }

  /// The day of a time, or the days from one to another: `15–22 November`.
  func days(from first: CivilDateTime, to last: CivilDateTime) -> String {
    let end = date("\(last.day)", last.month)
    if first.month != last.month || first.year != last.year {
      return "\(date("\(first.day)", first.month)) – \(end)"
    }
    return first.day == last.day ? end : date("\(first.day)–\(last.day)", last.month)
  }
}

extension AlertLanguage {
  /// The words of a language.
  var words: AlertWords {
    switch self {
    case .english: .english
    case .spanish: .spanish
    }
  }

  /// What kept a spot silent, in a few words: `in a vehicle`; `nil` for a decision that keeps none
  /// silent.
  package func reason(_ kind: WatcherDecision.Kind) -> String? { words.reason(kind) }

  /// How many spots are near: `3 spots near`.
  package func spotsNear(_ count: Int) -> String { words.spotsNear(count) }
}

extension String {
  /// The text with a capital at its beginning, as in a title.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
