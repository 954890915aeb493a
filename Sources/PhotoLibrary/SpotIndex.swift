import CivilTime
import PhotoMetadata
public import Spatial

/// All spots, and the answer to "which are near".
///
/// ``joined(with:clusterRadius:)`` puts places of one's own among them.
public struct SpotIndex: Sendable {
  /// A spot that was found, and how far away its centre is.
  public struct Neighbor: Hashable, Sendable {
    /// The spot.
    public let spot: PhotoSpot
    /// The great-circle distance in metres from the centre of the query to the spot's centre.
    public let distanceMeters: Double

    /// Creates a neighbor at a distance.
    package init(spot: PhotoSpot, distanceMeters: Double) {
      self.spot = spot
      self.distanceMeters = distanceMeters
    }
  }

  /// The spots in the order of their ids.
  public let spots: SpotList
  /// The centres of the spots of photos.
  private let index: SpatialIndex
  /// The places of one's own; `nil` where there are none.
  var overlay: PlaceOverlay? { spots.overlay }

  /// The centres of the spots of photos, in the order of their ids: those of ``spots``, where there
  /// are no places of one's own.
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

  /// The same with other places of one's own.
  private init(_ base: SpotIndex, _ overlay: PlaceOverlay?) {
    spots = SpotList(base.spots, overlay)
    index = base.index
  }

  /// Returns the spots of photos together with places of one's own.
  ///
  /// A place that is pinned to a spot makes the spot carry it: by the spot's id, else by the
  /// nearest spot whose centre lies within the cluster radius, edge included. A spot carries one
  /// place: of several, one that names its id, and the first by their own ids. Every other place is
  /// an entry of its own. The spots of photos are not copied. Of places with the same id the first
  /// counts.
  ///
  /// - Parameters:
  ///   - places: The places in any order. Places that this index was joined with before are
  ///     dropped.
  ///   - radiusMeters: The cluster radius.
  /// - Returns: The joined index; without places this one, as it was before any were joined.
  /// - Complexity: O(*k* log(*n* / *k*)) for *k* places and *n* spots.
  public func joined(with places: [OwnPlace], clusterRadius radiusMeters: Double) -> SpotIndex {
    guard !places.isEmpty else { return withoutPlaces }
    let base = withoutPlaces
    return SpotIndex(base, PlaceOverlay(places, over: base, clusterRadius: radiusMeters))
  }

  /// The spots of photos alone.
  public var withoutPlaces: SpotIndex { overlay == nil ? self : SpotIndex(self, nil) }

  /// The place of one's own that is pinned to a spot of photos, by the spot's number among the
  /// spots of photos alone.
  package func place(pinnedToSpotAt row: Int) -> OwnPlace? { overlay?.pins[row] }

  /// The spots in listing order: most photos first, then the earliest capture, then the id.
  public var listed: AnySequence<PhotoSpot> { spots.listed }

  /// The spots whose centre lies in a box, edges included, in listing order; all where it is `nil`.
  public func listed(in box: BoundingBox?) -> AnySequence<PhotoSpot> {
    box.map { spots.listed(at: indices(in: $0)) } ?? listed
  }

  /// The first spots whose ids begin with a text, in the order of their ids.
  ///
  /// - Complexity: O(log *n* + *k*) for *k* of *n* spots.
  public func spots(withIDStarting prefix: String, limit: Int) -> [PhotoSpot] {
    let first = spots.partitioningIndex { $0.id >= prefix }
    return Array(spots[first...].prefix(max(limit, 0)).prefix { $0.id.hasPrefix(prefix) })
  }

  /// Returns the spots whose centre lies within a distance of a place, nearest first, then by id.
  ///
  /// Exact as `SpatialIndex.neighbors(within:of:)`.
  public func spots(within radiusMeters: Double, of center: Coordinate) -> [Neighbor] {
    places(within: radiusMeters, of: center).map(neighbor)
  }

  /// Returns the places in ``spots`` of the same, without the spots themselves.
  package func places(
    within radiusMeters: Double, of center: Coordinate
  ) -> [SpatialIndex.Neighbor] {
    let found = index.neighbors(within: radiusMeters, of: center)
    guard let overlay else { return found }
    return overlay.merge(found, overlay.centers.neighbors(within: radiusMeters, of: center))
  }

  /// Returns the places in ``spots`` of the spots nearest to a place, nearest first, then by id.
  package func nearestPlaces(_ count: Int, to center: Coordinate) -> [SpatialIndex.Neighbor] {
    let found = index.nearest(count, to: center)
    guard let overlay else { return found }
    return Array(
      overlay.merge(found, overlay.centers.nearest(count, to: center)).prefix(max(count, 0)))
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
    guard let overlay else {
      return index.forEachPosition(within: radiusMeters, of: center, body)
    }
    index.forEachPosition(within: radiusMeters, of: center) { row, position in
      body(overlay.number(ofRow: row), position)
    }
    overlay.centers.forEachPosition(within: radiusMeters, of: center) { place, position in
      body(overlay.numbers[place], position)
    }
  }

  /// Whether some places have an alert radius of their own.
  package var hasAlertRadii: Bool { overlay?.hasAlertRadii ?? false }

