/// The version of PhotoSpots.
public enum PhotoSpotsVersion {
  /// The version, by semantic versioning.
  public static let current = "0.1.0"
}
