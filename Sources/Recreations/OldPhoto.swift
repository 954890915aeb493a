public import PhotoLibrary
public import PhotoMetadata
public import Spatial
public import SystemPackage

/// The photo that was taken again: what a recreation says of it, and takes from it.
public struct OldPhoto: Hashable, Sendable {
  /// The name under which the page knows the photo, which changes with the content of its file.
  public var name: String
  /// Its file, of which only the name is told on.
  public var path: FilePath
  /// The id of its spot.
  public var spotID: String?
  /// The title of its spot, for the name of the new file.
  public var place: String?
  /// When it was taken.
  public var captured: CaptureTime?
  /// The position.
  public var coordinate: Coordinate?
  /// The altitude in metres above sea level.
  public var altitudeMeters: Double?
  /// The direction of the camera.
  public var heading: Heading?

  /// Creates a photo of which nothing is known but its name and its file.
  public init(name: String, path: FilePath) {
    (self.name, self.path) = (name, path)
  }

  /// Creates the photo of an index.
  ///
  /// - Parameters:
  ///   - name: The name under which the page knows it.
  ///   - photo: The photo.
  ///   - spot: Its spot.
  public init(name: String, _ photo: PhotoLocation, of spot: PhotoSpot?) {
    self.init(name: name, path: photo.path)
    spotID = spot?.id
    place = spot?.title
    captured = photo.captured
    coordinate = photo.coordinate
    altitudeMeters = photo.altitudeMeters
    heading = photo.heading
  }
}
