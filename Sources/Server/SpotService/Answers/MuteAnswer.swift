import CivilTime
import Encodings
import PhotoLibrary
import Spatial
import SpotAlerts
import SpotWatcher

/// Writes whether spots are muted.
struct MuteAnswer {
  /// The mutes in effect.
  let inForce: [MutedSpot]
  /// The distance from a muted spot's centre within which other spots are muted too, in metres.
  let radiusMeters: Double

  init(_ mutes: [MutedSpot], now: Instant, radiusMeters: Double) {
    inForce = mutes.filter { $0.isInForce(at: now) }
    self.radiusMeters = radiusMeters
  }

  /// Writes `muted`, and `mutedUntil` if the mute ends by itself.
  func write(_ spot: PhotoSpot, to writer: inout JSONWriter) {
    let mute = mute(of: spot)
    writer.member("muted", mute != nil)
    writer.member("mutedUntil", mute?.until?.iso8601)
  }

  /// Returns the mute that applies to a spot, of several the one that ends last; `nil` where there
  /// is none.
  func mute(of spot: PhotoSpot) -> MutedSpot? {
    let found = inForce.filter {
      $0.covers(spotID: spot.id, center: spot.coordinate, radiusMeters: radiusMeters)
    }
    let latest = Instant(millisecondsSince1970: .max)
    return found.max { $0.until ?? latest < $1.until ?? latest }
  }

  /// Writes a mute: `spot latitude longitude until place title`.
  static func write(_ mute: MutedSpot, _ spot: PhotoSpot?, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("spot", mute.spotID)
      writer.member("latitude", degrees: mute.center.latitude)
      writer.member("longitude", degrees: mute.center.longitude)
      writer.member("until", mute.until?.iso8601)
      if let spot {
        PlaceAnswer.write(spot, to: &writer)
      } else {
        PlaceAnswer.write(mute.center, to: &writer)
      }
    }
  }
}
