public import PhotoLibrary
import Spatial
import SpotMap
import Storage
import Synchronization
import SystemPackage

/// An index as served, with derived data that is calculated once: the levels of the map, and the
/// names of its photos.
///
/// When the index changes, it is replaced by a new one; requests in progress continue with the old
/// one.
public final class ServedLibrary: Sendable {
  /// The maximum number of cached levels of the map.
  static let maximumLevelCount = 12
  /// The maximum number of filters with cached photo counts.
  static let maximumFilterCount = 4

  /// The photos.
  public let index: PhotoIndex
  /// The spots of the photos.
  public let spots: SpotIndex
  /// An identifier of this state of the index, different from those of all other states and runs.
  public var generation: String { "\(indexGeneration) \(poorPhotos.revision)" }
  /// The photos that are no covers.
  public let poorPhotos: PoorPhotos
  private let indexGeneration: String
  /// Access to the photos of spots.
  let photos: SpotPhotos?

  private let all = Mutex<MappedSpots?>(nil)
  private let levels = Mutex(RecentlyUsed<LevelKey, ClusterLevel>(maximumLevelCount))
  private let filtered = Mutex(RecentlyUsed<SpotFilter, MappedSpots>(maximumFilterCount))
  private let keys = Mutex<PhotoNames?>(nil)
  private let places = Mutex<[Int32]?>(nil)
  private let densest = Mutex<BoundingBox??>(nil)
  private let years = Mutex<[(year: Int, count: Int)]?>(nil)
  private let knownAlbums = Mutex<AlbumList?>(nil)

  /// Creates a served index.
  ///
  /// - Parameters:
  ///   - index: The photos.
  ///   - spots: The spots of the photos, which are rows of the index.
  ///   - generation: An identifier of this state of the index.
  ///   - poorPhotos: The photos that are no covers, which may grow.
  public init(
    index: PhotoIndex, spots: SpotIndex, generation: String, poorPhotos: PoorPhotos = PoorPhotos()
  ) {
    self.index = index
    self.spots = spots
    indexGeneration = generation
    self.poorPhotos = poorPhotos
    photos = SpotPhotos(of: spots)
  }

  /// Returns the spots whose photos pass a filter.
  func spots(passing filter: SpotFilter) -> MappedSpots {
    let all = self.all.withLock { known in
      if let known { return known }
      let made = Self.made { MappedSpots(spots) }
      known = made
      return made
    }
    if filter.passesAll { return all }
    return filtered.withLock { $0.value(of: filter) { Self.made { all.passing(filter) } } }
  }

  /// Returns the clusters at a zoom, calculated on first use.
  func level(_ zoom: Double, _ filter: SpotFilter) -> ClusterLevel {
    let mapped = spots(passing: filter)
    let key = LevelKey(filter: filter, zoom: ClusterLevel.level(of: zoom))
    return levels.withLock { levels in
      levels.value(of: key) { Self.made { ClusterLevel(mapped, zoom: key.zoom) } }
    }
  }

  /// Creates a cached value, and then returns the temporary memory, some hundred bytes per spot, to
  /// the system.
  private static func made<Value>(_ make: () -> Value) -> Value {
    defer { FreedMemory.returnToSystem() }
    return make()
  }

  /// Returns the name of the cover of a spot, chosen among the counted photos whose pictures are
  /// not known to be poor; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - place: The index of the spot.
  ///   - mapped: The spots with their counted photos.
  /// - Returns: The name.
  func coverName(ofPlace place: Int, in mapped: MappedSpots) -> String? {
    guard let cover = mapped.cover(ofPlace: place) else { return nil }
    let name = name(ofPhoto: cover)
    guard poorPhotos.contains(name) else { return name }
    let others = mapped.photos(ofPlace: place).filter {
      !poorPhotos.contains(self.name(ofPhoto: $0))
    }
    return photos?.cover(of: others).map { self.name(ofPhoto: $0) }
  }

  /// Returns the name of a photo.
  func name(ofPhoto photo: Int32) -> String { PhotoNames.name(of: photo, index) }

  /// Returns the photo with a name; `nil` where there is none. The first call takes longer, since
  /// it sorts the names of all photos.
  func photo(named name: String) -> Int32? { photoNames.photo(named: name) }

  /// Returns the photo with a name, and its spot; `nil` where there is no such photo any more.
  public func photo(ofName name: String) -> (photo: PhotoLocation, spot: PhotoSpot?)? {
    photo(named: name).map { number in
      let spot = spotPlace(ofPhoto: number).map { spots.spots[$0] }
      return (index.shot(at: Int(number)).photo, spot)
    }
  }

  /// Returns the photo that represents the shot of a file; `nil` where the index does not contain
  /// the file.
  func photo(ofFileAt path: FilePath) -> Int32? { photos?.photo(ofFileAt: path) }

  private var photoNames: PhotoNames {
    keys.withLock { known in
      if let known { return known }
      let made = Self.made { PhotoNames(of: index) }
      known = made
      return made
    }
  }

  /// Returns the index of the spot that a photo belongs to; `nil` where there is none.
  func spotPlace(ofPhoto photo: Int32) -> Int? {
    let place = places.withLock { known in
      let all = known ?? photos?.spotPlaces() ?? []
      known = all
      return all.indices.contains(Int(photo)) ? all[Int(photo)] : -1
    }
    return place < 0 ? nil : Int(place)
  }

  private struct LevelKey: Hashable {
    let filter: SpotFilter
    let zoom: Double
  }
}

/// A cache of the most recently used values.
private struct RecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let capacity: Int
  /// The entries, the most recently used last.
  private var entries: [(key: Key, value: Value)] = []

  init(_ capacity: Int) {
    self.capacity = capacity
  }

  mutating func value(of key: Key, _ make: () -> Value) -> Value {
    let known = entries.firstIndex { $0.key == key }.map { entries.remove(at: $0) }
    let entry = known ?? (key: key, value: make())
    if entries.count == capacity { entries.removeFirst() }
    entries.append(entry)
    return entry.value
  }
}

extension ServedLibrary {
  /// The zoom at which a pin counts the photos of an area of about 100 km.
  private static let areaZoom = 6.0

  /// The box around the spots of the area with the most photos; `nil` without spots.
  var densestBox: BoundingBox? {
    densest.withLock { known in
      if let known { return known }
      let pins = level(Self.areaZoom, SpotFilter()).clusters(in: .world)
      let most = pins.max { $0.photoCount < $1.photoCount }
      known = .some(most?.box)
      return most?.box
    }
  }

  /// The albums, listed on first use.
  var albums: [AlbumList.Album] {
    knownAlbums.withLock { known in
      if let known { return known.albums }
      let made = Self.made { AlbumList(spots) }
      known = made
      return made.albums
    }
  }

  /// The number of photos taken in each year, ascending by year.
  var yearCounts: [(year: Int, count: Int)] {
    years.withLock { known in
      if let known { return known }
      var counts: [Int: Int] = [:]
      for place in spots.spots.indices {
        photos?.forEachPhoto(ofSpotAt: place) { photo in
          if let year = photos?.captured(of: photo)?.year { counts[year, default: 0] += 1 }
        }
      }
      let sorted = counts.sorted { $0.key < $1.key }.map { (year: $0.key, count: $0.value) }
      known = sorted
      return sorted
    }
  }
}
