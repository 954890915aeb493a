public import CivilTime
public import Spatial

/// The settings of a watcher. The defaults are those of the product.
public struct WatcherSettings: Hashable, Sendable {
  /// The distance from a spot at which a device enters it, in metres, edge included; 10–5000.
  public var proximityRadiusMeters = 100.0
  /// The maximum distance between the centres of spots that count as the same place, in metres;
  /// 5–50.
  public var clusterRadiusMeters = 15.0
  /// The seconds for which a place is silent after firing; 0 lets it fire at every entry.
  public var cooldownSeconds = 86_400.0
  /// The minimum age of a spot's oldest photo, in seconds; 0 accepts any age.
  public var minimumPhotoAgeSeconds = 86_400.0
  /// Whether a spot is too recent if its oldest photo was taken after the fix. If false, such a
  /// photo is old enough, since a replayed track may be older than the photos.
  public var refusesLaterPhotos = true
  /// Whether only spots with a favourite photo may fire.
  public var isFavoritesOnly = false
  /// The seconds for which a spot does not fire after its photo was taken again; 0 lets it fire.
  public var recreationIntervalSeconds = 365.25 * 86_400
  /// The times of the latest recreations, by spot id.
  public var recreatedSpots: [String: Instant] = [:]
  /// The distance in metres that a device must move before the spots around are looked up again, at
  /// the latest after five seconds; 0 looks them up at every fix.
  public var distanceFilterMeters = 10.0
  /// The greatest horizontal accuracy radius of an accepted fix, in metres.
  public var maximumAccuracyMeters = 100.0
  /// The maximum age of a fix in a live feed that may fire, in seconds.
  public var maximumFixAgeSeconds = 900.0
  /// The time that a device must stay at a spot before it fires, in seconds.
  public var dwellSeconds = 0.0
  /// The minimum time between two notifications to one device, in seconds.
  public var minimumIntervalSeconds = 300.0
  /// The speed above which a device is in a vehicle, in km/h; `nil` sets no limit.
  public var maximumSpeedKilometersPerHour: Double? = 25
  /// The length in days of the recent period in which each day with presence at a place lengthens
  /// its silence; 0 turns this off.
  public var routineDays = 14
  /// The distance in metres within which spots silence each other.
  public var siblingDistanceMeters = 100.0
  /// The seconds after a firing for which the place is silent on other devices nearby.
  public var sharedIntervalSeconds = 1800.0
  /// The time in seconds for which first fixes, or those elsewhere, must agree before decisions are
  /// made by them.
  public var coldStartSeconds = 30.0
  /// The minimum time between two notifications about spots within 500 m of which the second is
  /// walked past, in seconds. It has no effect if it is shorter than the general interval.
  public var townIntervalSeconds = 900.0
  /// The time in seconds for which fixes at a position that no vehicle can have reached must agree
  /// until they are believed.
  public var jumpQuarantineSeconds = 600.0
  /// The age in seconds from which a fix of a live feed may be part of a burst.
  public var burstAgeSeconds = 60.0
  /// The rules that are turned off.
  public var rulesOff: Set<WatcherRule> = []
  /// The hours of the day during which nothing fires.
  public var quietHours: QuietHours?
  /// The time zone of the quiet hours; `nil` for that of the watcher's clock.
  public var quietHoursZone: TimeZoneRules?
  /// The areas within which nothing fires.
  public var mutedZones: [MutedZone] = []
  /// The spots muted individually.
  public var mutedSpots: [MutedSpot] = []
  /// The maximum number of notifications to a device per local day; `nil` for no limit.
  ///
  /// A quarter of them at most are about spots that are walked past, so that a street does not
  /// crowd out the places at which the owner stops later.
  public var dailyBudget: Int? = 40
  /// The maximum number of notifications to all devices per minute, at most 1000; `nil` for no
  /// limit.
  ///
  /// It bounds the effect of senders that make up devices.
  public var maximumAlertsPerMinute: Int? = 30
  /// Whether anything may fire.
  public var areNotificationsEnabled = true

  /// Creates the default settings.
  public init() {}

  /// The distance beyond which a device leaves a spot: the radius and a margin, so that fixes that
  /// fluctuate around the edge neither leave nor enter.
  var exitDistanceMeters: Double { Self.exitDistanceMeters(radius: proximityRadiusMeters) }

  /// Returns the exit distance for a radius, both in metres.
  static func exitDistanceMeters(radius: Double) -> Double { radius + max(20, 0.4 * radius) }
}

/// A part of each day, in local time.
///
/// It includes its first minute but not its last, and may span midnight.
public struct QuietHours: Hashable, Sendable, CustomStringConvertible {
  /// The first minute, counted from midnight; 0–1439.
  public let startMinute: Int
  /// The minute after the last one, counted from midnight; 0–1439.
  public let endMinute: Int

  /// Creates quiet hours; returns `nil` where a minute is not in 0–1439 or both are equal.
  public init?(startMinute: Int, endMinute: Int) {
    guard (0..<1440).contains(startMinute), (0..<1440).contains(endMinute),
      startMinute != endMinute
    else { return nil }
    self.startMinute = startMinute
    self.endMinute = endMinute
  }

  /// Parses quiet hours in the form of the settings, `22:00-07:00`; returns `nil` for other text.
  public init?(_ text: String) {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let start = Self.minute(ends[0]), let end = Self.minute(ends[1]) else {
      return nil
    }
    self.init(startMinute: start, endMinute: end)
  }

  /// The hours in the form of the settings: `22:00-07:00`.
  public var description: String { "\(Self.text(startMinute))-\(Self.text(endMinute))" }

  /// Returns whether a minute of the day is in the quiet hours.
  public func contains(minute: Int) -> Bool {
    startMinute < endMinute
      ? (startMinute..<endMinute).contains(minute) : minute >= startMinute || minute < endMinute
  }

  /// Formats a minute of the day as `HH:MM`.
  package static func text(_ minute: Int) -> String {
    let (hours, minutes) = minute.quotientAndRemainder(dividingBy: 60)
    return (hours < 10 ? "0" : "") + "\(hours):" + (minutes < 10 ? "0" : "") + "\(minutes)"
  }

  /// Parses a minute of the day, `HH:MM`; returns `nil` for other text.
  package static func minute(_ text: Substring) -> Int? {
    let fields = text.split(separator: ":", omittingEmptySubsequences: false)
    guard fields.count == 2, fields.allSatisfy({ (1...2).contains($0.utf8.count) }),
      fields.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let hours = Int(fields[0]), let minutes = Int(fields[1]), hours < 24, minutes < 60
    else { return nil }
    return hours * 60 + minutes
  }
}

/// A circle within which nothing fires: neither while the device is inside, nor for a spot inside.
public struct MutedZone: Hashable, Sendable {
  /// The centre of the circle.
  public var center: Coordinate
  /// The radius in metres, edge included.
  public var radiusMeters: Double

  /// Creates a zone.
  public init(center: Coordinate, radiusMeters: Double) {
    self.center = center
    self.radiusMeters = radiusMeters
  }
}
