import PhotoLibrary
import Spatial
import TestSupport
import Testing
import WatchScenes

@testable import SpotWatcher

/// The definitions of entering and leaving, by a full scan without timers, filters or queries.
private struct NaiveTwin {
  let spots: [PhotoSpot]
  let radius: Double
  var inside: [String: Int] = [:]

  mutating func events(at here: Coordinate) -> [String] {
    var events: [String] = []
    for spot in spots {
      let distance = here.distance(to: spot.coordinate)
      if let beyond = inside[spot.id] {
        let isBeyond = distance > radius + max(20, 0.4 * radius)
        if isBeyond, beyond == 1 {
          inside[spot.id] = nil
          events.append("exit \(spot.id)")
        } else {
          inside[spot.id] = isBeyond ? 1 : 0
        }
      } else if distance <= radius {
        inside[spot.id] = 0
        events.append("enter \(spot.id)")
      }
    }
    return events.sorted()
  }
}

@Suite struct LocationWatcherTwinTests {
  @Test(arguments: Effort.seeds(3), [10, 100, 400] as [Double])
  func `a random walk enters and exits spots like a full scan without optimizations`(
    seed: UInt64, radius: Double
  ) {
    var generator = SeededGenerator(seed: seed)
    let spots = (0..<80).map { number in
      spot(
        "s\(number)",
        at: Coordinate.tower.offset(
          north: .random(in: -1500...1500, using: &generator),
          east: .random(in: -1500...1500, using: &generator)))
    }
    var scene = Scene(spots) {
      $0.proximityRadiusMeters = radius
      $0.distanceFilterMeters = 0
      $0.cooldownSeconds = 0
      $0.minimumIntervalSeconds = 0
      // Every entry is a decision.
      $0.areNotificationsEnabled = false
    }
    var twin = NaiveTwin(spots: spots, radius: radius)
    var (north, east, seconds) = (0.0, 0.0, 0.0)
    var count = 0
    for _ in 0..<1500 {
      let reach = Double.random(in: 0...1, using: &generator) < 0.2 ? 700.0 : 60
      north = min(max(north + .random(in: -reach...reach, using: &generator), -1500), 1500)
      east = min(max(east + .random(in: -reach...reach, using: &generator), -1500), 1500)
      seconds += Double.random(in: 20...130, using: &generator)
      let expected = twin.events(at: Coordinate.tower.offset(north: north, east: east))
      _ = scene.fix(seconds, north: north, east: east)
      let events = scene.last.compactMap { decision -> String? in
        switch decision.kind {
        case .disabled: "enter \(decision.spotID!)"
        case .exit: "exit \(decision.spotID!)"
        default: nil
        }
      }
      count += events.count
      #expect(events.sorted() == expected, "seed \(seed), radius \(radius), \(seconds) s")
    }
    #expect(count >= 2)
  }
}
