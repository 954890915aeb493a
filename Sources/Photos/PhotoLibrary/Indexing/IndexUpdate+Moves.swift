import Storage
import SystemPackage

extension IndexUpdate {
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
