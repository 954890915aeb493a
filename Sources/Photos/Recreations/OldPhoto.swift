public import PhotoLibrary
public import PhotoMetadata
public import Spatial
public import SystemPackage

/// The original photo of a recreation, with the properties that the recreation refers to or adopts.
public struct OldPhoto: Hashable, Sendable {
  /// A circle on the ground, including its edge.
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

  /// The name of the photo on the page, which changes with the content of its file.
  public var name: String
  /// The file of the photo; only its file name appears in the recreation.
  public var path: FilePath
  /// The identifier of the photo's spot.
  public var spotID: String?
  /// The circle around the spot's anchor in which new photos join the spot.
  public var spotArea: Area?
  /// The title of the spot, used in the name of the new file.
  public var place: String?
  /// The time of capture.
  public var captured: CaptureTime?
  /// The position.
  public var coordinate: Coordinate?
  /// The altitude in metres above sea level.
  public var altitudeMeters: Double?
  /// The direction of the camera.
  public var heading: Heading?

  /// Creates a photo with only a name and a file.
  public init(name: String, path: FilePath) {
    (self.name, self.path) = (name, path)
  }

  /// Creates a photo from an indexed photo.
  ///
  /// - Parameters:
  ///   - name: The name of the photo on the page.
  ///   - photo: The indexed photo.
  ///   - spot: The spot of the photo.
  ///   - clusterRadiusMeters: The cluster radius of the spot, in metres.
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
