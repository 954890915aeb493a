package import CivilTime
package import LocationFeeds
package import PhotoLibrary
import Spatial

/// The spots fetched around one device, and the area that they cover.
struct DeviceRegion: Sendable {
  var spots = SpotIndex(spots: [])
  var surroundings = Surroundings()
  /// The centre of the circle whose spots are all in `spots`; `nil` where there is none.
  var center: Coordinate?
  /// The radius of that circle in metres.
  var reachMeters = 0.0
  /// The greatest alert radius in metres of the places near the circle that have their own.
  var ownRadiusMeters = 0.0
  /// The time at which the spots were fetched, by the machine's clock.
  var fetched = Instant(millisecondsSince1970: .min)
  /// The distance in metres by which the next circle exceeds the needed radius.
  var slackMeters = LocationWatcher.maximumRegionSlackMeters
  /// The number that identifies the device in ``SharedFirings``.
  var sharedKey = 0
}

/// A watcher over regions: of a large library, only the spots near each device are in memory.
///
/// The decisions about a fix depend on these spots only:
///
/// - Spots that the device may enter: within the alert radius *r* of the device, or of the leg to
///   it. A leg begins at the last accepted fix and is ignored if longer than 1 km, so these spots
///   are within *r* + min(leg, 1 km) of its end.
/// - Spots cached by ``Surroundings``: within *r* + 51 m of the device.
/// - Spots that the device is at, regardless of distance: their photos are examined when they fire
///   later. If such a spot is gone, the visit continues at a spot within the cluster radius of its
///   centre, so the spots within that radius are fetched too.
///
/// The radius *r* is the greatest of the setting and the alert radii of the nearby places that have
/// their own. A region with all spots within *r* + max(51 m, min(leg, 1 km) + 1 m) + 1 m of the
/// device therefore leads to exactly the same decisions as the complete index: no comparison
/// involves spots farther away, and the spots in the region are in the same order.
extension LocationWatcher {
  /// The maximum distance in metres by which a region exceeds the needed radius.
  package static let maximumRegionSlackMeters = 300.0
  /// The minimum distance in metres by which a region exceeds the needed radius.
  static let minimumRegionSlackMeters = 25.0
  /// The number of legs as long as the last one for which a region suffices at least, up to the
  /// maximum distance: otherwise each fix of a fast device would need another region.
  static let minimumRegionLegCount = 8.0
  /// The number of spots above which a region is reduced, at most to the needed radius and the
  /// minimum slack.
  package static let regionSpotCount = 48
  /// The number of spots in all regions together above which regions without waiting visits are
  /// dropped.
  static let maximumHeldSpotCount = 1 << 17
  /// The age in seconds at which a region is fetched again, so that new spots of the library are
  /// found.
  package static let regionLifetimeSeconds = 600.0
  /// The length in metres above which a leg is ignored.
  private static let maximumLegMeters = 1000.0

  /// Assigns a slot to a device that has none; called before its records are restored.
  package mutating func startTracking(_ device: String?) { _ = slot(of: device) }

  /// Returns whether a device has a slot; if not, its records must be restored first.
  package func isTracking(_ device: String?) -> Bool { state.slots.slot(of: device) != nil }

  /// Returns the spots in a device's region, or all spots for a watcher over one index.
  package func spots(around device: String?) -> SpotIndex {
    guard isOverRegions else { return spots }
    return state.slots.slot(of: device).map { regions[$0].spots } ?? rules.spots
  }

  /// Returns the query for the spots that must be fetched before a fix is evaluated.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - now: The current time of the machine's clock.
  /// - Returns: The query; `nil` if the device's region suffices and is not due for renewal.
  package mutating func requiredFetch(for fix: LocationFix, now: Instant) -> RegionFetch? {
    guard isOverRegions, let here = fix.coordinate, !here.isNullIsland else { return nil }
    // An inaccurate fix is decided without spots.
    let limit = rules.settings.maximumAccuracyMeters
    if let accuracy = fix.horizontalAccuracyMeters, accuracy > limit { return nil }
    let slot = slot(of: fix.device)
    let isOld = abs(now.seconds(since: regions[slot].fetched)) >= Self.regionLifetimeSeconds
    let center = regions[slot].center
    let last = state.devices[slot].lastPosition
    if !isOld, let center {
      // For most fixes, upper bounds of the distances suffice.
      let leg = last.map { Leg.metersAtMost(from: $0, to: here) } ?? 0
      let distance = Leg.metersAtMost(from: center, to: here)
      if distance + neededMeters(slot, leg: leg) <= regions[slot].reachMeters { return nil }
    }
    let leg = last?.distance(to: here) ?? 0
    let needed = neededMeters(slot, leg: leg)
    let isCovered =
      center.map { $0.distance(to: here) + needed <= regions[slot].reachMeters } ?? false
    guard !isCovered || isOld else { return nil }
    let least = min(
      max(Self.minimumRegionSlackMeters, Self.minimumRegionLegCount * leg),
      Self.maximumRegionSlackMeters)
    return RegionFetch(
      center: here, neededMeters: needed, leastMeters: needed + least,
      radiusMeters: needed + max(regions[slot].slackMeters, least),
      visits: state.devices[slot].places.all.map {
        RegionFetch.Visit(spotID: $0.id, center: $0.center)
      }, isNeeded: !isCovered)
  }

