import CivilTime
import PhotoLibrary
import Recreations
import SystemPackage
import WatchService

/// The times of the last recreation of each spot, from the list in a state folder.
struct RecreationTimes: Sendable {
  private let store: RecreationStore

  init(stateFolder: FilePath) {
    store = RecreationStore(stateFolder: stateFolder)
  }

  /// Returns the times by spot id; empty if the list cannot be read, which is reported: the answer
  /// does not depend on it.
  func times(in spots: SpotIndex) -> [String: Instant] {
    do throws(RecreationError) {
      return RecreatedSpots.times(of: try store.all(), in: spots)
    } catch {
      StandardError.writeLine("photospots: \(error)")
      return [:]
    }
  }

  /// The same times for a watch, which reloads the list after it changed.
  var source: WatchSources.Recreations {
    WatchSources.Recreations(generation: { store.generation }, times: times)
  }
}
