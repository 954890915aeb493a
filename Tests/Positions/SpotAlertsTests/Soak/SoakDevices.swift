import CLibrary
import CivilTime
import LocationFeeds
import Spatial
import TestSupport
import WatchScenes

/// Devices that move around the town on foot, each with one fix per second.
struct SoakDevices: Sendable {
  private struct Device: Sendable {
    let name: String
    var east: Double
    var north: Double
    var bearing: Double

    /// Returns the device a second later. At the edge of the town it stops and turns round.
    func moved(by meters: Double, _ random: inout SeededGenerator) -> Device {
      var next = self
      next.bearing += .random(in: -0.02...0.02, using: &random)
      next.east += meters * sin(next.bearing)
      next.north += meters * cos(next.bearing)
      let town = 0...SoakTown.sideMeters
      guard town.contains(next.east), town.contains(next.north) else {
        next = self
        next.bearing += .pi / 2
        return next
      }
      return next
    }
  }

  private static let metersPerSecond = 1.5
  private static let start = noon

  private var devices: [Device] = []
  var count: Int { devices.count }
  private var random = SeededGenerator(seed: 2)
  private var second = 0.0

  init(count: Int) {
    for number in 0..<count {
      devices.append(
        Device(
          name: "device \(number)", east: .random(in: 0...SoakTown.sideMeters, using: &random),
          north: .random(in: 0...SoakTown.sideMeters, using: &random),
          bearing: .random(in: 0..<2 * .pi, using: &random)))
    }
  }

  /// Advances by a second, and passes each device's number and fix to a closure.
  mutating func step(_ body: (Int, LocationFix) -> Void) {
    second += 1
    for number in devices.indices {
      let device = devices[number].moved(by: Self.metersPerSecond, &random)
      devices[number] = device
      let position = SoakTown.position(
        east: device.east + .random(in: -3...3, using: &random),
        north: device.north + .random(in: -3...3, using: &random))
      // One fix in a thousand is inaccurate, as in a tunnel.
      let isVague = Int.random(in: 0..<1000, using: &random) == 0
      body(
        number,
        LocationFix(
          time: Self.start.advanced(bySeconds: second), latitude: position.latitude,
          longitude: position.longitude, horizontalAccuracyMeters: isVague ? 900 : 8,
          device: device.name))
    }
  }
}
