public import CivilTime
public import PhotoLibrary

/// The time of the latest recreation of each spot.
public enum RecreatedSpots {
  /// Returns the time of the latest recreation of each spot, by the spot's identifier.
  ///
  /// A recreation counts for the current spot of its old photo and for the spot of its own file.
  /// Spots are looked up by the files, because the identifier of a spot may change when earlier
  /// photos are added or removed. If the old photo no longer has a spot, the stored spot identifier
  /// is used.
  ///
  /// - Parameters:
  ///   - recreations: The recreations.
  ///   - spots: The spots.
  /// - Returns: The times; spots without a recreation are omitted.
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
