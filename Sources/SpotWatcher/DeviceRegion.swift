package import CivilTime
package import LocationFeeds
package import PhotoLibrary
package import Spatial

/// The spots around one device.
struct DeviceRegion: Sendable {
  var spots = SpotIndex(spots: [])
  var surroundings = Surroundings()
  /// The middle of the area of which every spot is there; `nil` where there is none.
  var center: Coordinate?
  /// The radius of that area in metres.
  var reachMeters = 0.0
  /// The greatest alert radius of their own that spots near the area have, in metres.
  var ownRadiusMeters = 0.0
  /// When the spots were fetched, by the machine's clock.
  var fetched = Instant(millisecondsSince1970: .min)
  /// How far the next area reaches beyond what is needed, in metres.
  var slackMeters = LocationWatcher.maximumRegionSlackMeters
}

/// A query for the spots around a device.
package struct RegionFetch: Hashable, Sendable {
  /// The position of the device.
  package let center: Coordinate
  /// The least distance within which every spot must be there, in metres.
  package let neededMeters: Double
  /// The distance within which spots are asked for, in metres.
  package let radiusMeters: Double
  /// A spot that the device is at.
  package struct Visit: Hashable, Sendable {
    /// The spot's id.
    package let spotID: String
    /// The spot's centre when it was entered.
    package let center: Coordinate
  }

  /// The spots that must be there wherever they lie, or those that are in their place now.
  package let visits: [Visit]
  /// Whether the fix cannot be decided without; else the spots that are there have become old.
  package let isNeeded: Bool

  init(
    center: Coordinate, neededMeters: Double, radiusMeters: Double, visits: [Visit],
    isNeeded: Bool
  ) {
    self.center = center
    self.neededMeters = neededMeters
    self.radiusMeters = radiusMeters
    self.visits = visits
    self.isNeeded = isNeeded
  }

  /// Creates a query for the spots around any position.
  package init(around center: Coordinate, radiusMeters: Double) {
    self.init(
      center: center, neededMeters: radiusMeters, radiusMeters: radiusMeters, visits: [],
      isNeeded: true)
  }
}

/// A watcher whose devices have spots of their own: only the part of a large library that is near
/// each device is in memory.
///
/// The decisions about a fix depend on these spots alone:
///
/// - Those that may be entered: within the alert radius *r* of the device, or of the leg that led
///   to it. A leg counts up to 1 km, and begins at the last accepted fix, so what it passes lies
///   within *r* + min(leg, 1 km) of its end.
/// - Those that ``Surroundings`` keeps of them: within *r* + 51 m of the device.
/// - The spots that the device is at, wherever they are: their photos are looked at when they fire
///   later. Where a spot is gone, the visit continues at a spot within its cluster radius. So the
///   spots that far around each are fetched.
///
/// For *r* the greater of the setting and the radii of places of one's own counts, as far as those
/// places are near enough to matter. So a region that holds every spot within
/// *r* + max(51 m, min(leg, 1 km) + 1 m) + 1 m of the device leads to the same decisions as all
/// spots together, to the last bit: spots farther away take part in no comparison, and those in the
/// region lie in the same order.
extension LocationWatcher {
  /// How far an area reaches beyond what is needed at most, in metres.
  package static let maximumRegionSlackMeters = 300.0
  /// The least such distance in metres.
  static let minimumRegionSlackMeters = 50.0
  /// An area with more spots is made smaller, as far as what is needed allows.
  package static let regionSpotCount = 32
  /// The regions of all devices together hold no more spots, but for those that devices need.
  static let maximumHeldSpotCount = 1 << 17
  /// How old spots become, in seconds: new ones of the library are seen after so long.
  package static let regionLifetimeSeconds = 600.0
  /// No leg that is longer counts, in metres.
  private static let maximumLegMeters = 1000.0

  /// Gives a device a place among those that are followed, where it has none: before its records
  /// are restored.
  package mutating func follow(_ device: String?) { _ = slot(of: device) }

  /// Whether a device is followed; else its records are to be restored first.
  package func knows(_ device: String?) -> Bool { state.slots.slot(of: device) != nil }

  /// The spots around a device.
  package func spots(around device: String?) -> SpotIndex {
    guard isOverRegions else { return spots }
    return state.slots.slot(of: device).map { regions[$0].spots } ?? rules.spots
  }

  /// Looks which spots are to be fetched before a fix is evaluated.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - now: The machine's clock.
  /// - Returns: The query; `nil` where nothing is to be fetched.
  package mutating func fetch(for fix: LocationFix, now: Instant) -> RegionFetch? {
    guard isOverRegions, let here = fix.coordinate, !here.isNullIsland else { return nil }
    // An inaccurate fix is decided without spots.
    if let accuracy = fix.horizontalAccuracyMeters, accuracy > settings.maximumAccuracyMeters {
      return nil
    }
    let slot = slot(of: fix.device)
    let last = state.devices[slot].lastAccepted
    let leg = last.map { min($0.standpoint.coordinate.distance(to: here), Self.maximumLegMeters) }
    let beyondRadius = max(Surroundings.slackMeters + 1, (leg ?? 0) + 1) + 1
    let radius = max(settings.proximityRadiusMeters, regions[slot].ownRadiusMeters)
    let needed = radius + beyondRadius
    let isCovered =
      regions[slot].center.map {
        $0.distance(to: here) + needed <= regions[slot].reachMeters
      } ?? false
    let age = now.seconds(since: regions[slot].fetched)
    guard !isCovered || abs(age) >= Self.regionLifetimeSeconds else { return nil }
    return RegionFetch(
      center: here, neededMeters: needed, radiusMeters: needed + regions[slot].slackMeters,
      visits: state.devices[slot].places.all.map {
        RegionFetch.Visit(spotID: $0.id, center: $0.center)
      }, isNeeded: !isCovered)
  }

