import CivilTime
import PhotoMetadata
public import Spatial

/// All spots, searchable by position.
///
/// ``joined(with:clusterRadius:)`` adds the user's places to them.
public struct SpotIndex: Sendable {
  /// A spot found by a query, with the distance of its centre.
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

  /// The spots, sorted by id.
  public let spots: SpotList
  /// The centres of the spots of photos.
  private let index: SpatialIndex
  /// The user's places; `nil` if there are none.
  var overlay: PlaceOverlay? { spots.overlay }

  /// The centres of the spots of photos, in the order of their ids. Without places, these are the
  /// centres of ``spots``.
  package var centers: SpatialIndex { index }

  /// Creates an index over spots.
  public init(spots: [PhotoSpot]) {
    // In the order of their ids, so that spots at the same distance come out in that order.
    let sorted = spots.sorted { $0.id < $1.id }
    self.spots = SpotList(sorted)
    index = SpatialIndex(sorted.map(\.coordinate))
  }

  /// Creates an index of packed spots.
  package init(_ packed: PackedSpots) {
    spots = SpotList(packed)
    index = SpatialIndex(packed.coordinates)
  }

  /// Creates an index of the spots of a photo index, computing them unless the photo index contains
  /// spots of this radius.
  ///
  /// - Parameters:
  ///   - photos: The photo index.
  ///   - radiusMeters: The cluster radius: the maximum distance of a spot's photo from its anchor.
  public init(_ photos: PhotoIndex, clusterRadius radiusMeters: Double) {
    let tables = SpotIndexTables(photos, photos.spotTable(clusterRadius: radiusMeters))
    spots = SpotList(tables)
    index = tables.spots.centers
  }

  /// Creates an index of the same spots of photos with other places.
  private init(_ base: SpotIndex, _ overlay: PlaceOverlay?) {
    spots = SpotList(base.spots, overlay)
    index = base.index
  }

  /// Returns the spots of photos together with the user's places.
  ///
  /// A place is pinned to the spot with its ``OwnPlace/pinnedSpotID``. If that spot does not exist,
  /// the place is pinned to the nearest spot whose centre is within the cluster radius, edge
  /// included. At most one place is pinned to a spot: one that refers to the spot's id before
  /// others, then the first by the places' own ids. Every other place is an entry of its own. The
  /// spots of photos are not copied.
  ///
  /// - Parameters:
  ///   - places: The places in any order; only the first of each id is used. They replace the
  ///     places that this index was joined with before.
  ///   - radiusMeters: The cluster radius.
  /// - Returns: The joined index; ``withoutPlaces`` if there are no places.
  /// - Complexity: O(*k* log(*n* / *k*)) for *k* places and *n* spots.
  public func joined(with places: [OwnPlace], clusterRadius radiusMeters: Double) -> SpotIndex {
    guard !places.isEmpty else { return withoutPlaces }
    let base = withoutPlaces
    return SpotIndex(base, PlaceOverlay(places, over: base, clusterRadius: radiusMeters))
  }

  /// The index without the user's places.
  public var withoutPlaces: SpotIndex { overlay == nil ? self : SpotIndex(self, nil) }

  /// Returns the user's place that is pinned to a spot of photos, by the spot's index among the
  /// spots of photos alone.
  package func place(pinnedToSpotAt row: Int) -> OwnPlace? { overlay?.pins[row] }

  /// The spots in listing order: by number of photos, descending, then by earliest capture, then by
  /// id.
  public var listed: AnySequence<PhotoSpot> { spots.listed }

  /// Returns the spots whose centre is in a box, edges included, in listing order; all spots if the
  /// box is `nil`.
  public func listed(in box: BoundingBox?) -> AnySequence<PhotoSpot> {
    box.map { spots.listed(at: indices(in: $0)) } ?? listed
  }

  /// Returns the spots whose ids begin with a text, in the order of their ids, at most `limit`.
  ///
  /// - Complexity: O(log *n* + *k*) for *k* of *n* spots.
  public func spots(withIDStarting prefix: String, limit: Int) -> [PhotoSpot] {
    let first = spots.partitioningIndex { $0.id >= prefix }
    return Array(spots[first...].prefix(max(limit, 0)).prefix { $0.id.hasPrefix(prefix) })
  }

