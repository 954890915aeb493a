import Storage
import SystemPackage

extension IndexUpdate {
  /// Copies the entries of a folder tree that could not be read from the previous index, and marks
  /// its roots as stale.
  mutating func keepStale(_ folder: FilePath, _ knownFolders: [[UInt8]]) {
    for known in knownFolders { keepAsItWas(known) }
    for index in roots.indices where roots[index].lies(in: folder) {
      roots[index].isStale = true
    }
    report.staleRoots.append(folder)
  }

  /// Adds a folder to the next index, unless it was added before.
  mutating func append(_ folder: PlannedFolder) {
    // If two given folders overlap, the first walk has already listed this one.
    guard plannedPaths.insert(FolderKey(folder.path)).inserted else { return }
    folders.append(folder)
  }

  /// Copies the entries of folders outside this scan from the previous index.
  mutating func keepOthers(than scanned: [FilePath]) {
    let scannedPaths = scanned.map(\.bytes)
    for folder in previous.folders.lazy.map({ Array($0) }) {
      let isScanned = scannedPaths.contains { Self.lies(folder, in: $0) }
      if !isScanned { keepAsItWas(folder, isScanned: false) }
    }
  }

  /// Copies the entries of a folder from the previous index.
  mutating func keepAsItWas(_ folder: [UInt8], isScanned: Bool = true) {
    guard let range = previousFiles[FolderKey(folder)] else { return }
    var names: [UInt8] = []
    let files = range.map { index in
      isKept[index] = true
      let start = names.count
      names.append(contentsOf: previous.name(of: FileID(index)))
      return PlannedFile(
        name: start..<names.count, claimsToBePhoto: true, source: .known(index), status: nil)
    }
    append(PlannedFolder(path: folder, files: files, names: names, isScanned: isScanned))
  }

  /// Removes folders and everything below them from the next index, and keeps everything else.
  mutating func forget(_ folders: [FilePath]) {
    roots.removeAll { root in folders.contains { root.lies(in: $0) } }
    for folder in folders {
      for path in options.within(folder).keys { options[path] = nil }
      for index in roots.indices {
        roots[index].unread.removeAll { Self.lies($0.bytes, in: folder.bytes) }
      }
    }
    keepOthers(than: folders)
  }

  /// Returns whether a folder is the same as another or inside it. A remote library is not inside
  /// `/`.
  static func lies(_ folder: some RandomAccessCollection<UInt8>, in outer: [UInt8]) -> Bool {
    if outer.count == 1, RemoteLibrary(path: folder) != nil { return false }
    return folder.starts(with: outer)
      && (folder.count == outer.count || outer.last == UInt8(ascii: "/")
        || folder.dropFirst(outer.count).first == UInt8(ascii: "/"))
  }
}
