import CivilTime
import FeedSources
import HomeAssistant
import LocationFeeds
import PhotoLibrary
import SpotAlerts
import SpotWatcher
import Synchronization
import SystemPackage

#if MQTT
  import MQTTBroker
#endif

/// Tells Home Assistant where devices are among the spots, and of alerts, while a watch runs.
///
/// Without the trait `MQTT` there is none.
final class HomeLink: Sendable {
  #if MQTT
    private let publisher: HomeAssistantPublisher

    init(_ publisher: HomeAssistantPublisher) { self.publisher = publisher }

    /// The notifier of alerts.
    var notifier: any Notifier { publisher }
  #else
    /// Nobody makes one.
    private init() {}

    var notifier: any Notifier { StandardOutputNotifier(format: .text) }
  #endif

  /// Begins with the devices and alerts that are remembered, and connects.
  ///
  /// - Parameters:
  ///   - session: What knows the spots.
  ///   - stateFolder: Where the state of the watch lies; `nil` remembers nothing.
  func begin(with session: WatchSession, stateFolder: FilePath?) {
    if let stateFolder {
      // What is wrong with these files is told by the watch.
      for report in ((try? DeviceLog.reports(in: stateFolder)) ?? []).reversed() {
        note(report.fix, session)
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

  /// Takes what was decided about a fix.
  func take(_ decisions: [WatcherDecision], of session: WatchSession) {
    guard let decision = decisions.first, decision.kind.isLookedAt else { return }
    note(decision.fix, session)
  }

  /// Says that nothing is current any more, and disconnects.
  func stop() {
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
