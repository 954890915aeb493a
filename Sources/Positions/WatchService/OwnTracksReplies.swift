import CivilTime
import Encodings
public import FeedServer
import LocationFeeds
import PhotoLibrary
import Spatial
public import SpotAlerts
import SpotWatcher
import Synchronization

/// The responses to OwnTracks posts, which give the phone regions to monitor by itself and the
/// number of spots nearby.
///
/// A response is a list of messages (OwnTracks Booklet, "HTTP" and "JSON"):
///
/// - `cmd` with the action `setWaypoints`, which adds regions to those of the phone or replaces
///   them. A region's key is `tst` on Android (`WaypointsRepo.importFromMessage`), and on iOS
///   `rid`, in older versions `desc` or `tst` (`Settings.setWaypoints`). All three are determined
///   by the region's number, so a phone has at most twelve of these regions, and none of the user's
///   own is replaced. iOS parses text after a colon in `desc` as a beacon, so `desc` has no colon.
///   Android has no message that deletes a region.
/// - `card` and `location` of a friend `ps`, who is thereby named *3 spots near* and shown on the
///   map at the nearest spot. In HTTP mode a `tid` identifies a friend.
///
/// Responses are empty unless the setting enables them, since a phone shows regions to its user. A
/// watch over a store sends none, since it knows only the spots near its devices.
public final class OwnTracksReplies: Sendable {
  /// The maximum number of phones whose regions are remembered.
  private static let maximumPhoneCount = 1024
  /// The tracker id of the friend that represents the spots.
  private static let friendID = "ps"

  private struct Phone {
    var regions = RollingRegions()
    var card: String?
  }

  private struct State {
    var phones = DeviceValues(capacity: maximumPhoneCount, of: Phone())
    var updateCount = 0
  }

  private let session: WatchSession
  private let clock: any DeliveryClock
  private let state = Mutex(State())

  /// Creates the responses of a watch.
  ///
  /// - Parameters:
  ///   - session: The watch, whose current spots and settings are used.
  ///   - clock: The machine's clock.
  public init(_ session: WatchSession, clock: any DeliveryClock = SystemClock()) {
    self.session = session
    self.clock = clock
  }

  /// The number of responses with regions.
  public var updateCount: Int { state.withLock(\.updateCount) }

  /// Returns the response to a message, whose positions must be stored already; `nil` if there is
  /// nothing to send.
  ///
  /// The last position of the message is used, unless it is too old to fire, too inaccurate, or
  /// more than a minute ahead of the clock.
  public func reply(to message: FeedServer.Message) -> [UInt8]? {
    let alerts = session.alerts
    guard message.format == .owntracks, alerts.sendsRegions, let spots = session.allSpots,
      let fix = Self.last(of: message), let time = fix.time, let here = fix.coordinate,
      !here.isNullIsland
    else { return nil }
    let (now, settings) = (clock.now(), session.settings)
    let age = now.seconds(since: time)
    guard (-60...settings.maximumFixAgeSeconds).contains(age),
      (fix.horizontalAccuracyMeters ?? 0) <= settings.maximumAccuracyMeters
    else { return nil }
    let card = alerts.language.spotsNear(
      Self.nearCount(among: spots, here, radiusMeters: settings.proximityRadiusMeters))
    let (regions, isCardNew) = state.withLock { state in
      let answer = state.phones.change(fix.device) { phone in
        let regions = phone.regions.follow(fix, among: spots, settings: settings, now: now)
        defer { phone.card = card }
        return (regions, phone.card != card)
      }
      if answer.0 != nil { state.updateCount += 1 }
      return answer
    }
    guard regions != nil || isCardNew else { return nil }
    var writer = JSONWriter()
    writer.array { writer in
      if let regions { Self.write(regions, to: &writer) }
      if isCardNew {
        if let nearest = spots.nearest(1, to: here).first?.spot.coordinate {
          writer.object { writer in
            writer.member("_type", "location")
            writer.member("tid", Self.friendID)
            writer.member("lat", degrees: nearest.latitude)
            writer.member("lon", degrees: nearest.longitude)
            writer.member("tst", now.millisecondsSince1970 / 1000)
          }
        }
        writer.object { writer in
          writer.member("_type", "card")
          writer.member("tid", Self.friendID)
          writer.member("name", card)
        }
      }
    }
    return writer.takeBytes()
  }

  /// Returns the number of spots within the alert radius, and of places within their own radii.
  private static func nearCount(
    among spots: SpotIndex, _ here: Coordinate, radiusMeters: Double
  ) -> Int {
    var count = 0
    spots.forEachPlace(within: radiusMeters, of: here) { place, _ in
      if spots.alertRadius(ofPlace: place) == nil { count += 1 }
    }
    let standpoint = Standpoint(here)
    spots.forEachPlace(alertingWithin: 0, of: here) { _, center, radius in
      if center.distance(to: standpoint) <= radius { count += 1 }
    }
    return count
  }

  /// Returns the position of a message with the latest time.
  private static func last(of message: FeedServer.Message) -> LocationFix? {
    var last: LocationFix?
    for fix in message.fixes {
      guard let time = fix.time, fix.coordinate != nil else { continue }
      if last?.time.map({ $0 <= time }) ?? true { last = fix }
    }
    return last
  }

  /// Writes the command that adds or replaces regions.
  private static func write(_ regions: [RollingRegions.Region], to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("_type", "cmd")
      writer.member("action", "setWaypoints")
      writer.key("waypoints")
      writer.object { writer in
        writer.member("_type", "waypoints")
        writer.array("waypoints") { writer in
          for region in regions {
            writer.object { writer in
              writer.member("_type", "waypoint")
              writer.member("desc", "photospots \(region.number)")
              writer.member("lat", degrees: region.center.latitude)
              writer.member("lon", degrees: region.center.longitude)
              writer.member("rad", region.radiusMeters)
              // A region created by the user never has these times, which are within the first
              // seconds of 1970.
              writer.member("tst", region.number)
              writer.member("rid", "photospots\(region.number)")
            }
          }
        }
      }
    }
  }
}
