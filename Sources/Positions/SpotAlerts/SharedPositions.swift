import Spatial
import SpotWatcher
import Synchronization

/// The positions of recently notified devices, which the lanes of a session share.
final class SharedPositions: PositionStore {
  private let positions = Mutex<[Int: Standpoint]>([:])

  var all: [Int: Standpoint] { positions.withLock { $0 } }

  var count: Int { positions.withLock { $0.count } }

  func position(of key: Int) -> Standpoint? { positions.withLock { $0[key] } }

  func change(_ body: (inout [Int: Standpoint]) -> Void) { positions.withLock { body(&$0) } }
}