  /// Returns the spots whose centre is within a distance of a position, nearest first, then by id.
  ///
  /// The distances are as exact as those of `SpatialIndex.neighbors(within:of:)`.
  public func spots(within radiusMeters: Double, of center: Coordinate) -> [Neighbor] {
    places(within: radiusMeters, of: center).map(neighbor)
  }

  /// Returns the spots with a pinned place whose own position is within a distance of a position,
  /// with the distance of that position, nearest first, then by id.
  package func spots(
    withPinsWithin radiusMeters: Double, of center: Coordinate
  ) -> [Neighbor] {
    guard let overlay else { return [] }
    // Rows are in the order of ids, as the positions are.
    return overlay.pinPositions.neighbors(within: radiusMeters, of: center).map { found in
      let number = overlay.number(ofRow: overlay.pinRows[found.index])
      return Neighbor(spot: spots[number], distanceMeters: found.distanceMeters)
    }
  }

  /// Returns the indices in ``spots`` of the spots within a distance of a position, nearest first,
  /// then by id.
  package func places(
    within radiusMeters: Double, of center: Coordinate
  ) -> [SpatialIndex.Neighbor] {
    let found = index.neighbors(within: radiusMeters, of: center)
    guard let overlay else { return found }
    return overlay.merge(found, overlay.centers.neighbors(within: radiusMeters, of: center))
  }

  /// Returns the indices in ``spots`` of the spots nearest to a position, nearest first, then by
  /// id.
  package func nearestPlaces(_ count: Int, to center: Coordinate) -> [SpatialIndex.Neighbor] {
    let found = index.nearest(count, to: center)
    guard let overlay else { return found }
    return Array(
      overlay.merge(found, overlay.centers.nearest(count, to: center)).prefix(max(count, 0)))
  }

  /// Returns the index in ``spots`` of the spot with an id; `nil` if there is none.
  ///
  /// - Complexity: O(log *n*) for *n* spots.
  package func place(ofID id: String) -> Int? {
    let first = spots.partitioningIndex { $0.id >= id }
    return first < spots.endIndex && spots[first].id == id ? first : nil
  }

  /// Returns the spot with an id; `nil` if there is none.
  package func spot(withID id: String) -> PhotoSpot? { place(ofID: id).map { spots[$0] } }

  /// Calls a closure with the index in ``spots`` and the centre of every spot within a distance of
  /// a position, in no particular order.
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

  /// Whether any of the user's places has its own alert radius.
  package var hasAlertRadii: Bool { overlay?.hasAlertRadii ?? false }

  /// The greatest alert radius in metres of the user's places; zero if none has its own.
  package var greatestAlertRadius: Double { overlay?.greatestAlertRadius ?? 0 }

  /// Returns the alert radius in metres of a spot or place, by its index in ``spots``; `nil` if it
  /// has none of its own.
  package func alertRadius(ofPlace number: Int) -> Double? {
    overlay?.alertRadius(ofNumber: number)
  }

  /// Calls a closure with the index in ``spots``, the centre and the alert radius of entries that
  /// have their own alert radius, in no particular order.
  ///
  /// All entries within `slackMeters` of the edge of their alert circle or inside it are included,
  /// and some that are farther away.
  package func forEachPlace(
    alertingWithin slackMeters: Double, of center: Coordinate,
    _ body: (_ index: Int, _ center: Standpoint, _ radiusMeters: Double) -> Void
  ) {
    overlay?.forEachPlace(alertingWithin: slackMeters, of: center, body)
  }

  /// Returns the spots nearest to a position, nearest first, then by id.
  public func nearest(_ count: Int, to center: Coordinate) -> [Neighbor] {
    nearestPlaces(count, to: center).map(neighbor)
  }

  /// Returns the spots whose centre is in a box, edges included, in the order of their ids.
  public func spots(in box: BoundingBox) -> [PhotoSpot] {
    indices(in: box).map { spots[$0] }
  }

  /// Returns the indices in ``spots`` of the spots whose centre is in a box, ascending.
  private func indices(in box: BoundingBox) -> [Int] {
    let found = index.indices(in: box)
    guard let overlay else { return found }
    return overlay.merge(found, overlay.centers.indices(in: box))
  }

  private func neighbor(_ found: SpatialIndex.Neighbor) -> Neighbor {
    Neighbor(spot: spots[found.index], distanceMeters: found.distanceMeters)
  }
}

