public import PhotoLibrary
public import Spatial

/// The spots that have photos which pass a filter, as numbers: what a map counts and shows.
///
/// Kept are a number a spot, how far south it is on the map, which all filters of an index share;
/// some numbers for every sixteen spots; with a filter, two more for each spot that passes.
/// All else is read from the index.
public struct MappedSpots: Sendable {
  /// The index of the spots.
  public let index: SpotIndex
  /// The filter of counted photos.
  public let filter: SpotFilter
  /// The number of counted photos.
  public let photoCount: Int
  /// The number of spots.
  public let count: Int
  /// The narrowest box around all spots; `nil` where there are none. It crosses the 180° meridian
  /// where it is narrower so.
  public let box: BoundingBox?

  let photos: SpotPhotos?
  private let columns: SpotColumns
  /// The distance of each spot of the index from the map's top, as in ``Mercator``.
  private let mapLines: [Double]
  /// The places of the spots in ``PhotoLibrary/SpotIndex/spots``, ascending, and how many photos of
  /// each count; `nil` where all spots of the index count with all of their photos.
  private let chosen: (places: [Int32], photoCounts: [Int32])?
  private let sums: BlockSums
  private let prepared: PreparedFilter
  /// The folders of the filter's album.
  private let folders: Set<Int32>

  /// Counts the photos of all spots; places of one's own are left out.
  ///
  /// - Complexity: O(*n*) for *n* spots, or where there is a filter for *n* photos.
  public init(_ index: SpotIndex, filter: SpotFilter = SpotFilter()) {
    let index = index.withoutPlaces
    let columns = SpotColumns(index)
    let (latitudes, longitudes) = columns.coordinates()
    let mapLines = zip(latitudes, longitudes).map {
      Mercator.point(of: Coordinate(uncheckedLatitude: $0, longitude: $1)).y
    }
    self.init(index, filter, SpotPhotos(of: index), columns, mapLines)
  }

  /// Counts the photos of the same index that pass another filter.
  ///
  /// - Complexity: O(*n*) for *n* photos.
  public func passing(_ filter: SpotFilter) -> MappedSpots {
    MappedSpots(index, filter, photos, columns, mapLines)
  }

  private init(
    _ index: SpotIndex, _ filter: SpotFilter, _ photos: SpotPhotos?, _ columns: SpotColumns,
    _ mapLines: [Double]
  ) {
    (self.index, self.filter, self.photos) = (index, filter, photos)
    (self.columns, self.mapLines) = (columns, mapLines)
    let prepared = PreparedFilter(filter)
    let folders = filter.album.flatMap { photos?.folders(named: $0) } ?? []
    (self.prepared, self.folders) = (prepared, folders)
    var counts = columns.photoCounts()
    if !filter.passesAll {
      for place in counts.indices {
        var count: Int32 = 0
        photos?.forEachPhoto(ofSpotAt: place) { photo in
          if Self.passes(photo, photos, filter, prepared, folders) { count += 1 }
        }
        counts[place] = count
      }
    }
    let (latitudes, longitudes) = columns.coordinates()
    var extent = SpotExtent.none
    var span = NarrowestSpan()
    var (spots, sum) = (0, 0)
    for place in counts.indices where counts[place] > 0 {
      spots += 1
      sum += Int(counts[place])
      extent.add(Int32(truncatingIfNeeded: place), latitudes, longitudes)
      span.add(longitudes[place])
    }
    (count, photoCount) = (spots, sum)
    sums = BlockSums(index.centers, photoCounts: counts)
    if filter.passesAll, spots == counts.count {
      chosen = nil
    } else {
      var places: [Int32] = []
      places.reserveCapacity(spots)
      for place in counts.indices where counts[place] > 0 {
        places.append(Int32(truncatingIfNeeded: place))
      }
      chosen = (places, places.map { counts[Int($0)] })
    }
    if let edges = extent.edges(longitudes), let span = span.span {
      box = BoundingBox(
        south: latitudes[Int(edges.south)], west: span.west,
        north: latitudes[Int(edges.north)], east: span.east)
    } else {
      box = nil
    }
  }

  /// The spots and photos in a box, edges included.
  ///
  /// - Complexity: O(log *n* + *k*) for *k* of *n* spots in the box, of which a sixteenth is looked
  ///   at, and those about its edge.
  public func counts(in box: BoundingBox) -> (spots: Int, photos: Int) {
    sums.counts(in: box, index.centers, photoCount: photoCount(ofPlace:))
  }

