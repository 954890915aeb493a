import PhotoLibrary
import Synchronization

/// The spots of a location watch: all in memory, or fetched around each device from a store.
protocol WatchedSpots: Sendable {
  /// All spots, as a region without an edge; `nil` if the spots around each device are fetched.
  var allSpots: SpotIndex? { get }

  /// Replaces all spots and their pasts; without effect on fetched spots.
  func replace(spots: SpotIndex, pasts: SpotPasts)

  /// Returns the past of a spot, for the texts of alerts.
  ///
  /// - Parameters:
  ///   - id: The spot's id.
  ///   - spots: The spots around the device at it.
  /// - Returns: The past; `nil` if the spot is unknown.
  func past(ofSpot id: String, in spots: SpotIndex) -> SpotPast?
}

/// A library in a file, of which all spots are in memory.
final class WholeLibrary: WatchedSpots {
  private let inForce: Mutex<(spots: SpotIndex, pasts: SpotPasts)>

  init(_ spots: SpotIndex, _ pasts: SpotPasts) { inForce = Mutex((spots, pasts)) }

  /// All spots.
  var spots: SpotIndex { inForce.withLock(\.spots) }

  var allSpots: SpotIndex? { spots }

  func replace(spots: SpotIndex, pasts: SpotPasts) {
    // The old ones are freed after the lock is released, since that takes long.
    _ = inForce.withLock { inForce in
      defer { inForce = (spots, pasts) }
      return inForce
    }
  }

  func past(ofSpot id: String, in spots: SpotIndex) -> SpotPast? {
    inForce.withLock { $0.pasts[id] }
  }
}

/// A library in a store, of which the spots around each device are fetched.
struct FetchedLibrary: WatchedSpots {
  var allSpots: SpotIndex? { nil }

  func replace(spots: SpotIndex, pasts: SpotPasts) {}

  /// Returns the name of the spot as its past. The days of its photos are not fetched.
  func past(ofSpot id: String, in spots: SpotIndex) -> SpotPast? {
    spots.spot(withID: id).map { SpotPast(days: [], place: $0.placeName) }
  }
}
