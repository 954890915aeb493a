import PhotoLibrary
import Spatial

/// Which spots a device comes upon.
extension WatcherRules {
  /// The spots within the radius of the device, or of the leg that led to it, at which it is not
  /// yet.
  func entered(
    at observation: Observation, leg: Leg?, _ places: Places, _ surroundings: inout Surroundings
  ) -> [Entry] {
    let legMeters = leg?.metersAtMost ?? 0
    guard surroundings.cover(legMeters: legMeters, to: observation.standpoint, by: self) else {
      var next = 0
      return entries(at: observation, leg: leg?.segment).sorted { $0.index < $1.index }
        .filter { !places.contains(spot: $0.index, from: &next) }
    }
    return entered(at: observation, leg: leg, places, among: surroundings.candidates)
  }

  private func entered(
    at observation: Observation, leg: Leg?, _ places: Places,
    among candidates: [Surroundings.Candidate]
  ) -> [Entry] {
    let here = observation.standpoint
    // What the leg passes lies no farther from its end than the radius and its length; a metre more
    // than covers rounding.
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

  /// The spots within the radius of the device, or of the leg that led to it, by a query of the
  /// index.
  private func entries(at observation: Observation, leg: GreatCircleSegment?) -> [Entry] {
    guard let leg else {
      return spots.places(within: radius.meters, of: observation.coordinate).map {
        Entry(
          index: $0.index, center: Standpoint(spots.spots[$0.index].coordinate),
          distanceMeters: $0.distanceMeters)
      }
    }
    // A circle around the middle of the leg holds all that is near it; a metre more than covers
    // rounding.
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
