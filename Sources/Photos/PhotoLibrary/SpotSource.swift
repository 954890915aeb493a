public import Spatial

/// A collection of spots that can be queried by position, whether it is in memory, in a mapped file
/// or in a database.
///
/// Every source returns the same results for the same spots, to the last bit of each distance. A
/// distance is that of `Coordinate.distance(to:)` from the position to the spot's centre, edges are
/// included, and spots at the same distance are ordered by id. A ``SpotIndex`` never throws; other
/// sources throw if their storage is unavailable.
public protocol SpotSource {
  /// Returns an index of at least the spots within a distance of a position.
  ///
  /// Intended for repeated queries around the same position, such as those of a watcher.
  ///
  /// - Parameters:
  ///   - radiusMeters: The distance in metres; infinity for all spots.
  ///   - center: The position.
  /// - Returns: The index, including the user's places if the source has any.
  /// - Throws: The source's error if its spots cannot be read.
  func region(within radiusMeters: Double, of center: Coordinate) throws -> SpotIndex

  /// Returns the spots whose centre is within a distance of a position, nearest first, then by id.
  ///
  /// - Parameters:
  ///   - radiusMeters: The distance in metres, edge included; a negative distance finds nothing.
  ///   - center: The position.
  /// - Returns: The spots with their distances.
  /// - Throws: The source's error if its spots cannot be read.
  func spots(within radiusMeters: Double, of center: Coordinate) throws -> [SpotIndex.Neighbor]

  /// Returns the spots nearest to a position, nearest first, then by id.
  ///
  /// - Parameters:
  ///   - count: The number of spots; fewer are returned if there are fewer.
  ///   - center: The position.
  /// - Returns: The spots with their distances.
  /// - Throws: The source's error if its spots cannot be read.
  func nearest(_ count: Int, to center: Coordinate) throws -> [SpotIndex.Neighbor]

  /// Returns spots in listing order: most photos first, then the earliest capture, then the id.
  ///
  /// - Parameter box: The box in which the centres are, edges included; `nil` for all spots.
  /// - Returns: The spots.
  /// - Throws: The source's error if its spots cannot be read.
  func listed(in box: BoundingBox?) throws -> AnySequence<PhotoSpot>

  /// Returns the spots whose ids begin with a text, in the order of their ids.
  ///
  /// - Parameters:
  ///   - prefix: The text.
  ///   - limit: The maximum number of spots to return.
  /// - Returns: The first spots in that order.
  /// - Throws: The source's error if its spots cannot be read.
  func spots(withIDStarting prefix: String, limit: Int) throws -> [PhotoSpot]
}

extension SpotSource {
  /// Returns the spots whose centre is within a distance of a position, nearest first, then by id.
  public func spots(
    within radiusMeters: Double, of center: Coordinate
  ) throws -> [SpotIndex.Neighbor] {
    guard radiusMeters >= 0 else { return [] }
    return try region(within: radiusMeters, of: center).spots(within: radiusMeters, of: center)
  }

  /// Returns the spots nearest to a position that meet a condition, nearest first, then by id.
  ///
  /// - Parameters:
  ///   - count: The number of spots; fewer are returned if fewer meet the condition.
  ///   - center: The position.
  ///   - isIncluded: The condition.
  /// - Returns: The spots with their distances.
  /// - Throws: The source's error if its spots cannot be read.
  public func nearest(
    _ count: Int, to center: Coordinate, where isIncluded: (PhotoSpot) -> Bool
  ) throws -> [SpotIndex.Neighbor] {
    var asked = count
    while true {
      let found = try nearest(asked, to: center)
      let included = found.filter { isIncluded($0.spot) }
      if included.count >= count || found.count < asked {
        return Array(included.prefix(max(count, 0)))
      }
      let more = asked.multipliedReportingOverflow(by: 4)
      asked = more.overflow ? .max : max(more.partialValue, 16)
    }
  }

  /// Returns the spot with an id; `nil` if there is none.
  public func spot(ofID id: String) throws -> PhotoSpot? {
    try spots(withIDStarting: id, limit: 1).first { $0.id == id }
  }
}

extension SpotSource {
  /// Returns the spots within a distance of a position, where a spot with a pinned place is also at
  /// that place's own position, nearest first, then by id.
  ///
  /// A place may be pinned to a spot whose centre is far from it. People look for it where they put
  /// it.
  ///
  /// - Parameters:
  ///   - radiusMeters: The distance in metres, edge included; a negative distance finds nothing.
  ///   - center: The position.
  /// - Returns: The spots, each once, with the lesser of the two distances.
  /// - Throws: The source's error if its spots cannot be read.
  package func spots(
    orPinsWithin radiusMeters: Double, of center: Coordinate
  ) throws -> [SpotIndex.Neighbor] {
    guard radiusMeters >= 0 else { return [] }
    let region = try region(within: radiusMeters, of: center)
    return Self.merge(
      region.spots(within: radiusMeters, of: center),
      region.spots(withPinsWithin: radiusMeters, of: center))
  }

  /// Returns the spots nearest to a position that meet a condition, where a spot with a pinned
  /// place is also at that place's own position, nearest first, then by id.
  ///
  /// - Parameters:
  ///   - count: The number of spots; fewer are returned if fewer meet the condition.
  ///   - center: The position.
  ///   - isIncluded: The condition.
  /// - Returns: The spots, each once, with the lesser of the two distances.
  /// - Throws: The source's error if its spots cannot be read.
  package func nearest(
    _ count: Int, orPinsTo center: Coordinate, where isIncluded: (PhotoSpot) -> Bool
  ) throws -> [SpotIndex.Neighbor] {
    guard count > 0 else { return [] }
    let found = try nearest(count, to: center, where: isIncluded)
    // A pin that is farther away than the last of `count` spots is not among the nearest.
    let reach = found.count == count ? found[count - 1].distanceMeters : .infinity
    let pinned = try region(within: reach, of: center).spots(withPinsWithin: reach, of: center)
      .filter { isIncluded($0.spot) }
    return Array(Self.merge(found, pinned).prefix(count))
  }

  private static func merge(
    _ spots: [SpotIndex.Neighbor], _ pinned: [SpotIndex.Neighbor]
  ) -> [SpotIndex.Neighbor] {
    guard !pinned.isEmpty else { return spots }
    var known: Set<String> = []
    return (spots + pinned)
      .sorted { ($0.distanceMeters, $0.spot.id) < ($1.distanceMeters, $1.spot.id) }
      .filter { known.insert($0.spot.id).inserted }
  }
}

extension SpotIndex: SpotSource {
  /// Returns the index itself.
  public func region(within radiusMeters: Double, of center: Coordinate) -> SpotIndex { self }
}
