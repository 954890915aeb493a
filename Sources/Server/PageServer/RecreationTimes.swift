package import CivilTime
package import PhotoLibrary
package import ProcessControl
import Recreations
package import SystemPackage
package import WatchService

/// The times of the last recreation of each spot, from the list in a state folder.
package struct RecreationTimes: Sendable {
  private let store: RecreationStore
  private let log: MessageLog

  /// Creates access to the list in a state folder; nothing is read yet.
  package init(stateFolder: FilePath, log: MessageLog) {
    self.log = log
    store = RecreationStore(stateFolder: stateFolder)
  }

  /// Returns the times by spot id; empty if the list cannot be read, which is reported: the answer
  /// does not depend on it.
  package func times(in spots: SpotIndex) -> [String: Instant] {
    do throws(RecreationError) {
      return RecreatedSpots.times(of: try store.all(), in: spots)
    } catch {
      log.problem("\(error)")
      return [:]
    }
  }

  /// The same times for a watch, which reloads the list after it changed.
  package var source: WatchSources.Recreations {
    WatchSources.Recreations(generation: { store.generation }, times: times)
  }
}
