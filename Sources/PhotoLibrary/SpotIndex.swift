import CivilTime
import PhotoMetadata
public import Spatial

/// All spots, and the answer to "which are near".
public struct SpotIndex: Sendable {
  /// A spot that was found, and how far away its centre is.
  public struct Neighbor: Hashable, Sendable {
    /// The spot.
    public let spot: PhotoSpot
    /// The great-circle distance in metres from the centre of the query to the spot's centre.
    public let distanceMeters: Double
  }

  /// The spots in the order of their ids.
  public let spots: SpotList
  private let index: SpatialIndex

  /// The centres of ``spots``, in their order.
  package var centers: SpatialIndex { index }

  /// Creates an index over spots.
  public init(spots: [PhotoSpot]) {
    // In the order of their ids, so that spots at the same distance come out in that order.
    let sorted = spots.sorted { $0.id < $1.id }
    self.spots = SpotList(sorted)
    index = SpatialIndex(sorted.map(\.coordinate))
  }

  /// The spots of an index: as they lie in it where they were made with the radius, else made now.
  ///
  /// - Parameters:
  ///   - photos: The index.
  ///   - radiusMeters: How far from the anchor a photo may be and belong to its spot.
  public init(_ photos: PhotoIndex, clusterRadius radiusMeters: Double) {
    let tables = SpotIndexTables(photos, photos.spotTable(clusterRadius: radiusMeters))
    spots = SpotList(tables)
    index = tables.spots.centers
  }

  /// The spots in listing order: most photos first, then the earliest capture, then the id.
  public var listed: AnySequence<PhotoSpot> { spots.listed }

  /// The spots whose centre lies in a box, edges included, in listing order.
  public func listed(in box: BoundingBox) -> AnySequence<PhotoSpot> {
    spots.listed(at: index.indices(in: box))
  }

  /// The spots whose ids begin with a text, in the order of their ids.
  ///
  /// - Complexity: O(log *n*) for *n* spots.
  public func spots(withIDStarting prefix: String) -> Slice<SpotList> {
    let first = spots.partitioningIndex { $0.id >= prefix }
    let rest = spots[first...]
    return rest[..<rest.partitioningIndex { !$0.id.hasPrefix(prefix) }]
  }

  /// Returns the spots whose centre lies within a distance of a place, nearest first, then by id.
  ///
  /// Exact as ``Spatial/SpatialIndex/neighbors(within:of:)``.
  public func spots(within radiusMeters: Double, of center: Coordinate) -> [Neighbor] {
    index.neighbors(within: radiusMeters, of: center).map(neighbor)
  }

  /// Returns the places in ``spots`` of the same, without the spots themselves.
  package func places(
    within radiusMeters: Double, of center: Coordinate
  ) -> [SpatialIndex.Neighbor] {
    index.neighbors(within: radiusMeters, of: center)
  }

  /// Returns the places in ``spots`` of the spots nearest to a place, nearest first, then by id.
  package func nearestPlaces(_ count: Int, to center: Coordinate) -> [SpatialIndex.Neighbor] {
    index.nearest(count, to: center)
  }

  /// The place in ``spots`` of a spot; `nil` where there is none of the id.
  ///
  /// - Complexity: O(log *n*) for *n* spots.
  package func place(ofID id: String) -> Int? {
    let first = spots.partitioningIndex { $0.id >= id }
    return first < spots.endIndex && spots[first].id == id ? first : nil
  }

  /// Calls a closure with the place in ``spots`` and the centre of every spot within a distance of
  /// a place, in no order.
  package func forEachPlace(
    within radiusMeters: Double, of center: Coordinate,
    _ body: (_ index: Int, _ center: Standpoint) -> Void
  ) {
    index.forEachPosition(within: radiusMeters, of: center, body)
  }

  /// Returns the spots nearest to a place, nearest first, then by id.
  public func nearest(_ count: Int, to center: Coordinate) -> [Neighbor] {
    index.nearest(count, to: center).map(neighbor)
  }

