public import PhotoLibrary
import Spatial
import SpotMap
import Storage
import Synchronization
import SystemPackage

/// An index as it is served, with what is made of it once: the levels of the map, and the names of
/// its photos.
///
/// A new one takes its place when the index changes; requests that began with it end with it.
public final class ServedLibrary: Sendable {
  /// How many levels of the map are kept.
  static let maximumLevelCount = 12
  /// For how many filters the photos of spots are kept counted.
  static let maximumFilterCount = 4

  /// The photos.
  public let index: PhotoIndex
  /// Their spots.
  public let spots: SpotIndex
  /// Tells this state of the index from others of this program's run, and of others.
  public let generation: String
  /// What stands for photos that are shown to a browser.
  let photos: SpotPhotos?

  private let all = Mutex<MappedSpots?>(nil)
  private let levels = Mutex(RecentlyUsed<LevelKey, ClusterLevel>(maximumLevelCount))
  private let filtered = Mutex(RecentlyUsed<SpotFilter, MappedSpots>(maximumFilterCount))
  private let keys = Mutex<PhotoNames?>(nil)
  private let places = Mutex<[Int32]?>(nil)
  private let years = Mutex<[(year: Int, count: Int)]?>(nil)

  /// Takes an index.
  ///
  /// - Parameters:
  ///   - index: The photos.
  ///   - spots: Their spots, which are rows of the index.
  ///   - generation: Tells this state of the index from others.
  public init(index: PhotoIndex, spots: SpotIndex, generation: String) {
    self.index = index
    self.spots = spots
    self.generation = generation
    photos = SpotPhotos(of: spots)
  }

  /// The spots whose photos pass a filter.
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

  /// The clusters of a zoom, made when they are asked for first.
  func level(_ zoom: Double, _ filter: SpotFilter) -> ClusterLevel {
    let mapped = spots(passing: filter)
    let key = LevelKey(filter: filter, zoom: ClusterLevel.level(of: zoom))
    return levels.withLock { levels in
      levels.value(of: key) { Self.made { ClusterLevel(mapped, zoom: key.zoom) } }
    }
  }

  /// Makes what is kept, which takes far more memory for a while: some hundred bytes a spot.
  private static func made<Value>(_ make: () -> Value) -> Value {
    defer { FreedMemory.giveBack() }
    return make()
  }

  /// The name of a photo.
  func name(ofPhoto photo: Int32) -> String { PhotoNames.name(of: photo, index) }

  /// The photo of a name; `nil` where there is none. The first that is asked for waits until the
  /// names of all are sorted.
  func photo(named name: String) -> Int32? { photoNames.photo(named: name) }

  /// The photo of a name, and its spot; `nil` where there is no such photo any more.
  public func photo(ofName name: String) -> (photo: PhotoLocation, spot: PhotoSpot?)? {
    photo(named: name).map { number in
      let spot = spotPlace(ofPhoto: number).map { spots.spots[$0] }
      return (index.shot(at: Int(number)).photo, spot)
    }
  }

  /// The photo that stands for the shot of a file; `nil` where the index does not have it.
  func photo(ofFileAt path: FilePath) -> Int32? { photos?.photo(ofFileAt: path) }

  private var photoNames: PhotoNames {
    keys.withLock { known in
      if let known { return known }
      let made = Self.made { PhotoNames(of: index) }
      known = made
      return made
    }
  }

  /// The place of the spot that a photo belongs to; `nil` where it is of none.
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

/// The values of the keys that were asked for last.
private struct RecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let capacity: Int
  /// The one that was used last comes last.
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
  /// How many photos were taken in each year, the first one first.
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
