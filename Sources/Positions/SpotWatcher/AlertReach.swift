import PhotoLibrary
import Spatial

/// The distances from a spot at which a device enters and leaves it.
struct AlertReach: Hashable, Sendable {
  /// The greatest distance at which a device enters, edge included.
  let enter: DistanceLimit
  /// The distance beyond which a device leaves.
  let exit: DistanceLimit

  /// Creates the distances for a proximity radius in metres.
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
  /// Returns the distances of a place in ``spots`` with an alert radius of its own; `nil` for
  /// others.
  func reach(ofPlace index: Int) -> AlertReach? {
    hasAlertRadii ? alertRadius(ofPlace: index).map { AlertReach(radiusMeters: $0) } : nil
  }
}
