import CivilTime
import PhotoLibrary
import Recreations
import SystemPackage
import WatchService

/// When spots were taken again last, by the list in a state folder.
struct RecreationTimes: Sendable {
  private let store: RecreationStore

  init(stateFolder: FilePath) {
    store = RecreationStore(stateFolder: stateFolder)
  }

  /// By the ids of spots; none where the list cannot be used, which is told: an answer does not
  /// need it.
  func times(in spots: SpotIndex) -> [String: Instant] {
    do throws(RecreationError) {
      return RecreatedSpots.times(of: try store.all(), in: spots)
    } catch {
      StandardError.writeLine("photospots: \(error)")
      return [:]
    }
  }

  /// The same for a watch, which reads the list again after it changed.
  var source: WatchSources.Recreations {
    WatchSources.Recreations(generation: { store.generation }, times: times)
  }
}
