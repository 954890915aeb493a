package import CivilTime
package import Spatial

/// The properties of a photo that determine which other photos it is compared with.
package struct PairCandidate: Hashable, Sendable {
  /// The local day of capture, according to the camera's clock.
  package let day: CivilDay
  /// The time of capture.
  package let instant: Instant
  /// The position.
  package let coordinate: Coordinate
  /// The direction in which the camera pointed, in degrees clockwise from north; `nil` if unknown.
  package let headingDegrees: Double?
  /// The 35 mm equivalent focal length in millimetres; `nil` if unknown.
  package let filmMillimeters: Double?
  /// Whether the photo was requested; every pair contains at least one such photo.
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

  /// Returns the years from another day to this one, or `nil` if the other day is later.
  ///
  /// The result is a whole number on the same day of the year; further days count as fractions.
  func years(since other: PairCandidate) -> Double? {
    day.elapsed(since: other.day).map { years, days in
      Double(years) + min(Double(days) / 365.25, 0.999)
    }
  }

  /// Returns a penalty for comparing this photo with another; `nil` if they cannot show the same
  /// view.
  ///
  /// The penalty grows with the distance, the angle between the directions, and the ratio of the
  /// focal lengths.
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

  /// The typical error of a position, in metres.
  private static let usualError = 5.0
  /// The typical error of a phone's compass, in degrees.
  private static let usualTurn = 10.0
  /// The maximum angle between the directions of photos of the same view, in degrees.
  private static let farthestTurn = 30.0
  /// The maximum ratio of the focal lengths of compared photos.
  private static let largestZoom = 1.5
}
