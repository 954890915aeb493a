/// The anchors found so far, filed by the cubes of space that their neighbourhood touches.
///
/// Space is cut into cubes around the *unit sphere*, not into cells of latitude and longitude: cubes are
/// the same everywhere, so the poles and the antimeridian need no care. A cube's side is five radii. An
/// anchor is filed under every cube within the radius of it (2.7 on average), so that a look-up visits
/// just the one cube that holds the position.
struct AnchorGrid {
  private let radiusMeters: Double
  private let chord: Double
  private let cubesPerUnit: Double
  private var anchors: [(coordinate: Coordinate, vector: UnitVector)] = []
  /// For each cube the entry that was filed last.
  private var lastEntries: [UInt64: Int32] = [:]
  private var entries: [Entry] = []

  private struct Entry {
    let anchor: Int32
    /// The entry filed before this one under the same cube; negative for none.
    let previous: Int32
  }

  /// Cubes this small (6 m) keep a coordinate in 21 bits.
  private static let smallestSide = 1e-6

  init(radiusMeters: Double) {
    self.radiusMeters = radiusMeters
    chord = UnitVector.chord(spanning: radiusMeters)
    cubesPerUnit = 1 / max(5 * chord, Self.smallestSide)
  }

  var count: Int { anchors.count }

  /// The earliest anchor within the radius of a position, edge included.
  func earliestAnchor(near position: Coordinate) -> Int32? {
    let vector = UnitVector(position)
    let limit = chord * chord
    var earliest: Int32?
    var next = lastEntries[key(cube(vector.x), cube(vector.y), cube(vector.z))] ?? -1
    while next >= 0 {
      let entry = entries[Int(next)]
      let anchor = anchors[Int(entry.anchor)]
      // Entries run from the newest anchor to the oldest, so the last that matches is the earliest.
      if anchor.vector.squaredChord(to: vector) <= limit,
        anchor.coordinate.distance(to: position) <= radiusMeters
      {
        earliest = entry.anchor
      }
      next = entry.previous
    }
    return earliest
  }

  /// Adds an anchor and returns its number.
  mutating func insert(_ position: Coordinate) -> Int32 {
    let vector = UnitVector(position)
    let anchor = Int32(anchors.count)
    anchors.append((position, vector))
    for x in cube(vector.x - chord)...cube(vector.x + chord) {
      for y in cube(vector.y - chord)...cube(vector.y + chord) {
        for z in cube(vector.z - chord)...cube(vector.z + chord) {
          let key = key(x, y, z)
          entries.append(Entry(anchor: anchor, previous: lastEntries[key] ?? -1))
          lastEntries[key] = Int32(entries.count - 1)
        }
      }
    }
    return anchor
  }

  private func cube(_ component: Double) -> Int {
    Int((component * cubesPerUnit).rounded(.down))
  }

  private func key(_ x: Int, _ y: Int, _ z: Int) -> UInt64 {
    let mask = 1 << 21 - 1
    return UInt64(x & mask) << 42 | UInt64(y & mask) << 21 | UInt64(z & mask)
  }
}
