import PhotoMetadata
import Storage
import SystemPackage

/// Missing roots whose files are under other roots now: the folder was renamed, its disk was
/// mounted elsewhere, or its files were distributed to several folders.
///
/// Each file of a missing root is moved or kept on its own. Files are recognised by inode, size and
/// modification time, so copies do not count.
extension IndexUpdate {
  /// Removes from missing roots the files that are under another root now, so that
  /// ``detectMoves()`` finds them there. The others stay, marked stale. A root without remaining
  /// files is removed.
  mutating func detectMovedRoots() {
    // After an incomplete walk, unseen files may still exist.
    guard !monitor.isCancelled else { return }
    let gone = roots.filter { root in
      previous.roots.contains { $0.path == root.path } && !root.path.isRemote
        && RootState.isGone(root.path)
    }
    guard !gone.isEmpty else { return }
    let seen = seenFiles()
    guard !seen.isEmpty else { return }
    for root in gone { removeMoved(from: root, seen) }
  }

  /// A file that this scan saw.
  private struct SeenFile {
    let folder: [UInt8]
    /// Whether the previous index has no file at its path.
    let isNew: Bool
  }

  private func seenFiles() -> [FileStatus.Identity: SeenFile] {
    var seen: [FileStatus.Identity: SeenFile] = [:]
    for folder in folders where folder.isScanned {
      for file in folder.files {
        guard let status = file.status, seen[status.identity]?.isNew != true else { continue }
        seen[status.identity] = SeenFile(folder: folder.path, isNew: file.isNew)
      }
    }
    return seen
  }

  /// Removes the moved files of a missing root, and the root if it has no remaining files.
  private mutating func removeMoved(
    from root: PhotoIndex.Root, _ seen: [FileStatus.Identity: SeenFile]
  ) {
    let known = previousFiles.filter { Self.lies($0.key.path, in: root.path.bytes) }
      .flatMap(\.value)
    var moved: [Int] = []
    var left: [Int] = []
    var counts: [[UInt8]: Int] = [:]
    for row in known {
      // An imported position is lost with its entry. If the other path, such as that of a hard
      // link, has an entry of its own already, this one is kept.
      guard let file = seen[previous.files.status(of: FileID(row)).identity],
        file.isNew || !hasImportedPosition(row)
      else {
        left.append(row)
        continue
      }
      moved.append(row)
      if let folder = newFolder(of: row, root, seenIn: file.folder) {
        counts[folder, default: 0] += 1
      }
    }
    guard !moved.isEmpty else { return }
    let renamed = counts.filter { 2 * $0.value >= moved.count }.keys
      .min { $0.lexicographicallyPrecedes($1) }
    let edited = renamed.map { planEdited(left, of: root, in: $0) } ?? []
    left.removeAll { edited.contains($0) }
    let isOver = isBelievedGone(left, of: known.count)
    copyOptions(of: root, to: counts, ofKnown: known.count, isOver: isOver)
    for row in moved { isKept[row] = false }
    if isOver {
      for row in left { isKept[row] = false }
      remove(root)
    } else {
      removeFiles(Set(moved).union(edited), of: root)
      keepStale(root, moved: known.count - left.count, left: left.count)
    }
    adoptFullyRead(of: root)
  }

  private func hasImportedPosition(_ row: Int) -> Bool {
    previous.files.photo[row].map { previous.photos.source[$0.row] == .imported } ?? false
  }

  /// Returns the new path of a root, inferred from the new folder of one of its files; `nil` if the
  /// folder's path below the root has changed.
  private func newFolder(
    of row: Int, _ root: PhotoIndex.Root, seenIn folder: [UInt8]
  ) -> [UInt8]? {
    let below = previous.folder(previous.files.folder[row]).dropFirst(root.path.bytes.count)
    guard folder.count > below.count, folder.suffix(below.count).elementsEqual(below) else {
      return nil
    }
    return folder.dropLast(below.count)
  }