  /// Returns the distance in metres within which all spots are needed to decide a fix.
  ///
  /// - Parameters:
  ///   - slot: The slot of the device.
  ///   - meters: The length of the leg to the fix, or an upper bound; zero without a leg.
  /// - Returns: The distance from the fix.
  private func neededMeters(_ slot: Int, leg meters: Double) -> Double {
    let leg = min(meters, Self.maximumLegMeters)
    return max(rules.radius.meters, regions[slot].ownRadiusMeters)
      + max(Surroundings.slackMeters + 1, leg + 1) + 1
  }

  /// Replaces a device's region by fetched spots.
  ///
  /// If a place with a large alert radius of its own is near, ``requiredFetch(for:now:)`` may then
  /// return another query for the same fix.
  ///
  /// - Parameters:
  ///   - fetched: The spots.
  ///   - fetch: The query.
  ///   - device: The device.
  ///   - now: The current time of the machine's clock.
  ///   - ownRadiusMeters: The greatest alert radius, in metres, of the places in reach of the
  ///     device that have their own.
  package mutating func setRegion(
    _ fetched: FetchedRegion, of fetch: RegionFetch, for device: String?, now: Instant,
    ownRadiusMeters: Double = 0
  ) {
    let slot = slot(of: device)
    let old = regions[slot].spots
    heldSpotCount -= old.spots.count
    let (kept, reach) = trimmed(fetched, fetch)
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
    if !state.devices[slot].places.findAgain(in: kept) {
      exchangeSpots(slot)
      rules.carryOverPlaces(&state.devices[slot])
      exchangeSpots(slot)
    }
    dropRegions(except: slot)
  }

  /// Reduces spots to about ``regionSpotCount`` by dropping the farthest, unless the source has
  /// done so; returns the radius within which they are complete.
  private func trimmed(
    _ fetched: FetchedRegion, _ fetch: RegionFetch
  ) -> (spots: SpotIndex, reachMeters: Double) {
    let spots = fetched.spots
    guard fetched.reachMeters >= fetch.radiusMeters, spots.spots.count > Self.regionSpotCount,
      spots.withoutPlaces.spots.count == spots.spots.count, !spots.hasAlertRadii
    else { return (spots, fetched.reachMeters) }
    let nearest = spots.nearest(Self.regionSpotCount + 1, to: fetch.center)
    let reach = fetch.reachMeters(ofSpotsAt: nearest.map(\.distanceMeters))
    guard reach < fetch.radiusMeters else { return (spots, reach) }
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

  /// Assigns an empty region to a slot.
  mutating func makeRegion(at slot: Int) {
    while regions.count <= slot { regions.append(DeviceRegion()) }
    heldSpotCount -= regions[slot].spots.spots.count
    regions[slot] = DeviceRegion()
    regions[slot].sharedKey = SharedAlerts.key(of: state.devices[slot].name)
  }

  /// Drops regions, except those with waiting visits, while they contain too many spots together.
  /// They are fetched again with the next fix of their devices.
  private mutating func dropRegions(except slot: Int) {
    var looked = 0
    while heldSpotCount > Self.maximumHeldSpotCount, looked < regions.count {
      looked += 1
      nextDroppedSlot = (nextDroppedSlot + 1) % regions.count
      let next = nextDroppedSlot
      guard next != slot, regions[next].center != nil,
        !state.devices[next].places.areAnyWaiting
      else { continue }
      heldSpotCount -= regions[next].spots.spots.count
      var dropped = DeviceRegion()
      dropped.slackMeters = regions[next].slackMeters
      dropped.sharedKey = regions[next].sharedKey
      regions[next] = dropped
    }
  }

  /// Restores the records of a device by changing the state; its region is fetched again before the
  /// next fix is decided.
  package mutating func restore(_ device: String?, _ body: (inout WatcherState) -> Void) {
    let slot = slot(of: device)
    body(&state)
    regions[slot].center = nil
  }

  /// Marks all regions as outdated, so that each is fetched again with the device's next fix.
  package mutating func invalidateRegions() {
    for slot in regions.indices { regions[slot].center = nil }
  }

  /// Replaces the recent alerts of other devices, on which the rules across devices depend.
  package mutating func setSharedAlerts(_ alerts: SharedAlerts) {
    state.sharedFirings = alerts.sharedFirings
    state.alerts = alerts.rate
  }
}

extension Places {
  /// Updates the places' indices for another index that contains the same spots.
  ///
  /// - Returns: Whether all spots were found unchanged. If not, the places must be carried over to
  ///   the new spots.
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
