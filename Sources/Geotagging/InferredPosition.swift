public import CivilTime
public import Spatial

/// The position of a photo, inferred from the track that was recorded when it was taken.
public struct InferredPosition: Hashable, Sendable {
  /// The position.
  public let coordinate: Coordinate
  /// The radius in metres within which the photo was taken.
  public let accuracyMeters: Double
  /// The moment at which the photo was taken.
  public let instant: Instant

  /// Finds the position of a photo on the tracks; `nil` where no track has a position at that
  /// moment.
  ///
  /// The accuracy is that of the track, and the way that a moving photographer makes in the ten
  /// seconds by which a clock may be off.
  ///
  /// - Parameters:
  ///   - shown: The time that the camera's clock showed.
  ///   - clock: The clock.
  ///   - tracks: The tracks.
  public init?(ofPhotoAt shown: Instant, clock: CameraClock, on tracks: TrackArchive) {
    instant = clock.instant(ofShown: shown)
    guard let position = tracks.position(at: instant) else { return nil }
    coordinate = position.coordinate
    accuracyMeters =
      position.accuracyMeters + position.speedMetersPerSecond * CameraClock.uncertaintySeconds
  }
}
