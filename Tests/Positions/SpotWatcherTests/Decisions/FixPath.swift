import CivilTime
import Spatial
import WatchScenes

@testable import SpotWatcher

/// The fixes of a device that moves east and west of the tower, without errors.
struct FixPath {
  private(set) var fixes: [MotionFix] = []
  private(set) var seconds = 0.0
  private var east: Double
  var stepSeconds = 5.0
  var hasSpeed = true
  /// Whether the sender writes zero for an unknown speed.
  var writesZero = false
  var accuracyMeters: Double? = 8

  /// Starts some metres east of the tower.
  init(east: Double) { self.east = east }

  /// Moves to a point at a speed.
  mutating func move(to target: Double, speed: Double) {
    let (start, duration) = (east, abs(target - east) / speed)
    let sign = target < east ? -1.0 : 1.0
    var passed = 0.0
    while passed < duration {
      add(east: start + sign * speed * passed, speed: speed, course: sign > 0 ? 90 : 270)
      passed += stepSeconds
      seconds += stepSeconds
    }
    east = target
  }

  /// Stays for a time, with fixes that scatter a little.
  mutating func stay(_ duration: Double) {
    let end = seconds + duration
    while seconds < end {
      add(east: east + seconds.truncatingRemainder(dividingBy: 3), speed: 0, course: nil)
      seconds += stepSeconds
    }
  }

  /// Passes time without fixes.
  mutating func wait(_ duration: Double) { seconds += duration }

  /// Continues at another point.
  mutating func jump(to target: Double) { east = target }

  private mutating func add(east: Double, speed: Double, course: Double?) {
    fixes.append(
      MotionFix(
        time: noon.advanced(bySeconds: seconds),
        coordinate: Coordinate.tower.offset(north: 0, east: east),
        accuracyMeters: accuracyMeters,
        speedMetersPerSecond: writesZero ? 0 : hasSpeed ? speed : nil,
        courseDegrees: hasSpeed ? course : nil))
  }
}
