import PhotoLibrary
import Spatial
import Storage
import SystemPackage
import TestSupport

extension FuzzTarget {
  /// The file that readers map instead of loading the index. An input is such a file without the
  /// eight bytes of its first line's hash, which a fuzzer cannot guess.
  static let mapped = FuzzTarget("mapped", seeds: seedsOfMapped) { content in
    guard let end = content.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let hash = content[..<end].withUnsafeBytes { XXH64.hash($0) }
    let folder = TemporaryFolder()
    let path = folder.path("index.json.mapped")
    try folder.write(
      content[...end] + withUnsafeBytes(of: hash.littleEndian) { Array($0) }
        + content[(end + 1)...],
      to: path)
    guard let file = try? MappedFile(path, limit: .max), let index = PhotoIndex(mapped: file) else {
      return nil
    }
    // Every query is answered, even if the contents are wrong.
    for photo in 0..<min(index.photoCount, 100) {
      guard index.shot(at: photo).files.first != nil else { return "a shot without a file" }
    }
    _ = index.albums
    let places = ["0000000000000000", "hhhhhhhhhhhhhhhh"].map { id in
      OwnPlace(
        id: id, name: id, coordinate: Coordinate(uncheckedLatitude: 48.8584, longitude: 2.2945),
        alertRadiusMeters: 500, photos: ["/photos/a.jpg"], pinnedSpotID: "zzzzzzzzzzzz")
    }
    for (radius, places) in [(15.0, []), (50, []), (15, places)] {
      let spots = SpotIndex(index, clusterRadius: radius)
        .joined(with: places, clusterRadius: radius)
      let pasts = SpotPasts(of: spots)
      for spot in spots.listed.prefix(100) {
        guard spot.members.allSatisfy({ (0..<index.photoCount).contains(Int($0)) }) else {
          return "a spot of photos that are not there"
        }
        _ = (spot.cover, spot.album, spot.anchor, spot.firstCaptured, pasts[spot.id])
        _ = spots.spots(within: 1000, of: spot.coordinate)
        _ = spots.nearest(3, to: spot.coordinate)
      }
      if let box = BoundingBox(south: -90, west: -180, north: 90, east: 180) {
        _ = spots.spots(in: box).count
      }
    }
    return nil
  }

  /// Files created from the seeds of the index.
  private static var seedsOfMapped: [[UInt8]] {
    Seeds.index.compactMap { seed in
      let folder = TemporaryFolder()
      let cache = PhotoIndexCache(path: folder.path("index.json"))
      guard (try? folder.write(seed, to: cache.path)) != nil,
        (try? cache.open(clusterRadius: 15)) != nil,
        let mapped = try? folder.contents(of: folder.path("index.json.mapped")),
        let end = mapped.firstIndex(of: UInt8(ascii: "\n"))
      else { return nil }
      return Array(mapped[...end] + mapped[(end + 9)...])
    }
  }
}
