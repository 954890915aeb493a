import SpotAlerts
import Synchronization

/// Collects the texts of alerts.
final class AlertList: Notifier {
  let name = "list"
  let texts = Mutex<[String]>([])

  func deliver(_ alert: Alert) async -> DeliveryResult {
    texts.withLock { $0.append(alert.text) }
    return .delivered
  }
}
