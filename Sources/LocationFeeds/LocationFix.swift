public import Interchange
public import Spatial

/// One position report of one device.
///
/// Latitude and longitude are kept as they were reported, in range or not, so that whoever decides about
/// a fix can tell why it is refused; ``coordinate`` is the checked position.
public struct LocationFix: Hashable, Sendable {
  /// When the device was there; `nil` where the feed gives no date, which is never made up.
  public var time: Instant?
  /// Degrees north of the equator, as reported.
  public var latitude: Double
  /// Degrees east of the prime meridian, as reported.
  public var longitude: Double
  /// Metres above sea level.
  public var altitudeMeters: Double?
  /// The radius in metres within which the device is believed to be; `nil` is unknown, never zero.
  public var horizontalAccuracyMeters: Double?
  /// Metres per second over ground.
  public var speedMetersPerSecond: Double?
  /// The direction of movement in degrees clockwise from true north.
  public var courseDegrees: Double?
  /// The name that the feed gives the device, as ``DeviceName/cleaned(_:)`` returns it; `nil` where it names none.
  public var device: String? {
    didSet { device = device.flatMap(DeviceName.cleaned) }
  }
  /// The charge of the device's battery, 0 to 1.
  public var battery: Double?

  /// Creates a fix from what a feed reports.
  public init(
    time: Instant?, latitude: Double, longitude: Double, altitudeMeters: Double? = nil,
    horizontalAccuracyMeters: Double? = nil, speedMetersPerSecond: Double? = nil,
    courseDegrees: Double? = nil, device: String? = nil, battery: Double? = nil
  ) {
    self.time = time
    self.latitude = latitude
    self.longitude = longitude
    self.altitudeMeters = altitudeMeters
    self.horizontalAccuracyMeters = horizontalAccuracyMeters
    self.speedMetersPerSecond = speedMetersPerSecond
    self.courseDegrees = courseDegrees
    self.device = device.flatMap(DeviceName.cleaned)
    self.battery = battery
  }

  /// The position; `nil` where the reported numbers are not on the globe.
  public var coordinate: Coordinate? {
    Coordinate(latitude: latitude, longitude: longitude)
  }
}
