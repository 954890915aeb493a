import PhotoLibrary
import Spatial

/// Detection of the spots that a device enters.
extension WatcherRules {
  /// Returns the spots within the proximity radius of the device, or of the leg to it, that the
  /// device is not at yet.
  func entered(
    at observation: Observation, leg: Leg?, _ places: Places, _ surroundings: inout Surroundings
  ) -> [Entry] {
    let legMeters = leg?.metersAtMost ?? 0
    guard surroundings.cover(legMeters: legMeters, to: observation.standpoint, by: self) else {
      var next = 0
      var entries = entries(at: observation, leg: leg?.segment)
      if spots.hasAlertRadii { addEntriesOfOwnRadius(at: observation, leg: leg, to: &entries) }
      return entries.sorted { $0.index < $1.index }
        .filter { !places.contains(spot: $0.index, from: &next) }
    }
    let entered = entered(at: observation, leg: leg, places, among: surroundings.candidates)
    guard !surroundings.ownCandidates.isEmpty else { return entered }
    var segment: GreatCircleSegment?
    var next = 0
    let own = surroundings.ownCandidates.compactMap { own in
      entry(
        own.candidate.index, own.candidate.center, radiusMeters: own.radiusMeters,
        at: observation, &segment, leg)
    }.filter { !places.contains(spot: $0.index, from: &next) }
    guard !own.isEmpty else { return entered }
    return (entered + own).sorted { $0.index < $1.index }
  }

  /// Returns the entry of a spot with its own radius; `nil` where the device and its leg stay
  /// outside.
  private func entry(
    _ index: Int, _ center: Standpoint, radiusMeters: Double, at observation: Observation,
    _ segment: inout GreatCircleSegment?, _ leg: Leg?
  ) -> Entry? {
    let distance = observation.standpoint.distance(to: center)
    if distance <= radiusMeters {
      return Entry(index: index, center: center, distanceMeters: distance)
    }
    // The leg is at most its length nearer than its end; the additional metre covers rounding
    // errors.
    guard let leg, distance <= radiusMeters + leg.metersAtMost + 1 else { return nil }
    let arc = segment ?? leg.segment
    segment = arc
    let pass = arc.distance(to: center.coordinate)
    guard pass <= radiusMeters else { return nil }
    return Entry(index: index, center: center, distanceMeters: distance, passMeters: pass)
  }

  /// Returns the cached spots without a radius of their own that the device enters.
  private func entered(
    at observation: Observation, leg: Leg?, _ places: Places,
    among candidates: [Surroundings.Candidate]
  ) -> [Entry] {
    let here = observation.standpoint
    // A spot near the leg is at most the radius and the leg's length away from its end; the
    // additional metre covers rounding errors.
    var reach = radius
    if let leg { reach = DistanceLimit(meters: radius.meters + leg.metersAtMost + 1) }
    var segment: GreatCircleSegment?
    var entered: [Entry] = []
    var next = 0
    for candidate in candidates {
      let haversine = here.haversine(to: candidate.center)
      guard reach.holds(haversine), !places.contains(spot: candidate.index, from: &next) else {
        continue
      }
      let distance = here.distance(to: candidate.center)
      if distance <= radius.meters {
        entered.append(
          Entry(index: candidate.index, center: candidate.center, distanceMeters: distance))
      } else if let leg {
        segment = segment ?? leg.segment
        guard let pass = segment?.distance(to: candidate.center.coordinate),
          pass <= radius.meters
        else { continue }
        entered.append(
          Entry(
            index: candidate.index, center: candidate.center, distanceMeters: distance,
            passMeters: pass))
      }
    }
    return entered
  }

  /// Replaces the entries of spots with a radius of their own by entries with that radius.
  private func addEntriesOfOwnRadius(
    at observation: Observation, leg: Leg?, to entries: inout [Entry]
  ) {
    entries.removeAll { spots.alertRadius(ofPlace: $0.index) != nil }
    var segment: GreatCircleSegment?
    let slack = (leg?.metersAtMost ?? 0) + 1
    spots.forEachPlace(alertingWithin: slack, of: observation.coordinate) { index, center, radius in
      let entry = entry(index, center, radiusMeters: radius, at: observation, &segment, leg)
      if let entry { entries.append(entry) }
    }
  }

  /// Returns the spots within the proximity radius of the device, or of the leg to it, by a query
  /// of the index.
  private func entries(at observation: Observation, leg: GreatCircleSegment?) -> [Entry] {
    guard let leg else {
      return spots.places(within: radius.meters, of: observation.coordinate).map {
        Entry(
          index: $0.index, center: Standpoint(spots.spots[$0.index].coordinate),
          distanceMeters: $0.distanceMeters)
      }
    }
    // A circle around the middle of the leg contains everything near the leg; the additional metre
    // covers rounding errors.
    let reach = radius.meters + leg.lengthMeters / 2 + 1
    return spots.places(within: reach, of: leg.midpoint).compactMap { neighbor in
      let position = spots.spots[neighbor.index].coordinate
      let distance = observation.coordinate.distance(to: position)
      if distance <= radius.meters {
        return Entry(
          index: neighbor.index, center: Standpoint(position), distanceMeters: distance)
      }
      let pass = leg.distance(to: position)
      guard pass <= radius.meters else { return nil }
      return Entry(
        index: neighbor.index, center: Standpoint(position), distanceMeters: distance,
        passMeters: pass)
    }
  }
}
