import CivilTime
import PhotoMetadata
import Spatial
import TestSupport

@testable import PhotoLibrary

/// A seeded layout of photos and places of one's own for the tests of sources of spots.
enum SpotLayout: String, CaseIterable, Sendable {
  case globe, town, cellEdges, antimeridian, poles, sameDistance

  /// A random position.
  func position(_ generator: inout SeededGenerator) -> Coordinate {
    func random(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
    func whole(_ range: ClosedRange<Int>) -> Double {
      Double(Int.random(in: range, using: &generator))
    }
    let (latitude, longitude): (Double, Double) =
      switch self {
      case .globe: (random(-90...90), random(-180...180))
      case .town: (48.85 + random(0...3e-3), 2.29 + random(0...3e-3))
      case .cellEdges:
        // On corners of cells, and up to some metres beside them.
        (
          0.01 * whole(-2...2) + [0, 1e-9, -1e-9, random(-3e-4...3e-4)].randomElement(
            using: &generator)!,
          0.01 * whole(-2...2) + [0, 1e-9, -1e-9, random(-3e-4...3e-4)].randomElement(
            using: &generator)!
        )
      case .antimeridian:
        (
          -17.5 + random(-2e-2...2e-2),
          [180, -180, 180 - random(0...2e-2), random(0...2e-2) - 180].randomElement(
            using: &generator)!
        )
      case .poles:
        (
          (90 - [0, random(0...1e-3), random(0...1.5)].randomElement(using: &generator)!)
            * (Bool.random(using: &generator) ? 1 : -1), random(-180...180)
        )
      // Mirrored about 0, 0, so that many lie equally far from there.
      case .sameDistance: (whole(-3...3) * 4e-4, whole(-3...3) * 4e-4)
      }
    return Coordinate(latitude: min(max(latitude, -90), 90), longitude: longitude)!
  }

  /// An index of photos, some undated, some with equal times or places.
  func photos(_ count: Int, seed: UInt64) -> PhotoIndex {
    var generator = SeededGenerator(seed: seed)
    var rows: [ShotRow] = []
    for number in 0..<count {
      let folder = ["2019 Siena", "DCIM/100CANON", "b"].randomElement(using: &generator) ?? ""
      var row = ShotRow("\(folder)/IMG_\(number).JPG", size: Int64(number + 1))
        .later(
          Double(Int.random(in: 0...count, using: &generator)),
          offset: [nil, 120, -330].randomElement(using: &generator) ?? nil)
      row.coordinate =
        number % 6 == 5
        ? rows.randomElement(using: &generator)?.coordinate : position(&generator)
      row.model = "\(number)"
      if number % 7 == 0 { row = row.undated }
      if number % 5 == 0 { row.rating = Int8(number % 6) }
      row.isFavorite = number % 11 == 0
      rows.append(row)
    }
    return PhotoIndex(rows)
  }

  /// Own places around spots: some pinned to one of these, some to a missing one, several to the
  /// same.
  func places(_ count: Int, around spots: SpotIndex, seed: UInt64) -> [OwnPlace] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { number in
      let spot = spots.spots.randomElement(using: &generator)
      let pinned: String? =
        switch number % 4 {
        case 0: nil
        case 1: spot?.id
        default: "gone\(number % 3)"
        }
      let isBeside = number % 4 != 3
      let center = isBeside ? spot?.coordinate : nil
      // Up to some twenty metres beside a spot, so that two spots are candidates.
      let latitude = center.map { $0.latitude + .random(in: -2e-4...2e-4, using: &generator) }
      let place = latitude.flatMap {
        Coordinate(latitude: min(max($0, -90), 90), longitude: center?.longitude ?? 0)
      }
      return OwnPlace(
        id: "\(UInt32.random(in: 0...UInt32.max, using: &generator))x\(number)",
        name: "Place \(number)", coordinate: place ?? position(&generator),
        alertRadiusMeters: number % 3 == 0 ? 500 : nil, pinnedSpotID: pinned)
    }
  }
}
