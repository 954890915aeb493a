import Storage
import SystemPackage

/// Finds the copies of a file that Syncthing creates when two machines change it at the same time:
/// `places.sync-conflict-20261122-161800-ABCDEFG.json` (docs.syncthing.net, "Understanding
/// Synchronization", "Conflicting Changes").
enum SyncConflicts {
  /// The maximum number of copies that are merged at a time; Syncthing keeps ten (its
  /// `maxConflicts`).
  private static let maximumCount = 100

  /// Returns the copies beside a file, in the order of their names.
  static func paths(beside path: FilePath) -> [FilePath] {
    // The file itself is read next, and reports what cannot be looked at.
    guard let target = try? Disk.target(of: path), let name = target.lastComponent else {
      return []
    }
    let stem = Array(name.stem.utf8) + Array(".sync-conflict-".utf8)
    let ending = (name.extension.map { "." + $0 } ?? "").utf8
    let folder = target.removingLastComponent()
    let names = (try? Disk.names(in: folder, beginning: stem)) ?? []
    return names.filter { $0.count > stem.count && $0.suffix(ending.count).elementsEqual(ending) }
      .sorted { $0.lexicographicallyPrecedes($1) }.prefix(maximumCount)
      .map { FilePath(bytes: FilePath.join(folder.bytes, $0)) }
  }
}

/// A conflict copy, and its state when it was read.
struct SyncConflict {
  let path: FilePath
  let generation: FileGeneration

  /// Removes the copy, unless it has changed since it was read.
  func remove() {
    guard case .present = generation, Disk.generation(of: path) == generation else { return }
    Disk.removeOwn(path)
  }
}
