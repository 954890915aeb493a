import PhotoLibrary
import Spatial

/// Transfer of a watcher's state to another index.
extension WatcherRules {
  /// Replaces a device's places by the corresponding spots of the current index.
  func carryOverPlaces(_ device: inout DeviceState) {
    device.places = carriedOver(device.places)
  }

  /// Returns the places of a device under the ids of the current spots.
  ///
  /// A spot inherits the nearest place within the cluster radius of its centre, edge included, or
  /// else the place with its own id. Places that no spot inherits are dropped.
  private func carriedOver(_ places: Places) -> Places {
    var carried: [String: (place: Place, distance: Double, oldID: String)] = [:]
    for place in places.all {
      let oldID = place.id
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
        var heir = Place(
          id: spot.id, center: spot.coordinate, enteredAt: place.enteredAt, phase: place.phase)
        heir.index = spots.place(ofID: spot.id) ?? -1
        heir.reach = spots.reach(ofPlace: heir.index)
        heir.fixesBeyondExit = place.fixesBeyondExit
        heir.lastThere = place.lastThere
        heir.closestHaversine = place.closestHaversine
        heir.lastPresence = place.lastPresence
        heir.familiarity = place.familiarity
        heir.waited = place.waited
        heir.waits = place.waits
        carried[spot.id] = (heir, distance, oldID)
      }
    }
    var places = Places()
    for (id, heir) in carried { places[id] = heir.place }
    return places
  }
}
