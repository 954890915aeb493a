public import PhotoLibrary
public import PhotoMetadata
public import Spatial
public import SystemPackage

/// The photo that was taken again: what a recreation says of it, and takes from it.
public struct OldPhoto: Hashable, Sendable {
  /// A circle on the ground, with its edge.
  public struct Area: Hashable, Sendable {
    /// The centre.
    public var center: Coordinate
    /// The radius in metres.
    public var radiusMeters: Double

    /// Creates a circle.
    public init(center: Coordinate, radiusMeters: Double) {
      (self.center, self.radiusMeters) = (center, radiusMeters)
    }

    func contains(_ position: Coordinate) -> Bool {
      center.distance(to: position) <= radiusMeters
    }
  }

  /// The name under which the page knows the photo, which changes with the content of its file.
  public var name: String
  /// Its file, of which only the name is told on.
  public var path: FilePath
  /// The id of its spot.
  public var spotID: String?
  /// The circle around the spot's anchor in which new photos join the spot.
  public var spotArea: Area?
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
  ///   - clusterRadiusMeters: The cluster radius in metres that the spot was made with.
  public init(
    name: String, _ photo: PhotoLocation, of spot: PhotoSpot?, clusterRadiusMeters: Double
  ) {
    self.init(name: name, path: photo.path)
    spotID = spot?.id
    spotArea = spot.map { Area(center: $0.anchor, radiusMeters: clusterRadiusMeters) }
    place = spot?.title
    captured = photo.captured
    coordinate = photo.coordinate
    altitudeMeters = photo.altitudeMeters
    heading = photo.heading
  }
}
