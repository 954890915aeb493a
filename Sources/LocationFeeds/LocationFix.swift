public import CivilTime
public import Spatial

/// One position report of one device.
///
/// Latitude and longitude are kept as they were reported, in range or not, so that whoever decides
/// about a fix can tell why it is refused; ``coordinate`` is the checked position. The other
/// measurements are in the ranges of ``Limits`` or unknown, whoever set them.
public struct LocationFix: Hashable, Sendable {
  /// When the device was there; `nil` where the feed gives no date, which is never made up.
  public var time: Instant?
  /// Degrees north of the equator, as reported.
  public var latitude: Double
  /// Degrees east of the prime meridian, as reported.
  public var longitude: Double
  /// Metres above sea level; `nil` where unknown or outside of ``Limits/altitudeMeters``.
  public var altitudeMeters: Double? {
    didSet { altitudeMeters = Limits.altitude(altitudeMeters) }
  }
  /// The radius in metres within which the device is believed to be; `nil` is unknown, never zero.
  ///
  /// A radius beyond ``Limits/accuracyMeters`` becomes the greatest one.
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
  /// The name that the feed gives the device, as ``DeviceName/cleaned(_:)`` returns it; `nil` where
  /// it names none.
  public var device: String? {
    didSet { device = device.flatMap(DeviceName.cleaned) }
  }
  /// The charge of the device's battery, 0 to 1; `nil` where unknown or outside of that.
  public var battery: Double? {
    didSet { battery = Limits.battery(battery) }
  }
  /// The event that made the device report its position; `nil` for an ordinary report.
  public var cause: Cause?

  /// An event of a device's own fencing.
  public struct Cause: Hashable, Sendable {
    /// The direction in which the edge of a region was crossed.
    public enum Event: String, Hashable, Sendable {
      /// The device came into the region.
      case enter
      /// The device left the region.
      case leave
    }

    /// The direction.
    public let event: Event
    /// The region's name on the device, as ``DeviceName/cleaned(_:)`` returns it; `nil` where it
    /// has none.
    public let region: String?

    /// Creates a cause; a region's name that is empty is none.
    public init(_ event: Event, region: String? = nil) {
      self.event = event
      self.region = region.flatMap(DeviceName.cleaned)
    }
  }

  /// Creates a fix from what a feed reports; measurements out of range are unknown.
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

  /// The position; `nil` where the reported numbers are not on the globe.
  public var coordinate: Coordinate? {
    Coordinate(latitude: latitude, longitude: longitude)
  }
}

extension LocationFix {
  /// What a device can measure. A value outside is a mark for *unknown*, or an attack.
  public enum Limits {
    /// Metres above sea level, from the deepest sea to satellites.
    public static let altitudeMeters = -20_000.0...1_000_000
    /// Metres, above 0 up to half of the Earth's circumference, beyond which nothing is.
    public static let accuracyMeters = 0.0...20_037_508.3
    /// Metres per second, more than a spacecraft in orbit.
    public static let speedMetersPerSecond = 0.0...20_000

    fileprivate static func altitude(_ meters: Double?) -> Double? { known(meters, altitudeMeters) }

    /// A device that knows nothing of where it is must not seem to be one that says nothing of it.
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
