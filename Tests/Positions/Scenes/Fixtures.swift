import CLibrary
package import CivilTime
package import LocationFeeds
package import PhotoLibrary
import PhotoMetadata
package import Spatial
package import SpotWatcher
package import SystemPackage
import TestSupport

/// Noon of the day in the life, UTC.
package let noon = Instant(iso8601: "2026-11-20T12:00:00Z")!

extension LocationFix {
  /// The fix in its stored form, with degrees rounded to seven decimals.
  package var stored: LocationFix {
    var fix = self
    fix.latitude = (latitude * 1e7).rounded() / 1e7
    fix.longitude = (longitude * 1e7).rounded() / 1e7
    return fix
  }
}

extension Coordinate {
  /// The position of the first test spot.
  package static let tower = Coordinate(latitude: 48.8584, longitude: 2.2945)!

  /// Returns the position some metres away, along a great circle; exact on the sphere.
  package func offset(north: Double, east: Double) -> Coordinate {
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

/// Returns a spot with dated photos.
package func spot(
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
package func scatteredSpots(
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
  package static var withoutRules: WatcherSettings {
    var settings = WatcherSettings()
    settings.rulesOff = Set(WatcherRule.allCases)
    settings.dailyBudget = nil
    return settings
  }

  /// Returns the same settings with one rule enabled.
  package static func with(_ rule: WatcherRule) -> WatcherSettings {
    var settings = withoutRules
    settings.rulesOff.remove(rule)
    return settings
  }
}

/// Returns a notification as a watcher creates it.
package func notification(
  _ seconds: Double = 0, spotID: String = "a", also: [String] = [], device: String? = "phone",
  cover: FilePath = "/photos/2016/tower.jpg"
) -> SpotNotification {
  let here = Coordinate.tower.offset(north: -85, east: -85)
  let time = noon.advanced(bySeconds: seconds)
  return SpotNotification(
    entering: spot(spotID, cover: cover), alsoNear: also.map { spot($0) },
    fix: LocationFix(
      time: time, latitude: here.latitude, longitude: here.longitude,
      horizontalAccuracyMeters: 5, device: device
    ).stored,
    position: here, time: time)
}
