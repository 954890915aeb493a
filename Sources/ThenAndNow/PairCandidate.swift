package import CivilTime
package import Spatial

/// The properties of a photo by which its partners for comparison are chosen.
package struct PairCandidate: Hashable, Sendable {
  /// The day of capture, by the camera's clock.
  package let day: CivilDay
  /// The time of capture.
  package let instant: Instant
  /// The position.
  package let coordinate: Coordinate
  /// The direction that the camera faced in degrees, clockwise from north; `nil` is unknown.
  package let headingDegrees: Double?
  /// The focal length on 35 mm film in millimetres; `nil` is unknown.
  package let filmMillimeters: Double?
  /// Whether the photo was asked for; every pair has at least one such photo.
  package let isWanted: Bool

  /// Creates a candidate.
  package init(
    day: CivilDay, instant: Instant, coordinate: Coordinate, headingDegrees: Double? = nil,
    filmMillimeters: Double? = nil, isWanted: Bool = true
  ) {
    (self.day, self.instant, self.coordinate) = (day, instant, coordinate)
    (self.headingDegrees, self.filmMillimeters) = (headingDegrees, filmMillimeters)
    self.isWanted = isWanted
  }

  /// The years from another day to this one: whole on the same day of the year, and days beyond as
  /// parts of a year; `nil` where the other comes later.
  func years(since other: PairCandidate) -> Double? {
    day.elapsed(since: other.day).map { years, days in
      Double(years) + min(Double(days) / 365.25, 0.999)
    }
  }

  /// A penalty for pairing with another photo: the larger the distance, the angle between the
  /// directions and the ratio of the focal lengths, the greater; `nil` for photos that cannot show
  /// one view.
  func unlikeness(to other: PairCandidate) -> Double? {
    var sum = coordinate.distance(to: other.coordinate) / Self.usualError
    if let headingDegrees, let otherDegrees = other.headingDegrees {
      let turn = abs(headingDegrees - otherDegrees).truncatingRemainder(dividingBy: 360)
      let apart = min(turn, 360 - turn)
      guard apart <= Self.farthestTurn else { return nil }
      sum += apart / Self.usualTurn
    } else {
      sum += 1
    }
    if let filmMillimeters, let otherMillimeters = other.filmMillimeters {
      let ratio =
        max(filmMillimeters, otherMillimeters) / min(filmMillimeters, otherMillimeters)
      guard ratio <= Self.largestZoom else { return nil }
      sum += ratio - 1
    }
    return sum
  }

  /// The usual error of a position, in metres.
  private static let usualError = 5.0
  /// The usual error of a phone's compass, in degrees.
  private static let usualTurn = 10.0
  /// The greatest angle between two directions of one view, in degrees.
  private static let farthestTurn = 30.0
  /// The greatest ratio of two focal lengths that are compared.
  private static let largestZoom = 1.5
}
