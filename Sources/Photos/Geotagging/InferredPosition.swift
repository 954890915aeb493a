public import CivilTime
public import Spatial

/// The position of a photo, inferred from a track recorded when it was taken.
public struct InferredPosition: Hashable, Sendable {
  /// The position.
  public let coordinate: Coordinate
  /// The accuracy as a radius in metres.
  public let accuracyMeters: Double
  /// The instant of capture.
  public let instant: Instant

  /// The greatest radius in metres of an area that contains the positions of several possible
  /// clocks; a photo with a larger one has no position.
  static let maximumSpreadMeters = 250.0

  /// Infers the position of a photo; `nil` if no track has a position at its time.
  ///
  /// The accuracy is that of the track plus the distance that the photographer moved during the
  /// uncertainty of the clock. If several clocks fit, the accuracy includes the
  /// positions at all of them; a photo has no position if one of the clocks gives none, or if the
  /// radius would exceed 250 m.
  ///
  /// - Parameters:
  ///   - shown: The time that the camera's clock showed.
  ///   - clock: The camera's clock.
  ///   - tracks: The tracks.
  public init?(ofPhotoAt shown: Instant, clock: CameraClock, on tracks: TrackArchive) {
    instant = clock.instant(ofShown: shown)
    guard let position = tracks.position(at: instant) else { return nil }
    coordinate = position.coordinate
    var radius = Self.radius(of: position, at: instant, clock, tracks)
    for other in clock.instants(ofShown: shown).dropFirst() {
      guard let found = tracks.position(at: other) else { return nil }
      radius = max(
        radius,
        position.coordinate.distance(to: found.coordinate)
          + Self.radius(of: found, at: other, clock, tracks))
      guard radius <= Self.maximumSpreadMeters else { return nil }
    }
    accuracyMeters = radius
  }

  private static func radius(
    of position: TrackPosition, at time: Instant, _ clock: CameraClock, _ tracks: TrackArchive
  ) -> Double {
    var moved = position.speedMetersPerSecond * CameraClock.leastUncertaintySeconds
    if clock.uncertaintySeconds > CameraClock.leastUncertaintySeconds {
      for share in [-1, -0.5, 0.5, 1] {
        let other = time.advanced(bySeconds: share * clock.uncertaintySeconds)
        guard let found = tracks.position(at: other) else { continue }
        moved = max(moved, position.coordinate.distance(to: found.coordinate))
      }
    }
    return position.accuracyMeters + moved
  }
}
