import PhotoLibrary
import Spatial

/// How what a watcher remembers survives another index.
extension LocationWatcher {
  /// Returns the places of a device by the ids of the spots that are there now.
  ///
  /// A spot inherits the place within the cluster radius of its centre, edge included, and the nearest of
  /// several; else the place of its own id. What no spot inherits is gone.
  func carriedOver(_ places: [String: Place]) -> [String: Place] {
    var carried: [String: (place: Place, distance: Double, oldID: String)] = [:]
    for (oldID, place) in places {
      var heirs = spots.spots(within: settings.clusterRadiusMeters, of: place.center)
        .map { ($0.spot, $0.distanceMeters) }
      if let same = spots.spot(withID: oldID), !heirs.contains(where: { $0.0.id == oldID }) {
        heirs.append((same, same.coordinate.distance(to: place.center)))
      }
      for (spot, distance) in heirs {
        if let rival = carried[spot.id],
          (rival.distance, rival.oldID) <= (distance, oldID)
        {
          continue
        }
        var place = place
        place.center = spot.coordinate
        carried[spot.id] = (place, distance, oldID)
      }
    }
    return carried.mapValues(\.place)
  }
}
