import CivilTime
package import LocationFeeds
package import Spatial
package import TestSupport

/// A device that wanders about a place: mostly some metres a second, sometimes silent for a while,
/// sometimes far off for one fix.
package struct Wanderer {
  /// The position about which it wanders.
  package let origin: Coordinate
  /// The source of its steps.
  package var generator: SeededGenerator
  private var north = 0.0
  private var east = 0.0
  private var seconds = 0.0

  /// Creates a device at a position.
  package init(around origin: Coordinate, seed: UInt64) {
    self.origin = origin
    generator = SeededGenerator(seed: seed)
  }

  /// Returns the next fix.
  package mutating func next(device: String) -> LocationFix {
    var position = (north, east)
    switch Double.random(in: 0..<1, using: &generator) {
    case ..<0.9: step(2, after: 1)
    case ..<0.94: step(60, after: .random(in: 1...130, using: &generator))
    case ..<0.97: step(700, after: .random(in: 20...130, using: &generator))
    case ..<0.98: step(700, after: .random(in: 1...10, using: &generator))
    case ..<0.985: step(0, after: 90_000)
    case ..<0.99:
      // A jump, which is accepted only if the next fix confirms it.
      position = (north + 40_000, east)
      seconds += 1
      return fix(position, device)
    case ..<0.995: step(0, after: -2)
    default: step(0, after: 1000)
    }
    position = (north, east)
    return fix(position, device)
  }

  private mutating func step(_ meters: Double, after: Double) {
    func wander(_ position: Double) -> Double {
      let moved = position + .random(in: -meters...meters, using: &generator)
      return min(max(moved, -900), 900)
    }
    north = wander(north)
    east = wander(east)
    seconds += after
  }

  private func fix(_ position: (Double, Double), _ device: String) -> LocationFix {
    let here = origin.offset(north: position.0, east: position.1)
    return LocationFix(
      time: noon.advanced(bySeconds: seconds), latitude: here.latitude, longitude: here.longitude,
      horizontalAccuracyMeters: 5, device: device)
  }
}
