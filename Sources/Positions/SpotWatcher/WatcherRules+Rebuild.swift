import PhotoLibrary
import Spatial

/// Transfer of a watcher's state to another index.
extension WatcherRules {
  /// Carries a device's visits over to the corresponding spots of the current index.
  func carryOverVisits(_ device: inout DeviceState) {
    device.visits = carriedOver(device.visits)
  }

  /// Returns the visits of a device under the ids of the current spots.
  ///
  /// A spot inherits the nearest visit within the cluster radius of its centre, edge included, or
  /// else the visit of its own id. Visits that no spot inherits are dropped.
  private func carriedOver(_ visits: DeviceVisits) -> DeviceVisits {
    var carried: [String: (visit: SpotVisit, distance: Double, oldID: String)] = [:]
    for visit in visits.all {
      let oldID = visit.id
      var heirs = spots.spots(within: settings.clusterRadiusMeters, of: visit.center)
        .map { ($0.spot, $0.distanceMeters) }
      if let same = spots.spot(withID: oldID), !heirs.contains(where: { $0.0.id == oldID }) {
        heirs.append((same, same.coordinate.distance(to: visit.center)))
      }
      for (spot, distance) in heirs {
        if let rival = carried[spot.id],
          (rival.distance, rival.oldID) <= (distance, oldID)
        {
          continue
        }
        var heir = SpotVisit(
          id: spot.id, center: spot.coordinate, enteredAt: visit.enteredAt, phase: visit.phase)
        heir.index = spots.place(ofID: spot.id) ?? -1
        heir.reach = spots.reach(ofPlace: heir.index)
        heir.fixesBeyondExit = visit.fixesBeyondExit
        heir.lastThere = visit.lastThere
        heir.closestHaversine = visit.closestHaversine
        heir.lastPresence = visit.lastPresence
        heir.familiarity = visit.familiarity
        heir.waited = visit.waited
        heir.waits = visit.waits
        carried[spot.id] = (heir, distance, oldID)
      }
    }
    var inherited = DeviceVisits()
    for (id, heir) in carried { inherited[id] = heir.visit }
    return inherited
  }
}
