import KeptPlaces
import PageServer
import ProgramSettings
package import Storage
package import SystemPackage

/// The files that PhotoSpots stored, by kind.
///
/// A file is recognised by its place and name, so files of other programs are not deleted with
/// them, even where a folder was named carelessly.
package struct StoredFiles {
  /// A kind of stored file.
  package enum Kind: String, CaseIterable {
    case index, caches, history, devices, places, recreations, keys, settings

    /// The name in a listing.
    package var title: String {
      switch self {
      case .index: "index of photos"
      case .caches: "pictures and map tiles"
      case .history: "cooldowns, history and mutes"
      case .devices: "devices and their trails"
      case .places: "places of your own"
      case .recreations: "list of pictures taken again"
      case .keys: "keys of the page and of links"
      case .settings: "settings"
      }
    }
  }

  /// The files of a kind.
  package struct Group {
    /// The kind.
    package let kind: Kind
    /// The files.
    package var files: [Disk.StoredFile] = []
    /// The folders that are empty without the files, each after those inside it.
    package var folders: [FilePath] = []
    /// The size of all files in bytes.
    package var byteCount: Int64 { files.reduce(0) { $0 + $1.size } }
  }

  /// The groups that have files, in the order of ``Kind``.
  package let groups: [Group]
  /// The program's own folders.
  package let folders: [FilePath]
  /// The files and folders in these folders that PhotoSpots did not write.
  package let unknown: [FilePath]
  /// The usual index, which stays where another one is named; `nil` if there is none.
  package let otherIndex: FilePath?

  /// Lists the files.
  ///
  /// Of the indexes only the named one is listed, which alone is locked. Pictures and map tiles are
  /// made again, whichever index they are of.
  ///
  /// - Parameters:
  ///   - index: The path of the index.
  ///   - state: The state folder.
  ///   - withSettings: Whether the settings file is among the files to be deleted.
  /// - Throws: The system's error if a folder cannot be read.
  package init(index: FilePath, state: FilePath, withSettings: Bool) throws(Errno) {
    var groups = Kind.allCases.map { Group(kind: $0) }
    var unknown: [FilePath] = []
    var seen: Set<FilePath> = []
    let settings = Paths.settingsFile.removingLastComponent()
    func take(_ folder: FilePath, all: Bool, _ kind: (FilePath.Component) -> Kind?) throws(Errno) {
      for name in try Self.names(in: folder) {
        let path = folder.appending(name)
        let kind = kind(name)
        // The index may lie in one of the program's own folders.
        guard kind != nil || all, seen.insert(path).inserted else { continue }
        guard let kind else {
          unknown.append(path)
          continue
        }
        if let size = try Disk.sizeIfFile(path) {
          Self.append([Disk.StoredFile(path: path, size: size)], [], to: kind, of: &groups)
        } else {
          let tree = try Disk.tree(path)
          let isKnown = { (file: Disk.StoredFile) in
            kind == .caches || file.path.extension == "ndjson"
          }
          unknown += tree.files.filter { !isKnown($0) }.map(\.path)
          Self.append(tree.files.filter(isKnown), tree.folders, to: kind, of: &groups)
        }
      }
    }
    let indexFolder = index.removingLastComponent()
    try take(indexFolder, all: false) { Self.begins($0, index.lastComponent) ? .index : nil }
    if index != Paths.index {
      // The files of the usual index, another one, are passed over.
      seen.formUnion(
        try Self.names(in: Paths.caches).filter { Self.begins($0, Paths.index.lastComponent) }
          .map(Paths.caches.appending))
    }
    try take(Paths.caches, all: true, Self.kind(inCaches:))
    try take(state, all: true, Self.kind(inState:))
    try take(settings, all: withSettings) { name in
      withSettings && Self.begins(name, Paths.settingsFile.lastComponent) ? .settings : nil
    }
    self.groups = groups.filter { !$0.files.isEmpty || !$0.folders.isEmpty }
    self.unknown = unknown
    otherIndex = index != Paths.index && Disk.exists(Paths.index) ? Paths.index : nil
    folders = [Paths.caches, state] + (withSettings ? [settings] : [])
  }

  private static func append(
    _ files: [Disk.StoredFile], _ folders: [FilePath], to kind: Kind, of groups: inout [Group]
  ) {
    for place in groups.indices where groups[place].kind == kind {
      groups[place].files += files
      groups[place].folders += folders
    }
  }

  private static func names(in folder: FilePath) throws(Errno) -> [FilePath.Component] {
    let names: [[UInt8]]
    do throws(Errno) { names = try Disk.names(in: folder, beginning: []) } catch {
      guard error == .notDirectory else { throw error }
      return []
    }
    return names.compactMap { FilePath(bytes: $0).lastComponent }.filter { $0.kind == .regular }
      .sorted { $0.string < $1.string }
  }

  /// Returns whether a name is that of a file, or of a file that PhotoSpots keeps beside it: its
  /// lock, a new or damaged copy, a derived file, the progress of a walk of a library on a server,
  /// or the number that identifies the index to stores.
  private static func begins(_ name: FilePath.Component, _ file: FilePath.Component?) -> Bool {
    guard let file else { return false }
    guard name != file else { return true }
    guard name.string.hasPrefix(file.string + ".") else { return false }
    let ending = name.string.dropFirst(file.string.count + 1)
    return ["damaged", "lock", "mapped", "new", "remote", "source"].contains(
      String(ending.prefix { $0 != "." && $0 != "-" }))
  }

  private static func kind(inCaches name: FilePath.Component) -> Kind? {
    switch name.string {
    case "covers", "pairs", "pictures", "remote", "tiles": .caches
    case let text where text.hasPrefix(Disk.probePrefix): .caches
    default: begins(name, "index.json") ? .index : nil
    }
  }

  private static let stateFiles: [(name: FilePath.Component, kind: Kind)] = [
    ("journal.ndjson", .history), ("mutes.json", .history), ("devices.json", .devices),
    ("places.json", .places), ("places-folder.json", .places),
    ("recreations.json", .recreations), ("recreations-folder.json", .recreations),
    ("serve-key.json", .keys),
    ("serve-sessions.json", .keys), ("serve-address.json", .keys), ("action-key.json", .keys),
    ("open-page.html", .keys), ("used-links.json", .keys), ("phones.json", .keys),
    ("home-authority.pem", .keys), ("home-certificate.pem", .keys),
    ("home-certificate.json", .keys),
  ]

  private static func kind(inState name: FilePath.Component) -> Kind? {
    if let known = stateFiles.first(where: { begins(name, $0.name) }) { return known.kind }
    switch name.string {
    case "lock": return .history
    case "trails": return .devices
    case let text where text.hasPrefix(".hook-") || text.hasPrefix(Disk.probePrefix):
      return .history
    case let text where text.hasPrefix(PairingCodes.namePrefix): return .keys
    case let text where SyncConflicts.isCopy(Array(text.utf8), of: "places.json"): return .places
    default: return nil
    }
  }

  /// Deletes the files and then the folders that are empty without them.
  ///
  /// - Parameter failed: Called for each file that cannot be deleted.
  /// - Returns: The number of deleted files and their size.
  package func delete(failed: (FilePath, Errno) -> Void) -> (count: Int, byteCount: Int64) {
    var (count, byteCount) = (0, Int64(0))
    // Keys are deleted first, so that an interrupted deletion leaves none behind.
    for group in groups.reversed() {
      for file in group.files {
        do throws(Errno) {
          try Disk.delete(file.path)
          (count, byteCount) = (count + 1, byteCount + file.size)
        } catch { failed(file.path, error) }
      }
    }
    for folder in groups.flatMap(\.folders) + folders {
      do throws(Errno) { _ = try Disk.deleteIfEmpty(folder) } catch { failed(folder, error) }
    }
    return (count, byteCount)
  }
}
