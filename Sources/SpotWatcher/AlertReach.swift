import PhotoLibrary
import Spatial

/// The distances at which a spot is entered and left.
struct AlertReach: Hashable, Sendable {
  /// How near a device enters, edge included.
  let enter: DistanceLimit
  /// Beyond this a device leaves.
  let exit: DistanceLimit

  /// Creates the distances for a radius in metres.
  init(radiusMeters: Double) {
    enter = DistanceLimit(meters: radiusMeters)
    exit = DistanceLimit(meters: WatcherSettings.exitDistanceMeters(radius: radiusMeters))
  }

  static func == (left: AlertReach, right: AlertReach) -> Bool {
    left.enter.meters == right.enter.meters
  }

  func hash(into hasher: inout Hasher) { hasher.combine(enter.meters) }
}

extension SpotIndex {
  /// The distances of a place in ``spots`` that has an alert radius of its own; `nil` for others.
  func reach(ofPlace index: Int) -> AlertReach? {
    hasAlertRadii ? alertRadius(ofPlace: index).map { AlertReach(radiusMeters: $0) } : nil
  }
}
