public import PhotoLibrary
public import Spatial

/// The spots that have photos which pass a filter, as numbers: what a map counts and shows.
///
/// Made once for an index and a filter, with five numbers a spot.
public struct MappedSpots: Sendable {
  /// Where the spots come from.
  public let index: SpotIndex
  /// Which photos count.
  public let filter: SpotFilter
  /// How many photos count in all.
  public let photoCount: Int

  /// The places of the spots in ``PhotoLibrary/SpotIndex/spots``, ascending.
  let places: [Int32]
  let latitudes: [Double]
  let longitudes: [Double]
  /// How far south each is on the map, as ``Mercator``.
  let mapLines: [Double]
  /// How many photos of each count.
  let photoCounts: [Int32]
  let photos: SpotPhotos?
  private let prepared: PreparedFilter
  /// The folders of the filter's album.
  private let folders: Set<Int32>

  /// Counts the photos of all spots.
  ///
  /// - Complexity: O(*n*) for *n* spots, or where there is a filter for *n* photos.
  public init(_ index: SpotIndex, filter: SpotFilter = SpotFilter()) {
    self.index = index
    self.filter = filter
    let photos = SpotPhotos(of: index)
    self.photos = photos
    let prepared = PreparedFilter(filter)
    let folders = filter.album.flatMap { photos?.folders(named: $0) } ?? []
    self.prepared = prepared
    self.folders = folders
    var places: [Int32] = []
    var (latitudes, longitudes, counts) = ([Double](), [Double](), [Int32]())
    var total = 0
    for (place, spot) in index.spots.enumerated() {
      var count = 0
      if filter.passesAll {
        count = spot.photoCount
      } else {
        photos?.forEachPhoto(ofSpotAt: place) { photo in
          if Self.passes(photo, photos, filter, prepared, folders) { count += 1 }
        }
      }
      guard count > 0 else { continue }
      let center = spot.coordinate
      places.append(Int32(truncatingIfNeeded: place))
      latitudes.append(center.latitude)
      longitudes.append(center.longitude)
      counts.append(Int32(truncatingIfNeeded: count))
      total += count
    }
    (self.places, self.latitudes, self.longitudes) = (places, latitudes, longitudes)
    (photoCounts, photoCount) = (counts, total)
    mapLines = zip(latitudes, longitudes).map {
      Mercator.point(of: Coordinate(uncheckedLatitude: $0, longitude: $1)).y
    }
  }

  /// How many spots there are.
  public var count: Int { places.count }

  /// The spots and photos in a box, edges included.
  ///
  /// - Complexity: O(*n*) for *n* spots, some nanoseconds each.
  public func counts(in box: BoundingBox) -> (spots: Int, photos: Int) {
    var (spots, photos) = (0, 0)
    for row in places.indices where contains(box, row) {
      spots += 1
      photos += Int(photoCounts[row])
    }
    return (spots, photos)
  }

  /// The box around all spots; `nil` where there are none. It crosses the 180° meridian where it
  /// is narrower so.
  public var box: BoundingBox? { box(around: places.indices) }

  /// The places of the spots in a box, edges included, in the order of their ids.
  public func places(in box: BoundingBox) -> [Int] {
    places.indices.filter { contains(box, $0) }.map { Int(places[$0]) }
  }

  /// All places of spots, in the order of their ids.
  public var allPlaces: [Int] { places.map { Int($0) } }

  /// Whether a spot of the index is among these.
  ///
  /// - Complexity: O(log *n*) for *n* spots.
  public func contains(place: Int) -> Bool { row(ofPlace: place) != nil }

  /// How many photos of a spot of the index count.
  public func photoCount(ofPlace place: Int) -> Int {
    row(ofPlace: place).map { Int(photoCounts[$0]) } ?? 0
  }

  private func row(ofPlace place: Int) -> Int? {
    if filter.passesAll, place < places.count, places[place] == place { return place }
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low < places.count && places[low] == place ? low : nil
  }

  @inline(__always)
  func contains(_ box: BoundingBox, _ row: Int) -> Bool {
    let (latitude, longitude) = (latitudes[row], longitudes[row])
    guard latitude >= box.south, latitude <= box.north else { return false }
    if box.west <= box.east, longitude >= box.west, longitude <= box.east { return true }
    return box.contains(coordinate(row))
  }

  func coordinate(_ row: Int) -> Coordinate {
    Coordinate(uncheckedLatitude: latitudes[row], longitude: longitudes[row])
  }

  /// The box around some rows.
  func box(around rows: some Collection<Int>) -> BoundingBox? {
    var (south, north) = (Double.infinity, -Double.infinity)
    var (west, east) = (Double.infinity, -Double.infinity)
    // The edges of a box across the 180° meridian: the westernmost of the eastern half of the
    // globe, and the easternmost of the western half.
    var (turnedWest, turnedEast) = (Double.infinity, -Double.infinity)
    for row in rows {
      let (latitude, longitude) = (latitudes[row], longitudes[row])
      (south, north) = (min(south, latitude), max(north, latitude))
      (west, east) = (min(west, longitude), max(east, longitude))
      if longitude >= 0 {
        turnedWest = min(turnedWest, longitude)
      } else {
        turnedEast = max(turnedEast, longitude)
      }
    }
    guard south <= north else { return nil }
    if turnedWest.isFinite, turnedEast.isFinite, turnedEast + 360 - turnedWest < east - west {
      (west, east) = (turnedWest, turnedEast)
    }
    return BoundingBox(south: south, west: west, north: north, east: east)
  }

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