  /// Plans to read the files that were changed after their root was renamed: those not found, with
  /// a new file at the same path below the root's new folder.
  ///
  /// - Returns: Their rows in the previous index.
  private mutating func planEdited(
    _ left: [Int], of root: PhotoIndex.Root, in renamed: [UInt8]
  ) -> Set<Int> {
    guard !left.isEmpty else { return [] }
    var edited: Set<Int> = []
    var rows: [FolderKey: [ArraySlice<UInt8>: Int]] = [:]
    for row in left {
      let below = previous.folder(previous.files.folder[row]).dropFirst(root.path.bytes.count)
      rows[FolderKey(renamed + below), default: [:]][previous.name(of: FileID(row))[...]] = row
    }
    for folder in folders.indices where folders[folder].isScanned {
      guard let rows = rows[FolderKey(folders[folder].path)] else { continue }
      for file in folders[folder].files.indices where folders[folder].files[file].isNew {
        let name = folders[folder].names[folders[folder].files[file].name]
        guard let row = rows[name] else { continue }
        folders[folder].files[file].source = .toRead(older: row)
        folders[folder].files[file].isMoved = true
        edited.insert(row)
        report.moved += 1
      }
    }
    return edited
  }

  /// Returns whether the files of a root that were not found count as deleted, rather than as moved
  /// to a folder that is not indexed yet: they are few, and none has an imported position.
  private func isBelievedGone(_ left: [Int], of known: Int) -> Bool {
    let photos = left.filter { previous.outcomes[previous.files.outcome[$0]] != .notAPhoto }
    return photos.count < RemovalGuard.doubtfulCount && 2 * photos.count <= known
      && !photos.contains { hasImportedPosition($0) }
  }

  /// Copies the options of a missing root to the folders that have its files now. Folders that were
  /// in the index before get them only with at least half of the files. Existing options stay.
  private mutating func copyOptions(
    of root: PhotoIndex.Root, to counts: [[UInt8]: Int], ofKnown known: Int, isOver: Bool
  ) {
    guard !options.within(root.path).isEmpty else { return }
    for (folder, count) in counts {
      let isKnown = previousFiles.keys.contains { Self.lies($0.path, in: folder) }
      guard !isKnown || 2 * count >= known else { continue }
      options.copy(from: root.path, to: FilePath(bytes: folder))
      movesOptions = true
    }
    guard isOver else { return }
    for path in options.within(root.path).keys { options[path] = nil }
  }

  /// Removes a missing root with its remaining files.
  private mutating func remove(_ root: PhotoIndex.Root) {
    folders.removeAll { Self.lies($0.path, in: root.path.bytes) }
    roots.removeAll { $0.path == root.path }
    report.staleRoots.removeAll { $0 == root.path }
    report.movedRoots.append(root.path)
  }

  /// Removes files of a missing root from the next index.
  private mutating func removeFiles(_ rows: Set<Int>, of root: PhotoIndex.Root) {
    for folder in folders.indices where Self.lies(folders[folder].path, in: root.path.bytes) {
      folders[folder].files.removeAll { file in
        if case .known(let row) = file.source { rows.contains(row) } else { false }
      }
    }
    for folder in folders where folder.files.isEmpty { plannedPaths.remove(FolderKey(folder.path)) }
    folders.removeAll(where: \.files.isEmpty)
  }

  /// Marks a missing root as stale, of which some files were found elsewhere.
  private mutating func keepStale(_ root: PhotoIndex.Root, moved: Int, left: Int) {
    for index in roots.indices where roots[index].path == root.path { roots[index].isStale = true }
    if !report.staleRoots.contains(root.path) { report.staleRoots.append(root.path) }
    report.splitRoots[root.path] = .init(moved: moved, left: left)
  }

  /// Makes the last full reading of new roots at most as late as that of a root whose files they
  /// have, since these are not read in this scan.
  private mutating func adoptFullyRead(of root: PhotoIndex.Root) {
    for index in roots.indices where !settings.isFull {
      guard !previous.roots.contains(where: { $0.path == roots[index].path }) else { continue }
      guard let own = roots[index].fullyRead, let other = root.fullyRead else {
        roots[index].fullyRead = nil
        continue
      }
      roots[index].fullyRead = min(own, other)
    }
  }
}

extension IndexUpdate.PlannedFile {
  /// Whether the previous index has no file at this path.
  fileprivate var isNew: Bool { if case .toRead(older: nil) = source { true } else { false } }
}
