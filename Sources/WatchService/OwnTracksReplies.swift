import CivilTime
public import FeedServer
import Interchange
import LocationFeeds
import PhotoLibrary
import Spatial
public import SpotAlerts
import SpotWatcher
import Synchronization

/// The answers to what OwnTracks posts, from which the phone learns which regions to watch by
/// itself and how many spots are near.
///
/// An answer is a list of messages (OwnTracks Booklet, "HTTP" and "JSON"):
///
/// - `cmd` with the action `setWaypoints`, which adds regions to those of the phone or replaces
///   them. The key of a region is `tst` on Android (`WaypointsRepo.importFromMessage`), and on iOS
///   `rid`, in older versions `desc` or `tst` (`Settings.setWaypoints`). All three are fixed by the
///   region's number, so that a phone has at most twelve, and none of the user's own is replaced.
///   iOS reads what follows a colon in `desc` as a beacon, so there is none. Android has no message
///   that deletes a region.
/// - `card` and `location` of a friend `ps`, which is thereby called *3 spots near* and lies on the
///   map at the nearest one. In HTTP mode a `tid` makes a friend.
///
/// Nothing is answered unless the setting asks for it, since a phone shows regions to its user.
public final class OwnTracksReplies: Sendable {
  /// The greatest number of phones whose regions are known.
  private static let maximumPhoneCount = 1024
  /// The tracker id of the friend that stands for the spots.
  private static let friendID = "ps"

  private struct Phone {
    var regions = RollingRegions()
    var card: String?
  }

  private struct State {
    var slots = DeviceSlots(capacity: maximumPhoneCount)
    /// By the slots of the devices.
    var phones: [Phone] = []
    var updateCount = 0

    /// The slot of a phone, which gets one where it has none.
    mutating func slot(of device: String?) -> Int {
      switch slots.use(device) {
      case .known(let slot): return slot
      case .new(let slot):
        phones.append(Phone())
        return slot
      case .reused(let slot, _):
        phones[slot] = Phone()
        return slot
      }
    }
  }

  private let session: WatchSession
  private let clock: any DeliveryClock
  private let state = Mutex(State())

  /// Creates the answers of a watch.
  ///
  /// - Parameters:
  ///   - session: The watch, of which the spots and settings in force are taken.
  ///   - clock: The machine's clock.
  public init(_ session: WatchSession, clock: any DeliveryClock = SystemClock()) {
    self.session = session
    self.clock = clock
  }

  /// How many answers told a phone of regions.
  public var updateCount: Int { state.withLock(\.updateCount) }

  /// Makes the answer to a message, which must be stored; `nil` where there is nothing to tell.
  ///
  /// The last position of the message counts, unless it is too old to fire.
  public func reply(to message: FeedServer.Message) -> [UInt8]? {
    let alerts = session.alerts
    guard message.format == .owntracks, alerts.sendsRegions, let fix = Self.last(of: message),
      let time = fix.time, let here = fix.coordinate, !here.isNullIsland
    else { return nil }
    let (now, settings, spots) = (clock.now(), session.settings, session.spots)
    let age = now.seconds(since: time)
    guard (-60...settings.maximumFixAgeSeconds).contains(age),
      (fix.horizontalAccuracyMeters ?? 0) <= settings.maximumAccuracyMeters
    else { return nil }
    let card = alerts.language.spotsNear(
      Self.nearCount(among: spots, here, radiusMeters: settings.proximityRadiusMeters))
    let (regions, isCardNew) = state.withLock { state in
      let slot = state.slot(of: fix.device)
      let regions = state.phones[slot].regions.follow(
        fix, among: spots, settings: settings, now: now)
      let isCardNew = state.phones[slot].card != card
      state.phones[slot].card = card
      if regions != nil { state.updateCount += 1 }
      return (regions, isCardNew)
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

  /// How many spots are near, and places of one's own by radii of theirs.
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

  /// The position of a message with the latest time.
  private static func last(of message: FeedServer.Message) -> LocationFix? {
    var last: LocationFix?
    for fix in message.fixes {
      guard let time = fix.time, fix.coordinate != nil else { continue }
      if last?.time.map({ $0 <= time }) ?? true { last = fix }
    }
    return last
  }

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
              // Seconds since 1970 in which nobody made a region by hand.
              writer.member("tst", region.number)
              writer.member("rid", "photospots\(region.number)")
            }
          }
        }
      }
    }
  }
}
