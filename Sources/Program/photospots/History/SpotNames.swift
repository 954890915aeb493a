import PageServer
import PhotoLibrary
import ProgramSettings
import Spatial
import SpotAlerts
import SpotWatcher
import Upkeep

/// The names of spots: their albums, else their towns, else their ids.
struct SpotNames {
  private let photos: PhotoIndex?
  /// The spots of the index, in the order of their ids.
  let spots: SpotIndex

  /// Takes the names from the index, if there is one that can be used, and from one's own places.
  init(_ index: IndexArguments, places: OwnPlaces? = nil) {
    let radius = (try? Settings().clusterRadiusMeters) ?? WatcherSettings().clusterRadiusMeters
    photos = try? index.open(clusterRadius: radius)
    let found = photos.map { SpotIndex($0, clusterRadius: radius) } ?? SpotIndex(spots: [])
    spots = places?.joined(with: found, clusterRadius: radius) ?? found
  }

  /// Takes the names from spots alone.
  init(spots: SpotIndex) { (photos, self.spots) = (nil, spots) }

  /// The name of a spot's place.
  func name(of spot: PhotoSpot) -> String { spot.shownPlaceName }

  /// The name of the place that an entry of the history is about.
  func name(of entry: HistoryEntry) -> String { entry.placeName(among: spots) }

  /// Returns places of one's own, and spots with such a place, by its name or by how its id begins.
  ///
  /// - Parameter text: The name in either case, or at least four characters of the id.
  /// - Returns: The spots, in the order of their ids.
  func spots(ofPlace text: String) -> [PhotoSpot] {
    let start = text.lowercased()
    return spots.spots.filter { spot in
      guard let place = spot.place else { return false }
      return place.name.lowercased() == start || start.utf8.count >= 4 && place.id.hasPrefix(start)
    }
  }

  /// The spots with a photo in one of some albums.
  func spots(inAlbums albums: Set<[UInt8]>) -> [PhotoSpot] {
    guard let photos else { return [] }
    let filter = PhotoFilter(isFavorite: false, takenBefore: nil, albums: albums)
    return spots.spots.filter { spot in
      spot.members.contains { filter.accepts(photos.shot(at: Int($0))) }
    }
  }

  /// The names of all albums.
  var albums: [[UInt8]] { photos?.albums ?? [] }
}
