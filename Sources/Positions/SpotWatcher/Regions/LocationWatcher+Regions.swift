package import CivilTime
package import LocationFeeds
public import PhotoLibrary
import Spatial

/// The regions of a watcher's devices: of a large library, only the spots near each device are in
/// memory. A small one is a single region without an edge, which is never fetched.
///
/// The decisions about a fix depend on these spots only:
///
/// - Spots near the estimated position: within *n* of it, the alert radius and the margin of
///   ``WatcherRules/nearMarginMeters(ofRadius:)``. The position is at most *d* from the fix, see
///   ``WatcherRules/deviationMeters(moved:)``; otherwise no spot is looked up.
/// - Spots that the device is at, regardless of distance: their photos are examined when they fire
///   later. If such a spot is gone, the visit continues at a spot within the cluster radius of its
///   centre, so the spots within that radius are fetched too.
///
/// The distance *n* is the greatest for the setting and for the alert radii of the nearby places
/// that have their own. A region with all spots within *n* + *d* + 2 m of the fix therefore leads
/// to exactly the same decisions as the complete index: no comparison involves spots farther away,
/// and the spots in the region are in the same order. ``Surroundings`` caches more spots where the
/// region has them, and is emptied when the region changes.
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
  /// Assigns a slot to a device that has none; called before its records are restored.
  package mutating func startTracking(_ device: String?) { _ = slot(of: device) }

  /// Returns whether a device has a slot; if not, its records must be restored first.
  package func isTracking(_ device: String?) -> Bool { state.isTracking(device) }

  /// The spots of the region in use: all of them, or those around the device decided last.
  package var spots: SpotIndex { rules.spots }

  /// Returns the spots in a device's region; none if the device has no slot.
  package func spots(around device: String?) -> SpotIndex {
    guard let slot = state.slots.slot(of: device) else { return SpotIndex(spots: []) }
    let number = regionNumbers[slot]
    return number == usedRegion ? rules.spots : regions[number].spots
  }

  /// Has the rules hold the spots of a region.
  ///
  /// The spots are moved. To copy them for each fix would cost more than most decisions.
  mutating func useRegion(_ number: Int) {
    guard number != usedRegion else { return }
    swap(&rules.spots, &regions[usedRegion].spots)
    swap(&rules.spots, &regions[number].spots)
    usedRegion = number
  }

  /// Replaces all spots. The devices' current spots are carried over by position, regardless of
  /// the spots' ids.
  ///
  /// If the spots around each device are fetched, the given ones are ignored, and each region is
  /// fetched again with the device's next fix.
  public mutating func replace(spots: SpotIndex) {
    guard !regions[0].hasEdge else { return invalidateRegions() }
    rules.spots = spots
    regions[0].forgetSurroundings()
    carryOverVisits()
    lookUpAgain()
  }

  /// Returns the query for the spots that must be fetched before a fix is evaluated.
  ///
  /// - Parameters:
  ///   - fix: The fix.
  ///   - now: The current time of the machine's clock.
  /// - Returns: The query; `nil` if the device's region suffices and is not due for renewal.
  package mutating func requiredFetch(for fix: LocationFix, now: Instant) -> RegionFetch? {
    guard regions[0].hasEdge, let here = fix.coordinate, !here.isNullIsland else { return nil }
    // An inaccurate fix is decided without spots.
    let limit = rules.settings.maximumAccuracyMeters
    if let accuracy = fix.horizontalAccuracyMeters, accuracy > limit { return nil }
    let slot = slot(of: fix.device)
    let number = regionNumbers[slot]
    let isOld = abs(now.seconds(since: regions[number].fetched)) >= Self.regionLifetimeSeconds
    let center = regions[number].center
    let last = state.devices[slot].estimate.position
    if !isOld, let center {
      // For most fixes, upper bounds of the distances suffice.
      let leg = last.map { $0.metersAtMost(to: here) } ?? 0
      let distance = center.metersAtMost(to: here)
      if distance + neededMeters(number, leg: leg) <= regions[number].reachMeters { return nil }
    }
    let leg = last?.distance(to: here) ?? 0
    let needed = neededMeters(number, leg: leg)
    let isCovered =
      center.map { $0.distance(to: here) + needed <= regions[number].reachMeters } ?? false
    guard !isCovered || isOld else { return nil }
    let least = min(
      max(Self.minimumRegionSlackMeters, Self.minimumRegionLegCount * leg),
      Self.maximumRegionSlackMeters)
    return RegionFetch(
      center: here, neededMeters: needed, leastMeters: needed + least,
      radiusMeters: needed + max(regions[number].slackMeters, least),
      visits: state.devices[slot].visits.all.map {
        RegionFetch.Visit(spotID: $0.id, center: $0.center)
      }, isNeeded: !isCovered)
  }

  /// Returns the distance in metres within which all spots are needed to decide a fix.
  ///
  /// - Parameters:
  ///   - number: The number of the device's region.
  ///   - meters: The distance of the fix from the position estimated before, or an upper bound;
  ///     zero for the first fix.
  /// - Returns: The distance from the fix.
  private func neededMeters(_ number: Int, leg meters: Double) -> Double {
    let own = regions[number].ownRadiusMeters
    let near = max(rules.nearLimit.meters, own + rules.nearMarginMeters(ofRadius: own))
    return near + WatcherRules.deviationMeters(moved: meters) + 2
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
    let number = regionNumbers[slot]
    let (kept, reach) = trimmed(fetched, fetch)
    useRegion(number)
    rules.spots = kept
    heldSpotCount += kept.spots.count - regions[number].spotCount
    regions[number].spotCount = kept.spots.count
    regions[number].forgetSurroundings()
    regions[number].center = fetch.center
    regions[number].reachMeters = reach
    regions[number].ownRadiusMeters = ownRadiusMeters
    regions[number].fetched = now
    let slack = reach - fetch.neededMeters
    regions[number].slackMeters = min(
      max(reach < fetch.radiusMeters ? slack : 2 * slack, Self.minimumRegionSlackMeters),
      Self.maximumRegionSlackMeters)
    if !state.devices[slot].visits.findAgain(in: kept) {
      rules.carryOverVisits(&state.devices[slot])
    }
    dropRegions(except: number)
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

  /// Assigns a region to the device of a slot: the one without an edge if there is one, else an
  /// empty one of its own.
  mutating func assignRegion(to slot: Int) {
    while regionNumbers.count <= slot { regionNumbers.append(0) }
    guard regions[0].hasEdge else {
      // A device that was evicted earlier comes back with its visits.
      if !state.devices[slot].visits.isEmpty { rules.carryOverVisits(&state.devices[slot]) }
      return
    }
    while regions.count <= slot { regions.append(WatchedRegion()) }
    regionNumbers[slot] = slot
    empty(slot)
  }

  /// Empties a region.
  private mutating func empty(_ number: Int) {
    heldSpotCount -= regions[number].spotCount
    regions[number] = WatchedRegion()
    if number == usedRegion { rules.spots = SpotIndex(spots: []) }
  }

  /// Drops regions, except those with waiting visits, while they contain too many spots together.
  /// They are fetched again with the next fix of their devices, whose slots have the same numbers.
  private mutating func dropRegions(except number: Int) {
    var looked = 0
    while heldSpotCount > Self.maximumHeldSpotCount, looked < regions.count {
      looked += 1
      nextDroppedSlot = (nextDroppedSlot + 1) % regions.count
      let next = nextDroppedSlot
      guard next != number, regions[next].center != nil,
        !state.devices[next].visits.areAnyWaiting
      else { continue }
      let slack = regions[next].slackMeters
      empty(next)
      regions[next].slackMeters = slack
    }
  }

  /// Restores the records of a device by changing the state; its region is fetched again before the
  /// next fix is decided.
  package mutating func restore(_ device: String?, _ body: (inout WatcherState) -> Void) {
    let slot = slot(of: device)
    body(&state)
    regions[regionNumbers[slot]].center = nil
  }

  /// Marks all regions as outdated, so that each is fetched again with the device's next fix.
  package mutating func invalidateRegions() {
    for number in regions.indices { regions[number].center = nil }
  }

  /// Replaces the recent alerts on all devices, on which the rules across devices depend.
  package mutating func setSharedAlerts(_ alerts: SharedAlerts) {
    state.sharedFirings = alerts.sharedFirings
    state.alerts = alerts.rate
  }
}

extension DeviceVisits {
  /// Updates the visits' indices for another index that contains the same spots.
  ///
  /// - Returns: Whether all spots were found unchanged. If not, the visits must be carried over to
  ///   the new spots.
  fileprivate mutating func findAgain(in spots: SpotIndex) -> Bool {
    for number in indices {
      let visit = self[at: number]
      guard visit.index >= 0, let index = spots.place(ofID: visit.id),
        spots.spots[index].coordinate == visit.center
      else { return false }
      setIndex(index, at: number)
    }
    return true
  }
}

extension Coordinate {
  /// Returns an upper bound of the distance to another position: the length of a path along a
  /// meridian and then a parallel, calculated as if the parallel were the equator.
  fileprivate func metersAtMost(to other: Coordinate) -> Double {
    let degrees = abs(other.latitude - latitude) + abs(other.longitude - longitude)
    // The margin of a billionth covers rounding errors.
    return degrees * (Double.pi / 180 * Earth.meanRadiusMeters * (1 + 1e-9))
  }
}
