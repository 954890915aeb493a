import CLibrary
import CivilTime
import LocationFeeds
import PhotoLibrary
import PhotoMetadata
import Spatial
import SystemPackage
import TestSupport

@testable import SpotAlerts
@testable import SpotWatcher

/// Noon of the day in the life, UTC.
let noon = Instant(iso8601: "2026-11-20T12:00:00Z")!

extension LocationFix {
  /// The fix in its stored form, with degrees rounded to seven decimals.
  var stored: LocationFix {
    var fix = self
    fix.latitude = (latitude * 1e7).rounded() / 1e7
    fix.longitude = (longitude * 1e7).rounded() / 1e7
    return fix
  }
}

extension Coordinate {
  /// The position of the first test spot.
  static let tower = Coordinate(latitude: 48.8584, longitude: 2.2945)!

  /// Returns the position some metres away, along a great circle; exact on the sphere.
  func offset(north: Double, east: Double) -> Coordinate {
    let distance = (north * north + east * east).squareRoot() / Earth.meanRadiusMeters
    let bearing = atan2(east, north)
    let (φ, λ) = (latitude * Double.pi / 180, longitude * Double.pi / 180)
    let sine = sin(φ) * cos(distance) + cos(φ) * sin(distance) * cos(bearing)
    let turn = atan2(sin(bearing) * sin(distance) * cos(φ), cos(distance) - sin(φ) * sine)
    var degrees = (λ + turn) * 180 / Double.pi
    if degrees > 180 { degrees -= 360 }
    if degrees < -180 { degrees += 360 }
    return Coordinate(latitude: asin(sine) * 180 / Double.pi, longitude: degrees)!
  }
}

func spot(
  _ id: String, at coordinate: Coordinate = .tower, photos: Int = 14, favorites: Int = 0,
  undated: Int = 0, first: String? = "2016-05-01T10:00:00Z", last: String? = "2024-08-01T10:00:00Z",
  cover: FilePath = "/photos/2016/tower.jpg"
) -> PhotoSpot {
  func captured(_ text: String?) -> CaptureTime? {
    text.map { CaptureTime(instant: Instant(iso8601: $0)!) }
  }
  return PhotoSpot(
    id: id, coordinate: coordinate, anchor: coordinate, radiusMeters: 0, photoCount: photos,
    favoriteCount: favorites, undatedCount: undated, firstCaptured: captured(first),
    lastCaptured: captured(last), cover: cover)
}

/// Returns spots around a position; a third of them are close together, some in the same place.
func scatteredSpots(
  _ count: Int, around origin: Coordinate, reach: Double, seed: UInt64
) -> [PhotoSpot] {
  var generator = SeededGenerator(seed: seed)
  return (0..<count).map { number in
    let reach = number % 3 == 0 ? 60 : reach
    return spot(
      "s\(number)",
      at: origin.offset(
        north: Double.random(in: -reach...reach, using: &generator).rounded(),
        east: Double.random(in: -reach...reach, using: &generator).rounded()),
      photos: Int.random(in: 1...30, using: &generator))
  }
}

extension WatcherSettings {
  /// Settings with which every entry fires, for tests of entering.
  static var withoutRules: WatcherSettings {
    var settings = WatcherSettings()
    settings.rulesOff = Set(WatcherRule.allCases)
    settings.dailyBudget = nil
    return settings
  }

  /// Returns the same settings with one rule enabled.
  static func with(_ rule: WatcherRule) -> WatcherSettings {
    var settings = withoutRules
    settings.rulesOff.remove(rule)
    return settings
  }
}

/// A feed with its own clock, played to a watcher.
struct Scene {
  var watcher: LocationWatcher
  var origin = Coordinate.tower
  var start = noon
  var isLive = false
  /// The seconds by which the machine's clock is ahead of the feed's.
  var clockSkew = 0.0
  private(set) var notifications: [SpotNotification] = []
  private(set) var last: [WatcherDecision] = []

  init(
    _ spots: [PhotoSpot], places: [OwnPlace] = [],
    localClock: LocalClock = .fixed(utcOffsetMinutes: 0), state: WatcherState = .init(),
    change: (inout WatcherSettings) -> Void = { _ in }
  ) {
    var settings = WatcherSettings.withoutRules
    change(&settings)
    watcher = LocationWatcher(
      spots: SpotIndex(spots: spots).joined(with: places, clusterRadius: 15),
      settings: settings, localClock: localClock, state: state)
  }

  /// Plays a fix some metres from the origin and some seconds after the start; returns the
  /// decisions as words such as `notify a` or `clear`.
  mutating func fix(
    _ seconds: Double, north: Double = 0, east: Double = 0, accuracy: Double? = nil,
    speed: Double? = nil, device: String? = nil
  ) -> [String] {
    fix(
      seconds, at: origin.offset(north: north, east: east), accuracy: accuracy, speed: speed,
      device: device)
  }

  mutating func fix(
    _ seconds: Double, at position: Coordinate, accuracy: Double? = nil, speed: Double? = nil,
    device: String? = nil
  ) -> [String] {
    let time = start.advanced(bySeconds: seconds)
    let fix = LocationFix(
      time: time, latitude: position.latitude, longitude: position.longitude,
      horizontalAccuracyMeters: accuracy, speedMetersPerSecond: speed, device: device)
    return words(
      watcher.evaluate(fix, now: time.advanced(bySeconds: clockSkew), isLive: isLive))
  }

  /// Ends the feed.
  mutating func finish() -> [String] { words(watcher.finish(now: nil)) }

  /// Advances the machine's clock to some seconds after the start.
  mutating func tick(_ seconds: Double) -> [String] {
    words(watcher.tick(now: start.advanced(bySeconds: seconds)))
  }

  private mutating func words(_ decisions: [WatcherDecision]) -> [String] {
    last = decisions
    notifications += decisions.compactMap(\.notification)
    return decisions.map { $0.kind.rawValue + ($0.spotID.map { " \($0)" } ?? "") }
  }
}
