import PhotoLibrary
import Spatial

/// Which spots a device comes upon.
extension WatcherRules {
  /// The spots within the radius of the device, or of its way here, at which it is not yet.
  func entered(
    at look: Look, way: Way?, _ places: Places, _ surroundings: inout Surroundings
  ) -> [Entry] {
    let wayMeters = way?.metersAtMost ?? 0
    guard surroundings.cover(wayMeters: wayMeters, to: look.standpoint, by: self) else {
      return entries(at: look, way: way?.segment).filter {
        !places.contains(spots.spots[$0.index].id)
      }
    }
    return entered(at: look, way: way, places, among: surroundings.candidates)
  }

  private func entered(
    at look: Look, way: Way?, _ places: Places, among candidates: [Surroundings.Candidate]
  ) -> [Entry] {
    // What the way passes lies no farther from its end than the radius and the way; a metre more
    // than covers rounding.
    let reach = way.map { DistanceLimit(meters: radius.meters + $0.metersAtMost + 1) } ?? radius
    var segment: GreatCircleSegment?
    var entered: [Entry] = []
    var next = 0
    for candidate in candidates {
      let haversine = look.standpoint.haversine(to: candidate.center)
      guard reach.holds(haversine),
        !places.contains(candidate.id, from: &next)
      else { continue }
      let distance = look.standpoint.distance(to: candidate.center)
      if distance <= radius.meters {
        entered.append(Entry(index: candidate.index, distanceMeters: distance))
      } else if let way {
        segment = segment ?? way.segment
        guard let pass = segment?.distance(to: candidate.center.coordinate),
          pass <= radius.meters
        else { continue }
        entered.append(
          Entry(index: candidate.index, distanceMeters: distance, passMeters: pass))
      }
    }
    return entered
  }

  /// The spots within the radius of the device, or of its way here, by a query of the index.
  private func entries(at look: Look, way: GreatCircleSegment?) -> [Entry] {
    guard let way else {
      return spots.places(within: radius.meters, of: look.coordinate).map {
        Entry(index: $0.index, distanceMeters: $0.distanceMeters)
      }
    }
    // A circle around the middle of the way holds all that is near it; a metre more than covers
    // rounding.
    let reach = radius.meters + way.lengthMeters / 2 + 1
    return spots.places(within: reach, of: way.midpoint).compactMap { neighbor in
      let position = spots.spots[neighbor.index].coordinate
      let distance = look.coordinate.distance(to: position)
      if distance <= radius.meters {
        return Entry(index: neighbor.index, distanceMeters: distance)
      }
      let pass = way.distance(to: position)
      guard pass <= radius.meters else { return nil }
      return Entry(index: neighbor.index, distanceMeters: distance, passMeters: pass)
    }
  }
}
