import CivilTime
import LocationFeeds
package import Spatial
package import SpotWatcher

/// All texts of alerts and digests in one language.
///
/// The initializer requires every text, so a language cannot lack one.
struct AlertWords: Sendable {
  /// Formats a count: `1 photo`, `3 photos`.
  typealias Counted = @Sendable (Int) -> String

  /// The points of the compass, clockwise from north.
  let compassPoints: [String]
  /// The decimal separator.
  let decimalPoint: String
  /// `95 m south-east`, from a distance and a compass point.
  let away: @Sendable (_ distance: String, _ point: String) -> String
  /// The distance of no more than a few steps, after a name.
  let rightHere: String
  let photos: Counted
  /// `and 2 more spots`
  let moreSpots: Counted
  /// `also Bench, and 2 more spots`, from a name and the number of others.
  let alsoSpot: @Sendable (_ name: String, _ others: Int) -> String
  /// `Face north-west`, from a compass point.
  let face: @Sendable (_ point: String) -> String
  /// `Taken at 26 mm`
  let taken: @Sendable (_ lens: String) -> String
  /// `9 years ago this week`, or today.
  let anniversary: @Sendable (_ years: Int, _ isToday: Bool) -> String
  /// `the last one 2 years ago`
  let lastYearsAgo: Counted
  /// `the last one 111 days ago`; for zero days, today.
  let lastDaysAgo: Counted
  /// The title of an alert without a better one.
  let title: String
  /// The title of an alert about a kept place.
  let placeTitle: String
  /// The labels of an alert's buttons.
  let takeAgain: String
  let mute: String
  let notNow: String
  /// `good fix`
  let accuracy: @Sendable (AccuracyClass) -> String

  /// `22 November`, from a day or several days and the number of a month, 1–12.
  let date: @Sendable (_ day: String, _ month: Int) -> String
  /// The title of a digest, from its days.
  let digestTitle: @Sendable (_ days: String) -> String
  /// `3 fired`
  let fired: Counted
  /// `5 suppressed`
  let keptBack: Counted
  /// `2 passed once without an alert`
  let passedBy: Counted
  /// `2 more`
  let more: Counted
  /// `3 spots near`, `no spot near`
  let spotsNear: Counted
  /// The answer to a question about the nearest spot where no position is known.
  let noPosition: String
  /// The reason for a suppressed spot in a few words; `nil` for decisions that suppress none.
  let reason: @Sendable (WatcherDecision.Kind) -> String?

  /// Returns the compass point nearest to a direction in degrees clockwise from north, 0–360;
  /// north for any other number, which a manipulated journal may contain.
  func compassPoint(_ degrees: Double) -> String {
    let eighth = (degrees / 45).rounded()
    return compassPoints[eighth >= 0 && eighth < 8 ? Int(saturating: eighth) : 0]
  }

  /// Returns a distance with its unit: below 100 m in metres, from there in tens of metres, and
  /// from 995 m in tenths of a kilometre; or in feet, from 100 in tens, and from 1000 in tenths of
  /// a mile.
  func distance(_ meters: Double, _ units: LengthUnits = .metric) -> String {
    guard units == .metric else { return imperialDistance(meters) }
    switch meters {
    case ..<100: return "\(Int(saturating: meters.rounded())) m"
    case ..<995: return "\(Int(saturating: (meters / 10).rounded()) * 10) m"
    default:
      let tenths = (min(meters, 1e9) / 100).rounded() / 10
      return "\(tenths) km".replacing(".", with: decimalPoint)
    }
  }

  private func imperialDistance(_ meters: Double) -> String {
    let feet = meters / LengthUnits.metersPerFoot
    switch feet {
    case ..<100: return "\(Int(saturating: feet.rounded())) ft"
    case ..<(LengthUnits.feetBeforeMiles - 5):
      return "\(Int(saturating: (feet / 10).rounded()) * 10) ft"
    default:
      let tenths = (min(meters, 1e9) / LengthUnits.metersPerMile * 10).rounded() / 10
      return "\(tenths) mi".replacing(".", with: decimalPoint)
    }
  }

  /// Returns the day of a time, or the days from one time to another: `15–22 November`.
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

  /// Returns the reason for a suppressed spot in a few words: `in a vehicle`; `nil` for a decision
  /// that suppresses none.
  package func reason(_ kind: WatcherDecision.Kind) -> String? { words.reason(kind) }

  /// Returns a sentence about a spot: `Siena, 95 m south-east: 3 photos, 2019–2024.`
  ///
  /// - Parameters:
  ///   - name: The name of the spot.
  ///   - away: The distance in metres and the bearing in degrees; `nil` for none.
  ///   - photoCount: The number of photos.
  ///   - first: The first year; `nil` if it is unknown.
  ///   - last: The last year; `nil` if it is unknown.
  ///   - units: The units of the distance.
  /// - Returns: The sentence.
  package func sentence(
    about name: String, away: (meters: Double, bearing: Double)?, photoCount: Int, first: Int?,
    last: Int?, in units: LengthUnits
  ) -> String {
    let words = words
    let way = away.map { away in
      away.meters < 5
        ? words.rightHere
        : words.away(words.distance(away.meters, units), words.compassPoint(away.bearing))
    }
    let span = first.map { first in last == first ? ", \(first)" : ", \(first)–\(last ?? first)" }
    let place = way.map { "\(name), \($0)" } ?? name
    return "\(place): \(words.photos(photoCount))\(span ?? "")."
  }

  /// Returns the number of spots nearby as text: `3 spots near`.
  package func spotsNear(_ count: Int) -> String { words.spotsNear(count) }

  /// A sentence that says that no current position is known.
  package var noPosition: String { words.noPosition }
}

extension String {
  /// The text with its first letter capitalised, as in a title.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
