public import CivilTime
public import PhotoLibrary

/// When spots were taken again last.
public enum RecreatedSpots {
  /// Returns the time of the last recreation of each spot that has one, by the spot's id.
  ///
  /// A recreation is one of the spot that its old photo belongs to now, and of the spot that it
  /// belongs to itself, since ids of spots change when earlier photos come or go. Where the old
  /// photo is not found any more, it is one of the spot of the id that was noted.
  ///
  /// - Parameters:
  ///   - recreations: The recreations.
  ///   - spots: The spots.
  /// - Returns: The times; spots without a recreation have none.
  /// - Complexity: O(*r* (log *n* + *k*)) for *r* recreations, *n* files and *k* photos around
  ///   each.
  public static func times(
    of recreations: [KeptRecreation], in spots: SpotIndex
  ) -> [String: Instant] {
    var times: [String: Instant] = [:]
    for recreation in recreations {
      let ofOld = spots.spotID(ofFileAt: recreation.photoPath) ?? recreation.spotID
      for id in Set([ofOld, spots.spotID(ofFileAt: recreation.path)].compactMap(\.self)) {
        times[id] = max(times[id] ?? recreation.time, recreation.time)
      }
    }
    return times
  }
}
