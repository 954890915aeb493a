public import PhotoLibrary
public import Spatial

/// The spots with photos that pass a filter, in a compact form for counting and clustering on a
/// map.
///
/// It stores one number per spot (its vertical position on the map), shared by all filters of an
/// index; some numbers per block of sixteen spots; and with a filter, two more numbers per spot
/// that passes. Everything else is read from the index.
public struct MappedSpots: Sendable {
  /// The index that contains the spots.
  public let index: SpotIndex
  /// The filter of the counted photos.
  public let filter: SpotFilter
  /// The number of counted photos.
  public let photoCount: Int
  /// The number of spots.
  public let count: Int
  /// The narrowest box around all spots, which may cross the 180° meridian; `nil` if there are
  /// none.
  public let box: BoundingBox?

  let photos: SpotPhotos?
  private let columns: SpotColumns
  /// The vertical position on the map of each spot of the index, from 0 at the top, as in
  /// ``Mercator``.
  private let mapLines: [Double]
  /// The ascending indices of the spots in ``PhotoLibrary/SpotIndex/spots``, and the number of
  /// counted photos of each; `nil` if all spots of the index are included with all of their photos.
  private let chosen: (places: [Int32], photoCounts: [Int32])?
  private let sums: BlockSums
  private let prepared: PreparedFilter
  /// The folders with the name of the filter's album.
  private let folders: Set<Int32>
  /// The test of the filter's text.
  private let names: PhotoNameTest?

  /// Counts the photos of all spots, without the user's places.
  ///
  /// - Complexity: O(*n*), where *n* is the number of spots, or with a filter the number of photos.
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
  /// - Complexity: O(*n*), where *n* is the number of photos, or with a text their number and the
  ///   length of all captions.
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
    let names = filter.text.flatMap { photos?.test(names: $0) }
    (self.prepared, self.folders, self.names) = (prepared, folders, names)
    var counts = columns.photoCounts()
    if !filter.passesAll {
      for place in counts.indices {
        var count: Int32 = 0
        photos?.forEachPhoto(ofSpotAt: place) { photo in
          if Self.passes(photo, photos, filter, prepared, folders, names) { count += 1 }
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

  /// Returns the numbers of spots and photos in a box, edges included.
  ///
  /// - Complexity: O(log *n* + *k*), where *n* is the number of spots and *k* the number in the
  ///   box, of which only a sixteenth and those near the edges are visited.
  public func counts(in box: BoundingBox) -> (spots: Int, photos: Int) {
    sums.counts(in: box, index.centers, photoCount: photoCount(ofPlace:))
  }

  /// Returns the indices of the spots in a box, edges included, in the order of their ids.
  public func places(in box: BoundingBox) -> [Int] {
    let found = index.centers.indices(in: box)
    return chosen == nil ? found : found.filter(contains(place:))
  }

  /// The indices of all these spots, in the order of their ids.
  public var allPlaces: [Int] { chosen?.places.map { Int($0) } ?? Array(0..<count) }

  /// Returns whether a spot of the index is one of these.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of spots.
  public func contains(place: Int) -> Bool { row(ofPlace: place) != nil }

  /// Returns the number of counted photos of a spot of the index.
  public func photoCount(ofPlace place: Int) -> Int {
    row(ofPlace: place).map(photoCount(ofRow:)) ?? 0
  }

  /// Returns the row of a spot, given its index; `nil` if the spot has no counted photos.
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

  // Rows are numbers of these spots, ascending with their indices.

  func place(ofRow row: Int) -> Int { chosen.map { Int($0.places[row]) } ?? row }

  func photoCount(ofRow row: Int) -> Int {
    Int(chosen?.photoCounts[row] ?? columns.photoCount(of: row))
  }

  func coordinate(ofRow row: Int) -> Coordinate { columns.coordinate(of: place(ofRow: row)) }

  /// Returns the vertical position of a spot on the map, 0 at the top to 1.
  func mapLine(ofRow row: Int) -> Double { mapLines[place(ofRow: row)] }

  /// Returns the rows of the spots in a box, edges included, ascending.
  func rows(in box: BoundingBox) -> [Int] {
    let found = index.centers.indices(in: box)
    return chosen == nil ? found : found.compactMap(row(ofPlace:))
  }

  func contains(_ box: BoundingBox, _ row: Int) -> Bool { box.contains(coordinate(ofRow: row)) }

  /// Returns the box with the given rows at its edges; without rows, the box around one position.
  func box(of edges: SpotExtent.Edges?, or position: Coordinate) -> BoundingBox {
    func coordinate(_ row: Int32?) -> Coordinate {
      row.map { self.coordinate(ofRow: Int($0)) } ?? position
    }
    return BoundingBox(
      south: coordinate(edges?.south).latitude, west: coordinate(edges?.west).longitude,
      north: coordinate(edges?.north).latitude, east: coordinate(edges?.east).longitude) ?? .world
  }

  /// Returns a copy of the coordinates of all rows.
  func coordinates() -> (latitudes: [Double], longitudes: [Double]) {
    let all = columns.coordinates()
    guard let places = chosen?.places else { return all }
    return (
      places.map { all.latitudes[Int($0)] }, places.map { all.longitudes[Int($0)] }
    )
  }

  /// Returns the vertical position of each row in pixels from the top of the map.
  func mapLines(worldPixels: Double) -> [Double] {
    chosen?.places.map { mapLines[Int($0)] * worldPixels } ?? mapLines.map { $0 * worldPixels }
  }

  /// Returns the number of counted photos of each row.
  func photoCounts() -> [Int32] { chosen?.photoCounts ?? columns.photoCounts() }

  // MARK: - Photos

  /// Returns whether a photo passes the filter.
  private static func passes(
    _ photo: Int32, _ photos: SpotPhotos?, _ filter: SpotFilter, _ prepared: PreparedFilter,
    _ folders: Set<Int32>, _ names: PhotoNameTest?
  ) -> Bool {
    guard let photos else { return false }
    return prepared.passes(
      clockMilliseconds: filter.asksForTime ? photos.clockMilliseconds(of: photo) : nil,
      isSouthern: filter.season != nil && photos.coordinate(of: photo).latitude < 0)
      && (!filter.isFavoritesOnly || photos.isFavorite(photo))
      && (filter.album == nil || photos.isPhoto(photo, inOneOf: folders))
      && (names.map { photos.passes($0, photo) } ?? true)
  }

  /// Returns the numbers of the counted photos of a spot of the index, the earliest first.
  public func photos(ofPlace place: Int) -> [Int32] {
    var found: [Int32] = []
    photos?.forEachPhoto(ofSpotAt: place) { photo in
      if Self.passes(photo, photos, filter, prepared, folders, names) { found.append(photo) }
    }
    return found
  }

  /// Returns the cover of a spot of the index, chosen among the counted photos; `nil` if there are
  /// none.
  public func cover(ofPlace place: Int) -> Int32? {
    guard !filter.passesAll else { return photos?.cover(ofSpotAt: place) }
    return photos?.cover(of: photos(ofPlace: place))
  }
}