  /// Returns the spots nearest to a place that meet a condition, nearest first, then by id.
  public func nearest(
    _ count: Int, to center: Coordinate, where isIncluded: (PhotoSpot) -> Bool
  ) -> [Neighbor] {
    var asked = count
    while true {
      let found = index.nearest(asked, to: center).map(neighbor)
      let included = found.filter { isIncluded($0.spot) }
      if included.count >= count || found.count < asked { return Array(included.prefix(count)) }
      asked = asked * 4 + 16
    }
  }

  /// Returns the spots whose centre lies in a box, edges included, in the order of their ids.
  public func spots(in box: BoundingBox) -> [PhotoSpot] {
    index.indices(in: box).map { spots[$0] }
  }

  private func neighbor(_ found: SpatialIndex.Neighbor) -> Neighbor {
    Neighbor(spot: spots[found.index], distanceMeters: found.distanceMeters)
  }
}

/// Spots in the order of their ids, each of which is made when it is asked for.
public struct SpotList: RandomAccessCollection, Sendable {
  private enum Source: Sendable {
    case spots([PhotoSpot])
    case tables(SpotIndexTables)
  }

  private let source: Source

  init(_ spots: [PhotoSpot]) {
    source = .spots(spots)
  }

  init(_ tables: SpotIndexTables) {
    source = .tables(tables)
  }

  /// The place of the first spot.
  public var startIndex: Int { 0 }

  /// How many spots there are.
  public var endIndex: Int {
    switch source {
    case .spots(let spots): spots.count
    case .tables(let tables): tables.spots.count
    }
  }

  /// The spot at a place.
  public subscript(place: Int) -> PhotoSpot {
    switch source {
    case .spots(let spots): return spots[place]
    case .tables(let tables):
      precondition(place >= 0 && place < tables.spots.count)
      return PhotoSpot(row: place, of: tables)
    }
  }

  /// What the spots are rows of; `nil` where they are values of their own.
  var tables: SpotIndexTables? {
    switch source {
    case .spots: nil
    case .tables(let tables): tables
    }
  }

  /// The spots in listing order.
  fileprivate var listed: AnySequence<PhotoSpot> {
    switch source {
    case .spots(let spots): listed(at: Array(spots.indices))
    case .tables(let tables):
      AnySequence(tables.spots.listing.lazy.map { PhotoSpot(row: $0.row, of: tables) })
    }
  }

  /// The spots at some places in listing order. What that depends on is looked up once for each
  /// spot, and not for each comparison.
  fileprivate func listed(at places: [Int]) -> AnySequence<PhotoSpot> {
    let order = places.map { ListingKey(self[$0], place: $0) }.sorted()
    return AnySequence(order.lazy.map { self[$0.place] })
  }
}

/// What the place of a spot in listing order depends on: most photos first, then the earliest first
/// capture, then the id, in the order of which the spots lie.
private struct ListingKey: Comparable {
  let photoCount: Int
  let firstCaptured: Instant
  let place: Int

  init(_ spot: PhotoSpot, place: Int) {
    photoCount = spot.photoCount
    firstCaptured = spot.firstCaptured?.instant ?? Instant(millisecondsSince1970: .max)
    self.place = place
  }

  static func < (left: Self, right: Self) -> Bool {
    if left.photoCount != right.photoCount { return left.photoCount > right.photoCount }
    return left.firstCaptured != right.firstCaptured
      ? left.firstCaptured < right.firstCaptured : left.place < right.place
  }
}

/// The tables that spots are rows of.
final class SpotIndexTables: Sendable {
  let index: PhotoIndex
  let spots: SpotTable

  init(_ index: PhotoIndex, _ spots: SpotTable) {
    self.index = index
    self.spots = spots
  }
}

extension RandomAccessCollection {
  /// The first place from which on something holds of all elements.
  fileprivate func partitioningIndex(where holds: (Element) -> Bool) -> Index {
    var (low, count) = (startIndex, self.count)
    while count > 0 {
      let middle = index(low, offsetBy: count / 2)
      if holds(self[middle]) {
        count /= 2
      } else {
        low = index(after: middle)
        count -= count / 2 + 1
      }
    }
    return low
  }
}