  /// Takes the spots that were asked for. Where a place of one's own with a large radius is near,
  /// ``fetch(for:now:)`` may ask for more.
  ///
  /// - Parameters:
  ///   - spots: At least the spots within ``RegionFetch/radiusMeters`` and those of the visits.
  ///   - fetch: The query.
  ///   - device: The device.
  ///   - now: The machine's clock.
  ///   - ownRadiusMeters: The greatest alert radius of their own that places have within reach of
  ///     the device, in metres.
  package mutating func take(
    _ spots: SpotIndex, of fetch: RegionFetch, for device: String?, now: Instant,
    ownRadiusMeters: Double = 0
  ) {
    let slot = slot(of: device)
    let old = regions[slot].spots
    heldSpotCount -= old.spots.count
    let (kept, reach) = trimmed(spots, fetch, to: Self.regionSpotCount)
    regions[slot].spots = kept
    regions[slot].surroundings = Surroundings()
    regions[slot].center = fetch.center
    regions[slot].reachMeters = reach
    regions[slot].ownRadiusMeters = ownRadiusMeters
    regions[slot].fetched = now
    let slack = reach - fetch.neededMeters
    regions[slot].slackMeters = min(
      max(reach < fetch.radiusMeters ? slack : 2 * slack, Self.minimumRegionSlackMeters),
      Self.maximumRegionSlackMeters)
    heldSpotCount += kept.spots.count
    rules.spots = kept
    if !state.devices[slot].places.findAgain(in: kept) {
      rules.carryOverPlaces(&state.devices[slot])
    }
    dropRegions(but: slot)
  }

  /// Leaves out the farthest of many spots, as far as none is needed.
  private func trimmed(
    _ spots: SpotIndex, _ fetch: RegionFetch, to count: Int
  ) -> (spots: SpotIndex, reachMeters: Double) {
    guard spots.spots.count > count, spots.withoutPlaces.spots.count == spots.spots.count,
      !spots.hasAlertRadii
    else { return (spots, fetch.radiusMeters) }
    let nearest = spots.nearest(count + 1, to: fetch.center)
    let limit = nearest.count > count ? nearest[count].distanceMeters : fetch.radiusMeters
    // The spot at the limit itself may be one of several at that distance.
    let reach = min(max(fetch.neededMeters, limit.nextDown), fetch.radiusMeters)
    var kept = spots.spots(within: reach, of: fetch.center).map(\.spot)
    var ids = Set(kept.map(\.id))
    for visit in fetch.visits {
      for found in spots.spots(within: settings.clusterRadiusMeters, of: visit.center)
      where ids.insert(found.spot.id).inserted {
        kept.append(found.spot)
      }
    }
    return (SpotIndex(spots: kept), reach)
  }

  /// Gives a slot an empty region.
  mutating func makeRegion(at slot: Int) {
    while regions.count <= slot { regions.append(DeviceRegion()) }
    heldSpotCount -= regions[slot].spots.spots.count
    regions[slot] = DeviceRegion()
  }

  /// Drops the spots of some devices where there are too many; they are fetched again with the next
  /// fix. Visits that wait need theirs.
  private mutating func dropRegions(but slot: Int) {
    var looked = 0
    while heldSpotCount > Self.maximumHeldSpotCount, looked < regions.count {
      looked += 1
      nextDroppedSlot = (nextDroppedSlot + 1) % regions.count
      let next = nextDroppedSlot
      guard next != slot, regions[next].center != nil,
        !state.devices[next].places.areAnyWaiting
      else { continue }
      heldSpotCount -= regions[next].spots.spots.count
      let slack = regions[next].slackMeters
      regions[next] = DeviceRegion()
      regions[next].slackMeters = slack
    }
  }

  /// Puts records of a device back into the state; its spots are fetched again before the next fix
  /// is decided.
  package mutating func restore(_ device: String?, _ body: (inout WatcherState) -> Void) {
    let slot = slot(of: device)
    body(&state)
    regions[slot].center = nil
  }

  /// Has the spots around each device fetched again with its next fix.
  package mutating func forgetRegions() {
    for slot in regions.indices { regions[slot].center = nil }
  }

  /// Has what fired on other devices, wherever they are watched, decide from now on.
  package mutating func take(_ alerts: SharedAlerts) {
    state.sharedFirings = alerts.sharedFirings
    state.alerts = alerts.rate
  }
}

extension Places {
  /// Looks the places up in other spots, of which those that the device is at are the same.
  ///
  /// - Returns: Whether all were found unchanged; else what the device is at is to be carried over
  ///   to the spots that are there now.
  fileprivate mutating func findAgain(in spots: SpotIndex) -> Bool {
    for number in indices {
      let place = self[at: number]
      guard place.index >= 0, let index = spots.place(ofID: place.id),
        spots.spots[index].coordinate == place.center
      else { return false }
      setIndex(index, at: number)
    }
    return true
  }
}
