import PhotoLibrary
import Spatial
import TestSupport
import WatchScenes

/// A town of forty by forty kilometres with a hundred thousand photos, in clumps of fifty.
struct SoakTown {
  static let sideMeters = 40_000.0
  private static let clumpCount = 2000
  private static let photosPerClump = 50

  private let photos: [Coordinate]

  init() {
    var random = SeededGenerator(seed: 1)
    var photos: [Coordinate] = []
    for _ in 0..<Self.clumpCount {
      let east = Double.random(in: 0...Self.sideMeters, using: &random)
      let north = Double.random(in: 0...Self.sideMeters, using: &random)
      for _ in 0..<Self.photosPerClump {
        photos.append(
          Self.position(
            east: east + .random(in: -60...60, using: &random),
            north: north + .random(in: -60...60, using: &random)))
      }
    }
    self.photos = photos
  }

  /// Returns the position some metres east and north of the town's corner.
  static func position(east: Double, north: Double) -> Coordinate {
    Coordinate.tower.offset(north: north, east: east)
  }

  /// Returns the spots of all photos except every nth.
  func spots(clusterRadius: Double, withoutEach interval: Int? = nil) -> SpotIndex {
    let kept = photos.indices.filter { photo in interval.map { photo % $0 != 0 } ?? true }
    let clustering = GreedyClusterer(radiusMeters: clusterRadius)
      .clusters(of: kept.map { photos[$0] })
    let spots = (0..<clustering.count).map { cluster in
      let members = clustering.members(of: cluster).map { kept[Int($0)] }
      let number = String(members[0])
      return spot(
        "s" + String(repeating: "0", count: 6 - number.utf8.count) + number,
        at: Coordinate.centroid(of: members.map { photos[$0] }) ?? photos[members[0]],
        photos: members.count)
    }
    return SpotIndex(spots: spots.sorted { $0.id < $1.id })
  }
}
