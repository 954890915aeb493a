import CivilTime
public import Foundation
public import LocationFeeds
public import Spatial

/// A latitude and a longitude, as Core Location's `CLLocationCoordinate2D` has them.
public protocol LatitudeLongitude {
  /// Degrees north of the equator.
  var latitude: Double { get }
  /// Degrees east of the prime meridian.
  var longitude: Double { get }
}

/// A position report with the properties of Core Location's `CLLocation`.
///
/// On Apple's platforms, two lines of a program make it one:
///
/// ```swift
/// extension CLLocationCoordinate2D: LatitudeLongitude {}
/// extension CLLocation: DeviceLocation {}
/// ```
public protocol DeviceLocation {
  /// A latitude and a longitude.
  associatedtype Position: LatitudeLongitude
  /// The position.
  var coordinate: Position { get }
  /// The radius in metres of the circle that holds the device; negative if the position is invalid.
  var horizontalAccuracy: Double { get }
  /// Metres above sea level.
  var altitude: Double { get }
  /// The accuracy of the altitude in metres; zero or negative if the altitude is invalid.
  var verticalAccuracy: Double { get }
  /// Metres per second over ground; negative if unknown.
  var speed: Double { get }
  /// The direction of movement in degrees clockwise from true north; negative if unknown.
  var course: Double { get }
  /// The time of the position.
  var timestamp: Date { get }
}

extension Coordinate {
  /// Creates the coordinate of a latitude and a longitude; `nil` if they are not on the globe.
  public init?(_ position: some LatitudeLongitude) {
    self.init(latitude: position.latitude, longitude: position.longitude)
  }
}

extension LocationFix {
  /// Creates the fix of a device's position report; `nil` if its position is invalid.
  ///
  /// - Parameters:
  ///   - location: The report. Its values that are marked as invalid or unknown become `nil`.
  ///   - device: The name of the device; `nil` if there is only one.
  public init?(_ location: some DeviceLocation, device: String? = nil) {
    guard location.horizontalAccuracy >= 0 else { return nil }
    self.init(
      time: Instant(location.timestamp), latitude: location.coordinate.latitude,
      longitude: location.coordinate.longitude,
      altitudeMeters: location.verticalAccuracy > 0 ? location.altitude : nil,
      horizontalAccuracyMeters: location.horizontalAccuracy,
      speedMetersPerSecond: location.speed, courseDegrees: location.course, device: device)
  }
}
