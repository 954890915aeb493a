import CivilTime
import Encodings
import PhotoLibrary
import PhotoMetadata
import Spatial
import SpotAlerts
import SpotWatcher

/// Writes the description of an event at a spot.
struct AlertAnswer {
  let spots: SpotAnswer

  /// Writes an entry with the known members of `id kind time device spot distance bearing memory
  /// alsoNear decision explanation deliveries`.
  ///
  /// A spot is written as ``SpotAnswer`` does; a spot that is no longer in the index has only `id
  /// latitude longitude place title`.
  func write(_ entry: HistoryEntry, to writer: inout JSONWriter) {
    let notification = entry.notification
    writer.object { writer in
      writer.member(
        "id",
        notification?.id
          ?? SpotNotification.makeID(
            device: entry.device, spotID: entry.spotID, time: entry.time))
      writer.member("kind", entry.kind.rawValue)
      writer.member("time", entry.time.iso8601)
      writer.member("device", entry.device)
      writer.key("spot")
      write(entry.spotID, entry.coordinate, to: &writer)
      writer.member(
        "distance", (notification?.distanceMeters ?? entry.closestMeters)?.decimeters)
      writer.member("bearing", notification?.bearingDegrees)
      if let memory = notification?.memory {
        writer.key("memory")
        Self.write(memory, to: &writer)
      }
      writer.array("alsoNear") { writer in
        for other in notification?.alsoNear ?? [] {
          write(other.id, other.coordinate, to: &writer)
        }
      }
      writer.member("decision", decision(of: entry))
      writer.member("explanation", entry.explanation)
      writer.array("deliveries") { writer in
        for delivery in entry.deliveries { delivery.write(to: &writer) }
      }
    }
  }

  /// Returns the name of the decision: `notify`, or the decision that silenced the spot.
  private func decision(of entry: HistoryEntry) -> String {
    entry.kind == .notified ? "notify" : entry.suppressedBy?.rawValue ?? entry.kind.rawValue
  }

  private func write(_ id: String, _ center: Coordinate, to writer: inout JSONWriter) {
    if let place = spots.library.spots.place(ofID: id) {
      spots.write(place, to: &writer)
    } else if let place = spots.places.spot(ofPlace: id) {
      spots.write(place, to: &writer)
    } else {
      writer.object { writer in
        writer.member("id", id)
        writer.member("latitude", degrees: center.latitude)
        writer.member("longitude", degrees: center.longitude)
        PlaceAnswer.write(center, to: &writer)
      }
    }
  }

  /// Writes a memory with the known members of `years days anniversaryYears anniversaryDaysAway
  /// yearCount heading focalLength focalLength35mm place`.
  private static func write(_ memory: SpotMemory, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("years", memory.sinceLatest?.years)
      writer.member("days", memory.sinceLatest?.days)
      writer.member("anniversaryYears", memory.anniversary?.years)
      writer.member("anniversaryDaysAway", memory.anniversary?.daysAway)
      writer.member("yearCount", memory.yearCount)
      writer.member("heading", memory.headingDegrees)
      writer.member("focalLength", memory.focalLength?.millimeters)
      writer.member("focalLength35mm", memory.focalLength?.millimetersOn35mmFilm)
      writer.member("place", memory.place)
    }
  }
}