  /// The places of the spots in a box, edges included, in the order of their ids.
  public func places(in box: BoundingBox) -> [Int] {
    let found = index.centers.indices(in: box)
    return chosen == nil ? found : found.filter(contains(place:))
  }

  /// All places of spots, in the order of their ids.
  public var allPlaces: [Int] { chosen?.places.map { Int($0) } ?? Array(0..<count) }

  /// Whether a spot of the index is among these.
  ///
  /// - Complexity: O(log *n*) for *n* spots.
  public func contains(place: Int) -> Bool { row(ofPlace: place) != nil }

  /// How many photos of a spot of the index count.
  public func photoCount(ofPlace place: Int) -> Int {
    row(ofPlace: place).map(photoCount(ofRow:)) ?? 0
  }

  private func row(ofPlace place: Int) -> Int? {
    guard let places = chosen?.places else { return place < count ? place : nil }
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low < places.count && places[low] == place ? low : nil
  }

  // MARK: - Rows

  // The spots are numbered as rows, in the order of their places.

  func place(ofRow row: Int) -> Int { chosen.map { Int($0.places[row]) } ?? row }

  func photoCount(ofRow row: Int) -> Int {
    Int(chosen?.photoCounts[row] ?? columns.photoCount(of: row))
  }

  func coordinate(ofRow row: Int) -> Coordinate { columns.coordinate(of: place(ofRow: row)) }

  /// The distance of a spot from the map's top, 0–1.
  func mapLine(ofRow row: Int) -> Double { mapLines[place(ofRow: row)] }

  /// The rows of the spots in a box, edges included, ascending.
  func rows(in box: BoundingBox) -> [Int] {
    let found = index.centers.indices(in: box)
    return chosen == nil ? found : found.compactMap(row(ofPlace:))
  }

  func contains(_ box: BoundingBox, _ row: Int) -> Bool { box.contains(coordinate(ofRow: row)) }

  /// The box between some rows; that of one position where there are none.
  func box(of edges: SpotExtent.Edges?, or position: Coordinate) -> BoundingBox {
    func coordinate(_ row: Int32?) -> Coordinate {
      row.map { self.coordinate(ofRow: Int($0)) } ?? position
    }
    return BoundingBox(
      south: coordinate(edges?.south).latitude, west: coordinate(edges?.west).longitude,
      north: coordinate(edges?.north).latitude, east: coordinate(edges?.east).longitude) ?? .world
  }

  /// The coordinates of all rows, as a copy.
  func coordinates() -> (latitudes: [Double], longitudes: [Double]) {
    let all = columns.coordinates()
    guard let places = chosen?.places else { return all }
    return (
      places.map { all.latitudes[Int($0)] }, places.map { all.longitudes[Int($0)] }
    )
  }

  /// The distance of each row from the map's top, in pixels.
  func mapLines(worldPixels: Double) -> [Double] {
    chosen?.places.map { mapLines[Int($0)] * worldPixels } ?? mapLines.map { $0 * worldPixels }
  }

  /// The number of counted photos of each row.
  func photoCounts() -> [Int32] { chosen?.photoCounts ?? columns.photoCounts() }

  // MARK: - Photos

  private static func passes(
    _ photo: Int32, _ photos: SpotPhotos?, _ filter: SpotFilter, _ prepared: PreparedFilter,
    _ folders: Set<Int32>
  ) -> Bool {
    guard let photos else { return false }
    return prepared.passes(
      clockMilliseconds: filter.asksForTime ? photos.clockMilliseconds(of: photo) : nil)
      && (!filter.isFavoritesOnly || photos.isFavorite(photo))
      && (filter.album == nil || photos.isPhoto(photo, inOneOf: folders))
  }

  /// The numbers of the photos of a spot of the index that count, the earliest first.
  public func photos(ofPlace place: Int) -> [Int32] {
    var found: [Int32] = []
    photos?.forEachPhoto(ofSpotAt: place) { photo in
      if Self.passes(photo, photos, filter, prepared, folders) { found.append(photo) }
    }
    return found
  }

  /// The photo that stands for a spot of the index among those that count.
  public func cover(ofPlace place: Int) -> Int32? {
    guard !filter.passesAll else { return photos?.cover(ofSpotAt: place) }
    return photos?.cover(of: photos(ofPlace: place))
  }
}
