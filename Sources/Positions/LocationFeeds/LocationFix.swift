public import CivilTime
public import Spatial

/// One position report of one device.
///
/// Latitude and longitude are stored as reported, even out of range, so that a rule can name the
/// reason for which it rejects a fix; ``coordinate`` is the validated position. The other
/// measurements are within ``Limits``, or `nil`.
public struct LocationFix: Hashable, Sendable {
  /// The time of the position; `nil` where the feed gives no date. A date is never made up.
  public var time: Instant?
  /// Degrees north of the equator, as reported.
  public var latitude: Double
  /// Degrees east of the prime meridian, as reported.
  public var longitude: Double
  /// Metres above sea level; `nil` where unknown or outside of ``Limits/altitudeMeters``.
  public var altitudeMeters: Double? {
    didSet { altitudeMeters = Limits.altitude(altitudeMeters) }
  }
  /// The radius in metres of the circle in which the device is believed to be; `nil` if unknown,
  /// never zero.
  ///
  /// A radius beyond ``Limits/accuracyMeters`` is reduced to its upper bound.
  public var horizontalAccuracyMeters: Double? {
    didSet { horizontalAccuracyMeters = Limits.accuracy(horizontalAccuracyMeters) }
  }
  /// Metres per second over ground; `nil` where unknown or outside of
  /// ``Limits/speedMetersPerSecond``.
  public var speedMetersPerSecond: Double? {
    didSet { speedMetersPerSecond = Limits.speed(speedMetersPerSecond) }
  }
  /// The direction of movement in degrees clockwise from true north; `nil` where unknown or outside
  /// of 0–360.
  public var courseDegrees: Double? {
    didSet { courseDegrees = Limits.course(courseDegrees) }
  }
  /// The device's name in the feed, normalised by ``DeviceName/cleaned(_:)``; `nil` where the feed
  /// gives none.
  public var device: String? {
    didSet { device = device.flatMap(DeviceName.cleaned) }
  }
  /// The charge of the device's battery, 0 to 1; `nil` where unknown or out of range.
  public var battery: Double? {
    didSet { battery = Limits.battery(battery) }
  }
  /// The time at which the device sent the report, by its own clock, if the feed states it besides
  /// the time of the position. It is not stored.
  public var sent: Instant?
  /// The event that made the device report its position; `nil` for an ordinary report.
  public var cause: Cause?

  /// An event of the device's own geofencing.
  public struct Cause: Hashable, Sendable {
    /// The direction in which the edge of a region was crossed.
    public enum Event: String, Hashable, Sendable {
      /// The device entered the region.
      case enter
      /// The device left the region.
      case leave
    }

    /// The direction.
    public let event: Event
    /// The region's name on the device, normalised by ``DeviceName/cleaned(_:)``; `nil` where it
    /// has none.
    public let region: String?

    /// Creates a cause. An empty region name becomes `nil`.
    public init(_ event: Event, region: String? = nil) {
      self.event = event
      self.region = region.flatMap(DeviceName.cleaned)
    }
  }

  /// Creates a fix from reported values. Measurements out of range become `nil`.
  public init(
    time: Instant?, latitude: Double, longitude: Double, altitudeMeters: Double? = nil,
    horizontalAccuracyMeters: Double? = nil, speedMetersPerSecond: Double? = nil,
    courseDegrees: Double? = nil, device: String? = nil, battery: Double? = nil,
    cause: Cause? = nil
  ) {
    self.time = time
    self.latitude = latitude
    self.longitude = longitude
    self.altitudeMeters = Limits.altitude(altitudeMeters)
    self.horizontalAccuracyMeters = Limits.accuracy(horizontalAccuracyMeters)
    self.speedMetersPerSecond = Limits.speed(speedMetersPerSecond)
    self.courseDegrees = Limits.course(courseDegrees)
    self.device = device.flatMap(DeviceName.cleaned)
    self.battery = Limits.battery(battery)
    self.cause = cause
  }

  /// The position; `nil` where latitude or longitude is out of range.
  public var coordinate: Coordinate? {
    Coordinate(latitude: latitude, longitude: longitude)
  }
}

extension LocationFix {
  /// The ranges of plausible measurements. A value outside is a placeholder for *unknown*, or an
  /// attack.
  public enum Limits {
    /// Metres above sea level, from below the deepest sea floor up to satellites.
    public static let altitudeMeters = -20_000.0...1_000_000
    /// Metres, above 0 up to half of the Earth's circumference, the greatest distance between two
    /// points on it.
    public static let accuracyMeters = 0.0...20_037_508.3
    /// Metres per second, up to more than the speed of a spacecraft in orbit.
    public static let speedMetersPerSecond = 0.0...20_000

    fileprivate static func altitude(_ meters: Double?) -> Double? { known(meters, altitudeMeters) }

    /// Reduces a radius beyond the limit to the limit instead of discarding it: a very inaccurate
    /// position must not become one of unknown accuracy.
    fileprivate static func accuracy(_ meters: Double?) -> Double? {
      guard let meters, meters > 0 else { return nil }
      return min(meters, accuracyMeters.upperBound)
    }

    fileprivate static func speed(_ metersPerSecond: Double?) -> Double? {
      known(metersPerSecond, speedMetersPerSecond)
    }

    fileprivate static func course(_ degrees: Double?) -> Double? { known(degrees, 0...360) }

    fileprivate static func battery(_ charge: Double?) -> Double? { known(charge, 0...1) }

    private static func known(_ value: Double?, _ range: ClosedRange<Double>) -> Double? {
      guard let value, range.contains(value) else { return nil }
      return value
    }
  }
}
