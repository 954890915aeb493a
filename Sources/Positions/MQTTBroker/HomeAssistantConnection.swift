import CivilTime
import FeedSources
import HomeAssistant
import LocationFeeds
import PhotoLibrary
package import SpotAlerts
package import SpotWatcher
import Synchronization
package import SystemPackage

/// A connection to Home Assistant that publishes the positions of devices relative to spots, and
/// alerts, while a watch runs.
///
/// Builds without the trait `MQTT` cannot create one.
package final class HomeAssistantConnection: Sendable {
  #if MQTT
    private let publisher: HomeAssistantPublisher

    /// Creates a connection; nothing is published yet.
    package init(_ publisher: HomeAssistantPublisher) { self.publisher = publisher }

    /// The notifier that publishes alerts.
    package var notifier: any Notifier { publisher }
  #else
    /// Builds without the trait have no other initializer.
    private init() {}

    /// A notifier that is never used.
    package var notifier: any Notifier { StandardOutputNotifier(format: .text) }
  #endif

  /// Publishes the remembered devices and alerts, and connects.
  ///
  /// - Parameters:
  ///   - session: The watch session, which holds the spots.
  ///   - stateFolder: The folder of the watch's state; `nil` if the watch has no stored state.
  package func begin(with session: WatchSession, stateFolder: FilePath?) {
    if let stateFolder {
      // The watch itself reports problems with these files.
      for report in ((try? DeviceLog.reports(in: stateFolder)) ?? []).reversed() {
        if let fix = report.fix { note(fix, session) }
      }
      let history = (try? WatchSession.history(in: stateFolder)) ?? []
      for notification in history.reversed().lazy.compactMap(\.notification) {
        restore(Alert(.spot(notification)))
      }
    }
    #if MQTT
      publisher.start()
    #endif
  }

  /// Publishes the decisions about a fix.
  package func take(_ decisions: [WatcherDecision], of session: WatchSession) {
    guard let decision = decisions.first, decision.kind.isLookedAt else { return }
    note(decision.fix, session)
  }

  /// Publishes that the states are no longer current, and disconnects.
  package func stop() {
    #if MQTT
      publisher.stop()
    #endif
  }

  private func note(_ fix: LocationFix, _ session: WatchSession) {
    #if MQTT
      guard let position = fix.coordinate else { return }
      let around = session.spots(near: position)
      let surroundings = HomeSurroundings(
        spotCount: around.count,
        nearest: around.nearest.map { neighbor in
          HomeSurroundings.Spot(
            id: neighbor.spot.id, name: neighbor.spot.title, position: neighbor.spot.coordinate,
            photoCount: neighbor.spot.photoCount, distanceMeters: neighbor.distanceMeters)
        })
      publisher.note(surroundings, of: fix.device)
    #endif
  }

  private func restore(_ alert: Alert) {
    #if MQTT
      publisher.restore(alert)
    #endif
  }
}
