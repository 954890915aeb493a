import Encodings
package import PhotoLibrary
package import SpotAlerts
import SpotWatcher
import Towns

extension PhotoSpot {
  /// The name of the spot's place for a terminal: its album or town, else its id.
  package var shownPlaceName: String { placeName?.escaped ?? "spot \(id)" }
}

extension HistoryEntry {
  /// Returns the name of the place that the entry is about, among spots of any source.
  package func placeName(among spots: any SpotSource) -> String {
    if let place = notification?.spot.place?.title { return place.escaped }
    if let place = notification?.memory?.place { return place.escaped }
    guard let spot = try? spots.spot(ofID: spotID) else {
      return Gazetteer.world.nearest(to: coordinate)?.placeName ?? "spot \(spotID.escaped)"
    }
    return spot.shownPlaceName
  }
}
