public import PhotoMetadata
public import Spatial
public import SystemPackage

/// A photo with a position.
public struct PhotoLocation: Hashable, Sendable {
  /// The absolute path of the file.
  public let path: FilePath
  /// The position where the photo was taken.
  public let coordinate: Coordinate
  /// The origin of the position.
  public let positionSource: PositionSource
  /// The capture time; `nil` if unknown.
  public let captured: CaptureTime?
  /// The altitude in metres above sea level, negative below.
  public let altitudeMeters: Double?
  /// The radius of the position's uncertainty in metres; `nil` if unknown.
  public let horizontalAccuracyMeters: Double?
  /// The direction that the camera faced.
  public let heading: Heading?
  /// The camera.
  public let camera: Camera?
  /// The rating in stars, 0–5, or −1 for rejected.
  public let rating: Int?
  /// Whether the photo is rated five stars.
  public let isFavorite: Bool
  /// The title and the caption that a person gave the photo, a line each, or one of them.
  public let caption: String?

  /// The name of the folder that contains the file.
  public var album: FilePath.Component? { path.removingLastComponent().lastComponent }
}

/// The make and model of a camera, as it writes them.
public struct Camera: Hashable, Sendable {
  /// The maker.
  public let make: String?
  /// The model.
  public let model: String?

  /// Creates a camera; `nil` if both names are missing.
  public init?(make: String?, model: String?) {
    guard make != nil || model != nil else { return nil }
    self.make = make
    self.model = model
  }
}
