import CLibrary
public import CivilTime
public import LocationFeeds
public import PhotoLibrary
import Spatial

/// The position of a device relative to spots, as tracked by simple watchers.
private struct Presence {
  var last: Instant?
  var inside: Set<String> = []
  var lastAlert: Instant?
}

/// A watcher that alerts when a fix is within 100 m of a spot and the previous one was not.
public struct NaiveRadius: Contestant {
  private let spots: SpotIndex
  private var devices: [String?: Presence] = [:]

  /// Creates a watcher over spots.
  public init(spots: SpotIndex) { self.spots = spots }

  public mutating func receive(_ fix: LocationFix, at now: Instant) -> [Alert] {
    guard let here = fix.coordinate else { return [] }
    let inside = Set(spots.spots(within: 100, of: here).map(\.spot.id))
    let entered = inside.subtracting(devices[fix.device, default: Presence()].inside)
    devices[fix.device, default: Presence()].inside = inside
    return entered.sorted().map { Alert(time: now, device: fix.device, spots: [$0]) }
  }
}

/// A watcher with geofences of 100 m as in Traccar: fixes are processed in order, those with an
/// accuracy worse than 100 m are ignored, and each entry is an event, except with the first fix
/// (github.com/traccar/traccar, `GeofenceEventHandler`).
public struct Geofence: Contestant {
  private let spots: SpotIndex
  private var devices: [String?: Presence] = [:]

  /// Creates a watcher over spots.
  public init(spots: SpotIndex) { self.spots = spots }

  public mutating func receive(_ fix: LocationFix, at now: Instant) -> [Alert] {
    guard let here = fix.coordinate, let time = fix.time,
      fix.horizontalAccuracyMeters ?? 0 <= 100
    else { return [] }
    var device = devices[fix.device, default: Presence()]
    if let last = device.last, time <= last { return [] }
    let isFirst = device.last == nil
    let inside = Set(spots.spots(within: 100, of: here).map(\.spot.id))
    let entered = isFirst ? [] : inside.subtracting(device.inside)
    (device.inside, device.last) = (inside, time)
    devices[fix.device] = device
    return entered.sorted().map { Alert(time: now, device: fix.device, spots: [$0]) }
  }
}

/// A watcher with fences that are entered if three quarters of the accuracy circle are inside, and
/// left if less than a quarter is, with at most one alert in five minutes.
public struct Overlap: Contestant {
  private let spots: SpotIndex
  private var devices: [String?: Presence] = [:]

  /// Creates a watcher over spots.
  public init(spots: SpotIndex) { self.spots = spots }

  public mutating func receive(_ fix: LocationFix, at now: Instant) -> [Alert] {
    guard let here = fix.coordinate, let time = fix.time else { return [] }
    var device = devices[fix.device, default: Presence()]
    if let last = device.last, time <= last { return [] }
    device.last = time
    let accuracy = fix.horizontalAccuracyMeters ?? 1
    var entered: [String] = []
    var inside: Set<String> = []
    for neighbor in spots.spots(within: 100 + accuracy, of: here) {
      let share = Self.share(of: accuracy, within: 100, at: neighbor.distanceMeters)
      let id = neighbor.spot.id
      if device.inside.contains(id) {
        if share >= 0.25 { inside.insert(id) }
      } else if share >= 0.75 {
        inside.insert(id)
        entered.append(id)
      }
    }
    device.inside = inside
    defer { devices[fix.device] = device }
    if let last = device.lastAlert, time.seconds(since: last) < 300 { return [] }
    guard let first = entered.first else { return [] }
    device.lastAlert = time
    return [Alert(time: now, device: fix.device, spots: [first])]
  }

  /// Returns the share of a circle inside another: the area of a lens of two circles.
  static func share(of radius: Double, within fence: Double, at distance: Double) -> Double {
    if distance + radius <= fence { return 1 }
    if distance >= radius + fence { return 0 }
    if distance + fence <= radius { return fence * fence / (radius * radius) }
    let (r, R, d) = (radius, fence, distance)
    let first = r * r * acos((d * d + r * r - R * R) / (2 * d * r))
    let second = R * R * acos((d * d + R * R - r * r) / (2 * d * R))
    let root = (-d + r + R) * (d + r - R) * (d - r + R) * (d + r + R)
    return (first + second - max(root, 0).squareRoot() / 2) / (Double.pi * r * r)
  }
}
