import Encodings
import PhotoLibrary
package import SpotAlerts
import SpotWatcher
import Towns

/// The text form of the history of alerts.
package enum HistoryText {
  /// Returns a row for an entry: the time, what it is about, and the outcomes of its deliveries. A
  /// spot that belongs to one of the places has its name, else that of its town.
  package static func line(
    _ entry: HistoryEntry, _ places: PlacesOfSpots, _ zone: inout ZoneLabel
  ) -> String {
    let place = places.name(ofSpot: entry.spotID)
    let spot = "spot \(entry.spotID.escaped)"
    let time = zone.minute(entry.time)
    let device = entry.device.map { $0.escaped + ": " } ?? ""
    let what =
      switch entry.kind {
      case .notified:
        entry.notification.map { $0.text(named: place) + $0.spot.label } ?? entry.spotID.escaped
      case .lapsed, .suppressed, .refused, .waited:
        [place ?? town(of: entry), spot].compactMap(\.self).joined(separator: ", ")
          + ": \(explanation(of: entry))"
      }
    let results = entry.deliveries.map(result).joined(separator: ", ")
    return StandardOutput.row(
      time + "  ", "\(device)\(what)\(results.isEmpty ? "" : "  [\(results)]")") + "\n"
  }

  /// Returns the name of the place by its town; `nil` if there is none.
  private static func town(of entry: HistoryEntry) -> String? {
    Gazetteer.world.nearest(to: entry.coordinate)?.placeName
  }

  /// Returns the explanation of an entry, with the centre of a muted zone.
  package static func explanation(of entry: HistoryEntry) -> String {
    entry.explanation { SpotText.position($0) }
  }

  /// Returns the outcome of a notification's delivery by a notifier.
  package static func result(_ delivery: HistoryEntry.Delivery) -> String {
    let reason = delivery.failure.map { ": \($0.escaped)" } ?? ""
    let tries = delivery.tries == 1 ? "1 try" : "\(delivery.tries) tries"
    return switch delivery.outcome {
    case .delivered: "\(delivery.notifier) delivered"
    case .pending: "\(delivery.notifier) pending after \(tries)\(reason)"
    case .expired: "\(delivery.notifier) given up after \(tries)\(reason)"
    case .setAside: "\(delivery.notifier) not retried: the program ended during \(tries)"
    }
  }
}
