import Storage
package import SystemPackage

/// Finds the copies of a file that programs for synchronization create when two machines change it
/// at the same time:
///
/// - Syncthing: `places.sync-conflict-20261122-161800-ABCDEFG.json` (docs.syncthing.net,
///   "Understanding Synchronization", "Conflicting Changes");
/// - Nextcloud and ownCloud: `places (conflicted copy 2026-11-22 161800).json`, earlier
///   `places_conflict-20261122-161800.json`;
/// - Dropbox: `places (Anna's conflicted copy 2026-11-22).json`, in the language of the user, such
///   as `places (Copia en conflicto de Anna 2026-11-22).json`;
/// - Seafile: `places (SFConflict anna@example.com 2026-11-22-16-18-00).json`;
/// - Synology Drive: `places_nas_Nov-22-161800-2026_Conflict.json`.
package enum SyncConflicts {
  /// The maximum number of copies that are merged at a time; Syncthing keeps ten (its
  /// `maxConflicts`).
  private static let maximumCount = 100
  /// The stems of the word in the languages of these programs.
  private static let words = ["conflict", "conflit", "konflikt"]

  /// Returns the copies beside a file, in the order of their names.
  static func paths(beside path: FilePath) -> [FilePath] {
    // The file itself is read next, and reports what cannot be looked at.
    guard let target = try? Disk.target(of: path), let name = target.lastComponent else {
      return []
    }
    let folder = target.removingLastComponent()
    let names = (try? Disk.names(in: folder, beginning: Array(name.stem.utf8))) ?? []
    return names.filter { isCopy($0, of: name) }
      .sorted { $0.lexicographicallyPrecedes($1) }.prefix(maximumCount)
      .map { FilePath(bytes: FilePath.join(folder.bytes, $0)) }
  }

  /// Returns whether a name is that of a copy of a file.
  package static func isCopy(
    _ name: some RandomAccessCollection<UInt8>, of file: FilePath.Component
  ) -> Bool {
    let stem = Array(file.stem.utf8)
    let ending = Array((file.extension.map { "." + $0 } ?? "").utf8)
    guard name.count > stem.count + ending.count, name.starts(with: stem),
      name.suffix(ending.count).elementsEqual(ending)
    else { return false }
    let mark = String(
      decoding: name.dropFirst(stem.count).dropLast(ending.count), as: UTF8.self
    ).lowercased()
    return isMark(mark)
  }

  /// Returns whether a text between the name and the ending of a file is that of a copy. Only the
  /// forms of the programs count, since a merged copy is deleted: other files are the user's.
  private static func isMark(_ mark: String) -> Bool {
    let date = /[0-9]{4}-[0-9]{2}-[0-9]{2}/
    if mark.hasPrefix(" (") {
      return mark.hasSuffix(")") && mark.contains(date) && words.contains { mark.contains($0) }
    }
    return mark.wholeMatch(of: /\.sync-conflict-[0-9]{8}-[0-9]{6}-?.*/) != nil
      || mark.wholeMatch(of: /_conflict-[0-9]{8}-[0-9]{6}/) != nil
      || mark.wholeMatch(of: /_.+-[0-9]{4}_conflict/) != nil
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
