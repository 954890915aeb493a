public import CivilTime
public import Spatial

/// What decides when a fix leads to a notification. The defaults are the product's.
public struct WatcherSettings: Hashable, Sendable {
  /// How close a spot must be to be entered, in metres, edge included; 10–5000.
  public var proximityRadiusMeters = 100.0
  /// How far apart the centres of spots may lie that are taken for the same place, in metres;
  /// 5–50.
  public var clusterRadiusMeters = 15.0
  /// How long a place stays silent after it fired, in seconds; 0 lets it fire at every entry.
  public var cooldownSeconds = 86_400.0
  /// How old the oldest photo of a spot must be, in seconds; 0 lets any age pass.
  public var minimumPhotoAgeSeconds = 86_400.0
  /// Whether a spot is too recent where its oldest photo was taken after the fix. Else such a photo
  /// is old enough: a track may be older than the photos that it is replayed over.
  public var refusesLaterPhotos = true
  /// Whether only spots with a favourite photo may fire.
  public var isFavoritesOnly = false
  /// For how long after a spot was taken again it does not fire, in seconds; 0 lets it fire.
  public var recreationIntervalSeconds = 0.0
  /// When spots were taken again last, by their ids.
  public var recreatedSpots: [String: Instant] = [:]
  /// How far a device must have moved before a fix is looked at again, in metres; 0 looks at every
  /// one.
  public var distanceFilterMeters = 10.0
  /// The greatest horizontal accuracy with which a fix is believed, in metres.
  public var maximumAccuracyMeters = 100.0
  /// How old a fix of a live feed may be to fire, in seconds.
  public var maximumFixAgeSeconds = 900.0
  /// How long a device must stay at a spot to enter it, in seconds.
  public var dwellSeconds = 0.0
  /// The least time between two notifications to one device, in seconds.
  public var minimumIntervalSeconds = 300.0
  /// The speed above which a device is in a vehicle, in km/h; `nil` sets no limit.
  public var maximumSpeedKilometersPerHour: Double? = 25
  /// Over how many days the days at a place are counted that lengthen its cooldown; 0 counts none.
  public var routineDays = 14
  /// How close two spots are that silence each other, in metres.
  public var siblingDistanceMeters = 100.0
  /// For how long after a firing the same place is silent on a device that is along, in seconds.
  public var sharedIntervalSeconds = 1800.0
  /// For how long a device must stay at a spot after its first fix or a gap, in seconds.
  public var coldStartSeconds = 60.0
  /// The least time between two notifications about spots within 500 m, in seconds; never less than
  /// the interval elsewhere.
  public var townIntervalSeconds = 900.0
  /// For how long an impossible position is not believed, in seconds.
  public var jumpQuarantineSeconds = 600.0
  /// How old a fix of a live feed is that may be one of a burst, in seconds.
  public var burstAgeSeconds = 60.0
  /// The rules that are turned off.
  public var rulesOff: Set<WatcherRule> = []
  /// The hours of the day in which nothing fires.
  public var quietHours: QuietHours?
  /// The time zone that the quiet hours are of; `nil` is that of the watcher's clock.
  public var quietHoursZone: TimeZoneRules?
  /// The areas in which nothing fires.
  public var mutedZones: [MutedZone] = []
  /// The spots that were silenced one by one.
  public var mutedSpots: [MutedSpot] = []
  /// How many notifications a device gets on a day of the local clock; `nil` sets no limit.
  ///
  /// The first half of them goes to whatever is entered. The other half is kept for spots with no
  /// fewer photos than the middle one of those that fired that day, so that a few great places are
  /// not crowded out by the first street.
  public var dailyBudget: Int? = 20
  /// How many notifications all devices together get in a minute, at most 1000; `nil` sets no
  /// limit.
  ///
  /// It bounds what senders can cause who invent devices.
  public var maximumAlertsPerMinute: Int? = 30
  /// Whether anything fires at all.
  public var areNotificationsEnabled = true

  /// Creates the default settings.
  public init() {}

  /// A device leaves a spot where it is farther away than this: the radius and a margin, so that a
  /// fix that wobbles on the edge neither leaves nor enters.
  var exitDistanceMeters: Double { Self.exitDistanceMeters(radius: proximityRadiusMeters) }

  /// The same for a radius in metres.
  static func exitDistanceMeters(radius: Double) -> Double { radius + max(20, 0.4 * radius) }
}

/// A part of every day, by the clock on the wall.
///
/// It holds its first minute and not its last, and may run across midnight.
public struct QuietHours: Hashable, Sendable, CustomStringConvertible {
  /// The first minute, counted from midnight; 0–1439.
  public let startMinute: Int
  /// The minute after the last, counted from midnight; 0–1439.
  public let endMinute: Int

  /// Creates quiet hours; `nil` where a minute is not in 0–1439 or both are the same.
  public init?(startMinute: Int, endMinute: Int) {
    guard (0..<1440).contains(startMinute), (0..<1440).contains(endMinute),
      startMinute != endMinute
    else { return nil }
    self.startMinute = startMinute
    self.endMinute = endMinute
  }

  /// Reads quiet hours as they are written in the settings, `22:00-07:00`; `nil` for anything else.
  public init?(_ text: String) {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let start = Self.minute(ends[0]), let end = Self.minute(ends[1]) else {
      return nil
    }
    self.init(startMinute: start, endMinute: end)
  }

  /// The hours as they are written in the settings: `22:00-07:00`.
  public var description: String { "\(Self.text(startMinute))-\(Self.text(endMinute))" }

  /// Whether a minute of the day is quiet.
  public func contains(minute: Int) -> Bool {
    startMinute < endMinute
      ? (startMinute..<endMinute).contains(minute) : minute >= startMinute || minute < endMinute
  }

  /// Writes a minute of the day as `HH:MM`.
  package static func text(_ minute: Int) -> String {
    let (hours, minutes) = minute.quotientAndRemainder(dividingBy: 60)
    return (hours < 10 ? "0" : "") + "\(hours):" + (minutes < 10 ? "0" : "") + "\(minutes)"
  }

  /// Reads a minute of the day, `HH:MM`; `nil` for anything else.
  package static func minute(_ text: Substring) -> Int? {
    let fields = text.split(separator: ":", omittingEmptySubsequences: false)
    guard fields.count == 2, fields.allSatisfy({ (1...2).contains($0.utf8.count) }),
      fields.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let hours = Int(fields[0]), let minutes = Int(fields[1]), hours < 24, minutes < 60
    else { return nil }
    return hours * 60 + minutes
  }
}

/// A circle in which nothing fires: neither while the device is in it, nor for a spot in it.
public struct MutedZone: Hashable, Sendable {
  /// The middle of the circle.
  public var center: Coordinate
  /// The radius in metres, edge included.
  public var radiusMeters: Double

  /// Creates a zone.
  public init(center: Coordinate, radiusMeters: Double) {
    self.center = center
    self.radiusMeters = radiusMeters
  }
}
