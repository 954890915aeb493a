import PageServer
package import PhotoLibrary
import ProgramSettings
import Spatial
package import SpotAlerts
import SpotWatcher
import Upkeep

/// The names of spots: their albums, else their towns, else their ids.
package struct SpotNames {
  private let photos: PhotoIndex?
  /// The spots of the index, in the order of their ids.
  package let spots: SpotIndex

  /// Takes the names from an index, whose spots may be joined with own places.
  package init(_ photos: PhotoIndex?, spots: SpotIndex) {
    (self.photos, self.spots) = (photos, spots)
  }

  /// Takes the names from spots alone.
  package init(spots: SpotIndex) { (photos, self.spots) = (nil, spots) }

  /// The name of a spot's place.
  package func name(of spot: PhotoSpot) -> String { spot.shownPlaceName }

  /// The name of the place that an entry of the history is about.
  package func name(of entry: HistoryEntry) -> String { entry.placeName(among: spots) }

  /// Returns places of one's own, and spots with such a place, by its name or by how its id begins.
  ///
  /// - Parameter text: The name in either case, or at least four characters of the id.
  /// - Returns: The spots, in the order of their ids.
  package func spots(ofPlace text: String) -> [PhotoSpot] {
    let start = text.lowercased()
    return spots.spots.filter { spot in
      guard let place = spot.place else { return false }
      return place.name.lowercased() == start || start.utf8.count >= 4 && place.id.hasPrefix(start)
    }
  }

  /// The spots with a photo in one of some albums.
  package func spots(inAlbums albums: Set<[UInt8]>) -> [PhotoSpot] {
    guard let photos else { return [] }
    let filter = PhotoFilter(isFavorite: false, takenBefore: nil, albums: albums)
    return spots.spots.filter { spot in
      spot.members.contains { filter.accepts(photos.shot(at: Int($0))) }
    }
  }

  /// The names of all albums.
  package var albums: [[UInt8]] { photos?.albums ?? [] }
}
