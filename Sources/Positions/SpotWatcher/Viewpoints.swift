import CivilTime
import PhotoLibrary
import Spatial

/// The viewpoints of an index, for the regions of a phone: spots so close together that an alert
/// speaks for all.
struct Viewpoints {
  let spots: SpotIndex
  private let settings: WatcherSettings
  private let now: Instant
  /// The distance in metres from the spot with most photos within which others belong to it.
  let meters: Double

  init(_ spots: SpotIndex, _ settings: WatcherSettings, _ now: Instant) {
    (self.spots, self.settings, self.now) = (spots, settings, now)
    meters = AlertRules(settings).viewpointMeters
  }

  /// Returns whether a spot can alert: it is not muted, and has a favourite or is a place without
  /// photos if only favourites count.
  func isWatched(_ place: Int) -> Bool {
    let spot = spots.spots[place]
    let isPlaceWithoutPhotos = spot.isOwnPlace && spot.photoCount == 0
    if settings.isFavoritesOnly, spot.favoriteCount == 0, !isPlaceWithoutPhotos { return false }
    guard !settings.mutedSpots.isEmpty || !settings.mutedZones.isEmpty else { return true }
    let (id, center) = (spot.id, spot.coordinate)
    return !settings.mutedSpots.contains {
      $0.isInForce(at: now)
        && $0.covers(spotID: id, center: center, radiusMeters: settings.clusterRadiusMeters)
    } && !settings.mutedZones.contains { $0.center.distance(to: center) <= $0.radiusMeters }
  }

  /// Returns the spot that stands for each of some watched spots.
  ///
  /// The spots with most photos come first, of equal ones the first in the index: each that is not
  /// part of a viewpoint yet stands for itself and the others around it.
  ///
  /// - Complexity: A query of the index for each viewpoint.
  func heads(of places: [Int]) -> [Int: Int] {
    let known = Set(places)
    var heads: [Int: Int] = [:]
    let order = places.sorted {
      (spots.spots[$1].photoCount, $0) < (spots.spots[$0].photoCount, $1)
    }
    for head in order where heads[head] == nil {
      heads[head] = head
      spots.forEachPlace(within: meters, of: spots.spots[head].coordinate) { place, _ in
        if heads[place] == nil, known.contains(place) { heads[place] = head }
      }
    }
    return heads
  }

  /// Returns the radius in metres of the circle around a spot that contains the alert circles of
  /// all watched spots of its viewpoint.
  func radiusMeters(around head: Int) -> Double {
    let center = spots.spots[head].coordinate
    var radius = alertRadiusMeters(of: head)
    spots.forEachPlace(within: meters, of: center) { place, position in
      guard place != head, isWatched(place) else { return }
      radius = max(radius, center.distance(to: position.coordinate) + alertRadiusMeters(of: place))
    }
    return radius
  }

  private func alertRadiusMeters(of place: Int) -> Double {
    spots.spots[place].place?.alertRadiusMeters ?? settings.proximityRadiusMeters
  }
}
