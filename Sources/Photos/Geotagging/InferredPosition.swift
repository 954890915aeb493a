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

  /// Infers the position of a photo; `nil` if no track has a position at its time.
  ///
  /// The accuracy is that of the track plus the distance that the photographer moved during the
  /// uncertainty of the clock, ten seconds.
  ///
  /// - Parameters:
  ///   - shown: The time that the camera's clock showed.
  ///   - clock: The camera's clock.
  ///   - tracks: The tracks.
  public init?(ofPhotoAt shown: Instant, clock: CameraClock, on tracks: TrackArchive) {
    instant = clock.instant(ofShown: shown)
    guard let position = tracks.position(at: instant) else { return nil }
    coordinate = position.coordinate
    accuracyMeters =
      position.accuracyMeters + position.speedMetersPerSecond * CameraClock.uncertaintySeconds
  }
}
