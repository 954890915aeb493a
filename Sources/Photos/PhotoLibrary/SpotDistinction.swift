import CivilTime
import PhotoMetadata
import Spatial
import Towns

/// The difference between a spot and the other spots of its name in a list.
public enum SpotDistinction: Hashable, Sendable {
  /// The nearest town, where the others are near other towns.
  case town(String)
  /// The distance in metres and the bearing in degrees from the middle of the nearest town, both
  /// rounded; the name of the town, unless it is the spot's.
  case away(meters: Int, bearing: Int, town: String?)
  /// The years of its photos, by the cameras' clocks.
  case years(first: Int, last: Int)
  /// The place among the spots of the name that nothing else tells apart, by the first photo: 1, 2
  /// and so on.
  case number(Int)

  /// Returns what tells each spot apart from the others of its title in a list; `nil` for titles
  /// that occur once.
  ///
  /// Of the town, the direction from its middle, and the years, the first one counts that no other
  /// spot of the title has.
  ///
  /// - Complexity: O(*n* log *n*), and a search for the nearest town for each title that occurs
  ///   again.
  public static func among(_ spots: [PhotoSpot], titled titles: [String]) -> [SpotDistinction?] {
    var found = [SpotDistinction?](repeating: nil, count: spots.count)
    let groups = Dictionary(grouping: spots.indices) { titles[$0] }
    for (title, group) in groups where group.count > 1 {
      let choices = group.map { Self.choices(of: spots[$0], title) }
      var counts: [SpotDistinction: Int] = [:]
      for choice in choices.joined() { counts[choice, default: 0] += 1 }
      var others: [Int] = []
      for (spot, own) in zip(group, choices) {
        found[spot] = own.first { counts[$0] == 1 }
        if found[spot] == nil { others.append(spot) }
      }
      others.sort { isEarlier(spots[$0], spots[$1]) }
      for (number, spot) in others.enumerated() { found[spot] = .number(number + 1) }
    }
    return found
  }

  /// Returns what a spot may be told apart by, the best first.
  private static func choices(of spot: PhotoSpot, _ title: String) -> [SpotDistinction] {
    var choices: [SpotDistinction] = []
    if let near = spot.town {
      let isTitle = near.placeName == title
      if !isTitle {
        // A part of a town has the town's name before its own: `Paris 16 Passy`.
        let isPart = near.placeName.hasPrefix(title + " ")
        choices.append(.town(String(near.placeName.dropFirst(isPart ? title.count + 1 : 0))))
      }
      let meters = rounded(near.distanceMeters)
      if meters > 0 {
        let bearing = near.town.coordinate.bearing(to: spot.coordinate)
        let point = (Int(saturating: (bearing / 45).rounded()) & 7) * 45
        choices.append(.away(meters: meters, bearing: point, town: isTitle ? nil : near.town.name))
      }
    }
    if let first = spot.firstCaptured?.day.year,
      let last = spot.lastCaptured?.day.year
    {
      choices.append(.years(first: min(first, last), last: max(first, last)))
    }
    return choices
  }

  /// Rounds a distance to hundreds of metres, and from 10 km on to kilometres.
  private static func rounded(_ meters: Double) -> Int {
    let step: Double = meters < 10_000 ? 100 : 1000
    return Int(saturating: (meters / step).rounded() * step)
  }

  private static func isEarlier(_ one: PhotoSpot, _ other: PhotoSpot) -> Bool {
    switch (one.firstCaptured?.instant, other.firstCaptured?.instant) {
    case (let first?, let second?) where first != second: first < second
    case (_?, nil): true
    case (nil, _?): false
    default: one.id < other.id
    }
  }
}

extension SpotDistinction: CustomStringConvertible {
  private static let points = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]

  /// Returns a title with what tells its spot apart, in English: `Home, Graz`, `Home, 2013`,
  /// `Home (2)`.
  public func added(to title: String) -> String {
    if case .number = self { "\(title) (\(self))" } else { "\(title), \(self)" }
  }

  /// The text after a title, in English: `Graz`, `1.2 km NE of Graz`, `1.2 km NE`, `2013–2016`,
  /// `2`.
  public var description: String {
    switch self {
    case .town(let name): name
    case .away(let meters, let bearing, let town):
      "\(Self.text(meters)) \(Self.points[bearing / 45 & 7])" + (town.map { " of \($0)" } ?? "")
    case .years(let first, let last): first == last ? "\(first)" : "\(first)–\(last)"
    case .number(let number): "\(number)"
    }
  }

  private static func text(_ meters: Int) -> String {
    guard meters >= 1000 else { return "\(meters) m" }
    let tenths = meters % 1000 / 100
    return tenths == 0 ? "\(meters / 1000) km" : "\(meters / 1000).\(tenths) km"
  }
}
