import PageServer
import PhotoLibrary
import ProgramSettings
import SpotWatcher
import TerminalOutput
import Upkeep

extension SpotNames {
  /// Takes the names from the index, if there is one that can be used, and from one's own places.
  init(_ index: IndexArguments, places: OwnPlaces? = nil) {
    let radius = (try? Settings().clusterRadiusMeters) ?? WatcherSettings().clusterRadiusMeters
    let photos = try? index.open(clusterRadius: radius)
    let found = photos.map { SpotIndex($0, clusterRadius: radius) } ?? SpotIndex(spots: [])
    self.init(photos, spots: places?.joined(with: found, clusterRadius: radius) ?? found)
  }
}
