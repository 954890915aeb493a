public import PhotoMetadata
public import Spatial
public import SystemPackage

/// A photo with a position.
public struct PhotoLocation: Hashable, Sendable {
  /// The absolute path of the file.
  public let path: FilePath
  /// Where the photo was taken.
  public let coordinate: Coordinate
  /// Where the position came from.
  public let positionSource: PositionSource
  /// When it was taken; `nil` where the photo does not say.
  public let captured: CaptureTime?
  /// Metres above sea level, negative below.
  public let altitudeMeters: Double?
  /// The radius in metres within which the camera believed to be; `nil` is unknown.
  public let horizontalAccuracyMeters: Double?
  /// The direction that the camera faced.
  public let heading: Heading?
  /// The camera.
  public let camera: Camera?
  /// The rating in stars, 0–5, or −1 for rejected.
  public let rating: Int?
  /// Whether the photo is rated five stars.
  public let isFavorite: Bool

  /// The name of the folder that holds the file, as the system's bytes.
  public var album: FilePath.Component? { path.removingLastComponent().lastComponent }
}

/// The make and model of a camera, as it writes them.
public struct Camera: Hashable, Sendable {
  /// The maker.
  public let make: String?
  /// The model.
  public let model: String?

  /// Creates a camera; `nil` where nothing is known of it.
  public init?(make: String?, model: String?) {
    guard make != nil || model != nil else { return nil }
    self.make = make
    self.model = model
  }
}