/// Spots sorted by id, each created on access.
public struct SpotList: RandomAccessCollection, Sendable {
  private enum Source: Sendable {
    case spots([PhotoSpot])
    case packed(PackedSpots)
    case tables(SpotIndexTables)
  }

  private let source: Source
  /// The user's places among the spots; `nil` if there are none.
  let overlay: PlaceOverlay?

  init(_ spots: [PhotoSpot]) {
    source = .spots(spots)
    overlay = nil
  }

  init(_ packed: PackedSpots) {
    source = .packed(packed)
    overlay = nil
  }

  init(_ tables: SpotIndexTables) {
    source = .tables(tables)
    overlay = nil
  }

  /// Creates a list of another list's spots of photos, with other places.
  init(_ list: SpotList, _ overlay: PlaceOverlay?) {
    source = list.source
    self.overlay = overlay
  }

  /// The index of the first spot, 0.
  public var startIndex: Int { 0 }

  /// The number of spots.
  public var endIndex: Int { rowCount + (overlay?.places.count ?? 0) }

  /// The number of spots of photos.
  var rowCount: Int {
    switch source {
    case .spots(let spots): spots.count
    case .packed(let packed): packed.count
    case .tables(let tables): tables.spots.count
    }
  }

  /// The spot at an index.
  public subscript(place: Int) -> PhotoSpot {
    guard let overlay else { return spot(ofRow: place) }
    switch overlay.entry(at: place) {
    case .own(let number): return PhotoSpot(own: number, of: overlay)
    case .row(let row):
      let spot = spot(ofRow: row)
      return overlay.pins[row].map { PhotoSpot(spot, pinned: $0) } ?? spot
    }
  }

  /// Returns a spot of photos without the place pinned to it, by its index among the spots of
  /// photos.
  func spot(ofRow row: Int) -> PhotoSpot {
    switch source {
    case .spots(let spots): return spots[row]
    case .packed(let packed):
      precondition(row >= 0 && row < packed.count)
      return PhotoSpot(row: row, of: packed)
    case .tables(let tables):
      precondition(row >= 0 && row < tables.spots.count)
      return PhotoSpot(row: row, of: tables)
    }
  }

  /// The tables whose rows are the spots of this list, in order; `nil` if the spots were created
  /// without an index, or the user's places are among them.
  var tables: SpotIndexTables? { overlay == nil ? photoTables : nil }

  /// The tables whose rows are the spots of photos; `nil` if the spots were created without an
  /// index.
  var photoTables: SpotIndexTables? {
    switch source {
    case .spots, .packed: nil
    case .tables(let tables): tables
    }
  }

  /// The spots in listing order.
  fileprivate var listed: AnySequence<PhotoSpot> {
    switch source {
    case .spots, .packed: return listed(at: Array(indices))
    case .tables(let tables):
      let rows = tables.spots.listing.lazy.map(\.row)
      guard let overlay else {
        return AnySequence(rows.map { PhotoSpot(row: $0, of: tables) })
      }
      // The table contains the listing order of the spots of photos; the places are sorted and
      // merged with them.
      let own = overlay.numbers.map { ListingKey(self[$0], place: $0) }.sorted()
      return AnySequence {
        MergedListing(list: self, rows: AnyIterator(rows.makeIterator()), overlay, own)
      }
    }
  }

  /// Returns the spots at some indices in listing order. The sort keys are computed once per spot
  /// rather than in each comparison.
  fileprivate func listed(at places: [Int]) -> AnySequence<PhotoSpot> {
    let order = places.map { ListingKey(self[$0], place: $0) }.sorted()
    return AnySequence(order.lazy.map { self[$0.place] })
  }
}

/// An iterator that merges the spots of photos and the user's places, each in listing order.
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

/// The sort key of the listing order: number of photos, descending, then earliest capture, then the
/// index in the list, which is sorted by id.
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

/// The tables of an index and the table of its spots.
final class SpotIndexTables: Sendable {
  let index: PhotoIndex
  let spots: SpotTable

  init(_ index: PhotoIndex, _ spots: SpotTable) {
    self.index = index
    self.spots = spots
  }
}

extension RandomAccessCollection {
  /// Returns the first index from which a condition holds for all elements; `endIndex` if there is
  /// none.
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
