import CivilTime
package import PhotoLibrary
package import Spatial
package import SpotAlerts
package import SpotWatcher

/// The alerts of a replay in the words of a watch.
package struct ReplayedAlerts {
  private let pasts: SpotPasts
  private let language: AlertLanguage
  private let units: LengthUnits
  private let clock = LocalClock.machineNow

  /// Creates the texts of alerts about spots.
  package init(of spots: SpotIndex, in language: AlertLanguage, units: LengthUnits) {
    (pasts, self.language, self.units) = (SpotPasts(of: spots), language, units)
  }

  /// Returns the line that a watch prints for a notification.
  package func line(of notification: SpotNotification) -> String {
    let remembered = notification.remembering(pasts[notification.spot.id], by: clock)
    return Alert(.spot(remembered), in: language, units: units).line
  }
}
