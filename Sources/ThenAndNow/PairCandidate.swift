package import CivilTime
package import Spatial

/// A photo of a spot as far as it matters which others it is compared with.
package struct PairCandidate: Hashable, Sendable {
  /// The day on which it was taken, on the clock of the camera.
  package let day: CivilDay
  /// When it was taken.
  package let instant: Instant
  /// Where it was taken.
  package let coordinate: Coordinate
  /// The direction that the camera faced in degrees, clockwise from north; `nil` is unknown.
  package let headingDegrees: Double?
  /// The focal length on 35 mm film in millimetres; `nil` is unknown.
  package let filmMillimeters: Double?
  /// Whether it was asked for: one of a pair is.
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

  /// How unlikely it is that another photo shows the same view: by the distance of the positions,
  /// the angle between the directions, and the ratio of the focal lengths; `nil` where it does not.
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

  /// How far a position is usually off, in metres.
  private static let usualError = 5.0
  /// Compasses of phones are usually off by so many degrees.
  private static let usualTurn = 10.0
  /// Cameras that face farther apart, in degrees, see different views.
  private static let farthestTurn = 30.0
  /// What lenses see that differ more is not compared.
  private static let largestZoom = 1.5
}