  /// The alert radius in metres that a place of ``spots`` has of its own.
  package func alertRadius(ofPlace number: Int) -> Double? {
    overlay?.alertRadius(ofNumber: number)
  }

  /// Calls a closure with every place of ``spots`` that has an alert radius of its own and may lie
  /// within that radius and some metres of a position, in no order. Some lie farther away.
  package func forEachPlace(
    alertingWithin slackMeters: Double, of center: Coordinate,
    _ body: (_ index: Int, _ center: Standpoint, _ radiusMeters: Double) -> Void
  ) {
    overlay?.forEachPlace(alertingWithin: slackMeters, of: center, body)
  }

  /// Returns the spots nearest to a place, nearest first, then by id.
  public func nearest(_ count: Int, to center: Coordinate) -> [Neighbor] {
    nearestPlaces(count, to: center).map(neighbor)
  }

  /// Returns the spots whose centre lies in a box, edges included, in the order of their ids.
  public func spots(in box: BoundingBox) -> [PhotoSpot] {
    indices(in: box).map { spots[$0] }
  }

  /// The places in ``spots`` of those whose centre lies in a box, in their order.
  private func indices(in box: BoundingBox) -> [Int] {
    let found = index.indices(in: box)
    guard let overlay else { return found }
    return overlay.merge(found, overlay.centers.indices(in: box))
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
  /// The places of one's own among the spots; `nil` where there are none.
  let overlay: PlaceOverlay?

  init(_ spots: [PhotoSpot]) {
    source = .spots(spots)
    overlay = nil
  }

  init(_ tables: SpotIndexTables) {
    source = .tables(tables)
    overlay = nil
  }

  /// The spots of photos of another list, with other places of one's own.
  init(_ list: SpotList, _ overlay: PlaceOverlay?) {
    source = list.source
    self.overlay = overlay
  }

  /// The place of the first spot.
  public var startIndex: Int { 0 }

  /// How many spots there are.
  public var endIndex: Int { rowCount + (overlay?.places.count ?? 0) }

  /// How many spots of photos there are.
  var rowCount: Int {
    switch source {
    case .spots(let spots): spots.count
    case .tables(let tables): tables.spots.count
    }
  }

  /// The spot at a place.
  public subscript(place: Int) -> PhotoSpot {
    guard let overlay else { return spot(ofRow: place) }
    switch overlay.entry(at: place) {
    case .own(let number): return PhotoSpot(own: number, of: overlay)
    case .row(let row):
      let spot = spot(ofRow: row)
      return overlay.pins[row].map { PhotoSpot(spot, pinned: $0) } ?? spot
    }
  }

  /// A spot of photos without what is pinned to it, by its number among these.
  func spot(ofRow row: Int) -> PhotoSpot {
    switch source {
    case .spots(let spots): return spots[row]
    case .tables(let tables):
      precondition(row >= 0 && row < tables.spots.count)
      return PhotoSpot(row: row, of: tables)
    }
  }

  /// What the spots are rows of, in the order of this list; `nil` where they are values of their
  /// own, or places of one's own are among them.
  var tables: SpotIndexTables? { overlay == nil ? photoTables : nil }

  /// What the spots of photos are rows of; `nil` where they are values of their own.
  var photoTables: SpotIndexTables? {
    switch source {
    case .spots: nil
    case .tables(let tables): tables
    }
  }

  /// The spots in listing order.
  fileprivate var listed: AnySequence<PhotoSpot> {
    switch source {
    case .spots: return listed(at: Array(indices))
    case .tables(let tables):
      let rows = tables.spots.listing.lazy.map(\.row)
      guard let overlay else {
        return AnySequence(rows.map { PhotoSpot(row: $0, of: tables) })
      }
      // The spots of photos lie sorted; the places are sorted and merged with them.
      let own = overlay.numbers.map { ListingKey(self[$0], place: $0) }.sorted()
      return AnySequence {
        MergedListing(list: self, rows: AnyIterator(rows.makeIterator()), overlay, own)
      }
    }
  }

  /// The spots at some places in listing order. What that depends on is looked up once for each
  /// spot, and not for each comparison.
  fileprivate func listed(at places: [Int]) -> AnySequence<PhotoSpot> {
    let order = places.map { ListingKey(self[$0], place: $0) }.sorted()
    return AnySequence(order.lazy.map { self[$0.place] })
  }
}

/// Spots of photos and places of one's own in listing order, from both in their orders.
private struct MergedListing: IteratorProtocol {
  private let list: SpotList
  private let overlay: PlaceOverlay
  private let rows: AnyIterator<Int>
  private let own: [ListingKey]
  private var nextOwn = 0
  private var row: Int?

  init(list: SpotList, rows: AnyIterator<Int>, _ overlay: PlaceOverlay, _ own: [ListingKey]) {
    (self.list, self.rows, self.overlay, self.own) = (list, rows, overlay, own)
    row = rows.next()
  }

  mutating func next() -> PhotoSpot? {
    let place = nextOwn < own.count ? own[nextOwn] : nil
    if let row {
      let number = overlay.number(ofRow: row)
      if place.map({ ListingKey(list.spot(ofRow: row), place: number) < $0 }) ?? true {
        self.row = rows.next()
        return list[number]
      }
    }
    nextOwn += 1
    return place.map { list[$0.place] }
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
