import CLibrary
import Spatial
import TestSupport

/// A device that moves through a library by a simple model, with a position each second.
///
/// Of twenty devices eight stay within some metres of a photo, nine walk, two cycle and one drives.
/// A moving device heads for one photo after the other, each among those taken before and after the
/// last one, or for a random position where none of them is near.
struct ModelledDevice {
  /// Metres per second: 0 for a device that stays.
  private let speed: Double
  private let photos: [Coordinate]
  private var generator: SeededGenerator
  private var photo: Int
  private var here: Coordinate
  private var target: Coordinate

  private static let speeds =
    [Double](repeating: 0, count: 8) + [Double](repeating: 1.4, count: 9) + [5, 5, 15]
  /// Photos farther away than this are no targets.
  private static let farthestTargetMeters = 2000.0

  /// Creates a device.
  ///
  /// - Parameters:
  ///   - number: The number, on which speed and path depend.
  ///   - photos: The positions of the photos in order of capture; not empty.
  init(_ number: Int, among photos: [Coordinate]) {
    precondition(!photos.isEmpty)
    speed = Self.speeds[number % Self.speeds.count]
    generator = SeededGenerator(seed: UInt64(number))
    self.photos = photos
    photo = Int.random(in: photos.indices, using: &generator)
    here = photos[photo].offset(
      north: .random(in: -150...150, using: &generator),
      east: .random(in: -150...150, using: &generator))
    target = here
  }

  /// Moves on by some seconds, and returns the position that a receiver reports, which is wrong by
  /// up to 3 m in each direction.
  mutating func move(seconds: Double) -> Coordinate {
    if speed > 0 {
      let distance = here.distance(to: target)
      let step = speed * seconds
      if distance <= step {
        here = target
        chooseTarget()
      } else {
        let share = step / distance
        here = here.moved(towards: target, share: share)
      }
    }
    return here.offset(
      north: .random(in: -3...3, using: &generator), east: .random(in: -3...3, using: &generator))
  }

  private mutating func chooseTarget() {
    for _ in 0..<8 {
      let next = photo + Int.random(in: -20...20, using: &generator)
      guard photos.indices.contains(next), next != photo,
        here.distance(to: photos[next]) <= Self.farthestTargetMeters
      else { continue }
      (photo, target) = (next, photos[next])
      return
    }
    target = here.offset(
      north: .random(in: -300...300, using: &generator),
      east: .random(in: -300...300, using: &generator))
  }
}

extension Coordinate {
  private static let metersPerDegree = Earth.meanRadiusMeters * Double.pi / 180

  /// The position some metres away; at a pole the nearest one that is on the globe.
  func offset(north: Double, east: Double) -> Coordinate {
    let parallel = max(cos(latitude * Double.pi / 180), 1e-3) * Self.metersPerDegree
    return moved(byLatitude: north / Self.metersPerDegree, longitude: east / parallel)
  }

  /// The position on the way to another one nearby.
  func moved(towards target: Coordinate, share: Double) -> Coordinate {
    var east = target.longitude - longitude
    if east > 180 { east -= 360 } else if east < -180 { east += 360 }
    return moved(byLatitude: share * (target.latitude - latitude), longitude: share * east)
  }

  private func moved(byLatitude north: Double, longitude east: Double) -> Coordinate {
    var longitude = longitude + east
    if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
    return Coordinate(latitude: min(max(latitude + north, -90), 90), longitude: longitude) ?? self
  }
}
