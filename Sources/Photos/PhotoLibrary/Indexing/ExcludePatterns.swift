import CLibrary

/// Shell patterns of the files and folders that a scan skips (POSIX.1, "Pattern Matching
/// Notation").
///
/// A pattern without a slash is matched against names at any depth. One with a slash is matched
/// against the path relative to the given folder, where `*` does not match a slash. The folders of
/// ``SkippedFolders`` are skipped too.
struct ExcludePatterns: Sendable {
  private let namePatterns: [String]
  private let pathPatterns: [String]
  /// The length of the given folder's path, including a trailing slash.
  private let rootLength: Int

  init(_ patterns: [String], root: [UInt8]) {
    namePatterns = patterns.filter { !$0.contains("/") }
    pathPatterns = patterns.filter { $0.contains("/") }
      .map { $0.hasPrefix("/") ? String($0.dropFirst()) : $0 }
      .map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    rootLength = root.last == UInt8(ascii: "/") ? root.count : root.count + 1
  }

  /// Returns whether any pattern matches a file or folder, given its name and its absolute path.
  func match(name: some Collection<UInt8>, path: @autoclosure () -> [UInt8]) -> Bool {
    if SkippedFolders.contain(name) { return true }
    if !namePatterns.isEmpty {
      let name = name.map { CChar(bitPattern: $0) } + [0]
      if namePatterns.contains(where: { fnmatch($0, name, 0) == 0 }) { return true }
    }
    guard !pathPatterns.isEmpty else { return false }
    let below = path().dropFirst(rootLength).map { CChar(bitPattern: $0) } + [0]
    return pathPatterns.contains { fnmatch($0, below, FNM_PATHNAME) == 0 }
  }

  /// Returns whether any pattern matches a folder below the given one, or a folder between them.
  func matchFolder(_ folder: [UInt8]) -> Bool {
    guard folder.count > rootLength else { return false }
    var end = rootLength
    while end < folder.count {
      let start = end
      end = folder[start...].firstIndex(of: UInt8(ascii: "/")) ?? folder.count
      if match(name: folder[start..<end], path: Array(folder[..<end])) { return true }
      end += 1
    }
    return false
  }
}

/// The names of folders in which systems and programs keep deleted files, thumbnails and copies.
/// They hold no photos of their own, and hidden folders are skipped for the same reason.
///
/// A folder that is given itself is scanned, whatever its name.
enum SkippedFolders {
  /// The names, in lower case.
  static let names: Set<String> = [
    // Bins and snapshots of network storage: Synology, QNAP, Samba's vfs_recycle, Netatalk.
    "#recycle", "#snapshot", "@recycle", "@recently-snapshot", "network trash folder",
    // Thumbnails and temporary files of network storage.
    "@eadir", "@tmp", "@__thumb",
    // Windows and file systems.
    "$recycle.bin", "recycler", "system volume information", "lost+found",
    // Packages of programs.
    "node_modules", "__macosx",
  ]

  /// The endings of names, in lower case: the previews of Lightroom.
  static let endings = [".lrdata"]

  /// The lengths of the names in bytes, so that most names need no further comparison.
  private static let lengths = Set(names.map(\.utf8.count))

  /// Returns whether a name is that of such a folder, in any letter case.
  static func contain(_ name: some Collection<UInt8>) -> Bool {
    let count = name.count
    guard let first = name.first, count <= 255 else { return false }
    if lengths.contains(count), initials.contains(first.lowercased),
      names.contains(String(decoding: name.map(\.lowercased), as: UTF8.self))
    {
      return true
    }
    return endings.contains { ending in
      let length = ending.utf8.count
      return count > length
        && name.dropFirst(count - length).elementsEqual(ending.utf8) { $0.lowercased == $1 }
    }
  }

  private static let initials = Set(names.compactMap(\.utf8.first))
}
