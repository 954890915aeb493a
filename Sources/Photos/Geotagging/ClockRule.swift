import CivilTime
import Spatial

/// A rule by which a camera's clock may have been set.
enum ClockRule: Hashable, Sendable {
  /// A UTC offset in minutes.
  case fixed(Int)
  /// The time zone of the machine, with its changes of daylight saving time.
  case machine

  /// The UTC offsets in minutes that are in use or were since 2000 (tz database 2025b).
  static let offsetsInUse: [Int] =
    (stride(from: -660, through: 840, by: 60).map { $0 }
    + [-570, -270, -210, -150, 210, 270, 330, 345, 390, 510, 525, 570, 585, 630, 690, 765, 825])
    .sorted()

  /// Returns the UTC offset in minutes at a time that the clock showed.
  func minutes(atShown time: Instant, machine: LocalClock) -> Int {
    switch self {
    case .fixed(let minutes): return minutes
    case .machine:
      // The offset is evaluated at the instant that the shown time corresponds to in that zone.
      let shownAsUTC = machine.utcOffsetMinutes(time)
      return machine.utcOffsetMinutes(time.advanced(bySeconds: -Double(shownAsUTC) * 60))
    }
  }

  /// Returns a weight for how usual an offset is at a place: mean solar time advances by four
  /// minutes per degree, and the offsets of most zones are from 75 min behind it to 165 min ahead
  /// of it. Western China and islands of Kiribati come close to 200 min; a camera that was not set
  /// on a journey may show any time. Parts of an hour are usual in their regions only.
  static func weight(ofMinutes minutes: Int, at place: Coordinate?) -> Double {
    guard let place else { return 1 }
    var ahead = (Double(minutes) - place.longitude * 4).truncatingRemainder(dividingBy: 1440)
    if ahead > 720 { ahead -= 1440 } else if ahead < -720 { ahead += 1440 }
    let usual = (-75...165).contains(ahead) ? 1 : abs(ahead) <= 200 ? 0.3 : 0.01
    return min(usual, OffsetRegion.weight(ofMinutes: minutes, at: place))
  }
}
