import Storage
import SystemPackage

extension IndexUpdate {
  /// Finds missing roots whose files are now under another root, because a folder was renamed or a
  /// disk was mounted elsewhere, and removes them with their remaining files.
  ///
  /// At least half of a root's files must be found, by inode, size and modification time. So
  /// neither a copy nor a few moved files cause a temporarily missing root to be removed.
  mutating func detectMovedRoots() {
    // After an incomplete walk, unseen files may still exist.
    guard !monitor.isCancelled else { return }
    let gone = roots.filter { root in
      previous.roots.contains { $0.path == root.path } && !root.path.isRemote
        && RootState.isGone(root.path)
    }
    guard !gone.isEmpty else { return }
    var found: Set<FileStatus.Identity> = []
    for folder in folders where folder.isScanned {
      for file in folder.files { if let status = file.status { found.insert(status.identity) } }
    }
    guard !found.isEmpty else { return }
    for root in gone { dropIfMoved(root, found) }
  }

  /// Removes a missing root if at least half of its files were found elsewhere.
  private mutating func dropIfMoved(_ root: PhotoIndex.Root, _ found: Set<FileStatus.Identity>) {
    let path = root.path.bytes
    let known = previousFiles.filter { Self.lies($0.key.path, in: path) }.flatMap(\.value)
    let foundCount = known.count { found.contains(previous.files.status(of: FileID($0)).identity) }
    guard foundCount > 0, 2 * foundCount >= known.count else { return }
    moveOptions(of: root, known)
    for file in known { isKept[file] = false }
    folders.removeAll { Self.lies($0.path, in: path) }
    roots.removeAll { $0.path == root.path }
    report.staleRoots.removeAll { $0 == root.path }
    report.movedRoots.append(root.path)
    // The moved files are not read in this scan. So the last full reading of their new root is at
    // least as old as that of their old root.
    for index in roots.indices where !settings.isFull {
      guard !previous.roots.contains(where: { $0.path == roots[index].path }) else { continue }
      guard let own = roots[index].fullyRead, let other = root.fullyRead else {
        roots[index].fullyRead = nil
        continue
      }
      roots[index].fullyRead = min(own, other)
    }
  }

  /// Moves the options of a renamed root to the folder in which most of its files were found.
  private mutating func moveOptions(of root: PhotoIndex.Root, _ known: [Int]) {
    guard !options.within(root.path).isEmpty else { return }
    var folderOf: [FileStatus.Identity: [UInt8]] = [:]
    for row in known {
      folderOf[previous.files.status(of: FileID(row)).identity] =
        Array(previous.folder(previous.files.folder[row]))
    }
    var counts: [[UInt8]: Int] = [:]
    for folder in folders where folder.isScanned {
      for file in folder.files {
        guard let status = file.status, let old = folderOf[status.identity] else { continue }
        let below = old.dropFirst(root.path.bytes.count)
        guard folder.path.count > below.count, folder.path.suffix(below.count) == below else {
          continue
        }
        counts[Array(folder.path.dropLast(below.count)), default: 0] += 1
      }
    }
    let best = counts.max { ($0.value, $1.key.count) < ($1.value, $0.key.count) }
    guard let best else { return }
    options.move(from: root.path, to: FilePath(bytes: best.key))
    movesOptions = true
  }

  /// The properties by which a file is recognised at a new path.
  private enum Identity: Hashable {
    case inode(FileStatus.Identity)
    case name([UInt8], size: Int64, modified: Int64)
  }

  /// Finds moved files: those with the same inode, size and modification time, or the same name,
  /// size and modification time, as a file that is gone.
  ///
  /// A moved file is not read again if its sidecars are the same, and if it has the same inode or
  /// is in a folder of the same name. Otherwise it is read again, and keeps only what the reading
  /// shows to be its own.
  mutating func detectMoves() {
    var gone: [Identity: Int] = [:]
    for file in previous.files.ids where !isKept[file.row] {
      if case .unreadable = previous.outcomes[previous.files.outcome[file.row]] { continue }
      let status = previous.files.status(of: file)
      gone[.inode(status.identity)] = file.row
      gone[identity(Array(previous.name(of: file)), status)] = file.row
    }
    guard !gone.isEmpty else { return }
    for folder in folders.indices {
      for file in folders[folder].files.indices {
        let planned = folders[folder].files[file]
        guard case .toRead(older: nil) = planned.source, let status = planned.status else {
          continue
        }
        let name = Array(folders[folder].names[planned.name])
        let byInode = gone[.inode(status.identity)]
        guard let match = byInode ?? gone[identity(name, status)], !isKept[match] else { continue }
        isKept[match] = true
        let isCertain = byInode != nil || isInFolderOfSameName(match, folders[folder].path)
        let hasSameSidecars =
          previous.files.sidecars[match] == status.sidecarStamp
        let isKnown =
          isCertain && hasSameSidecars && !settings.isFull
          && !hasOtherDateOfName(FileID(match), name[...])
        folders[folder].files[file].source = isKnown ? .known(match) : .toRead(older: match)
        folders[folder].files[file].isMoved = true
        if previous.outcomes[previous.files.outcome[match]] != .notAPhoto { report.moved += 1 }
      }
    }
  }

  /// Returns whether the last component of a file's folder is that of another folder.
  private func isInFolderOfSameName(_ file: Int, _ folder: [UInt8]) -> Bool {
    let slash = UInt8(ascii: "/")
    let known = previous.folder(previous.files.folder[file])
    return known.split(separator: slash).last == folder.split(separator: slash).last
  }

  private func identity(_ name: [UInt8], _ status: FileStatus) -> Identity {
    .name(name, size: status.size, modified: status.modified)
  }
}
