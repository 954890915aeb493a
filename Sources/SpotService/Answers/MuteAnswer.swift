import CivilTime
import Interchange
import PhotoLibrary
import Spatial
import SpotAlerts
import SpotWatcher

/// Which spots are muted now.
struct MuteAnswer {
  /// The mutes that are in force.
  let inForce: [MutedSpot]
  /// How far from a muted centre a spot may be and be muted.
  let radiusMeters: Double

  init(_ mutes: [MutedSpot], now: Instant, radiusMeters: Double) {
    inForce = mutes.filter { $0.isInForce(at: now) }
    self.radiusMeters = radiusMeters
  }

  /// Writes `muted` and where it ends by itself `mutedUntil`.
  func write(_ spot: PhotoSpot, to writer: inout JSONWriter) {
    let mute = mute(of: spot)
    writer.member("muted", mute != nil)
    writer.member("mutedUntil", mute?.until?.iso8601)
  }

  /// The mute that a spot is silent by, of several the one that holds longest.
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
