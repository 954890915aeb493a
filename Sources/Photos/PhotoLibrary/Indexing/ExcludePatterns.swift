import CLibrary
import Storage
package import SystemPackage

/// The names that a scan skips: hidden names, those of ``SkippedFolders``, and those that match the
/// shell patterns given for a folder (POSIX.1, "Pattern Matching Notation").
///
/// A pattern without a slash is matched against names at any depth. One with a slash is matched
/// against the path relative to the given folder, where `*` does not match a slash. It may begin
/// with the folder's own absolute path, with a slash, or with `./`.
package struct ExcludePatterns: Sendable {
  /// The patterns given for one folder.
  private struct Rule {
    /// The folder.
    let folder: [UInt8]
    let excludes: Patterns
    /// The folders that are scanned although they are hidden or skipped.
    let includes: Patterns
    /// The length of the folder's path, including a trailing slash.
    var length: Int { folder.last == UInt8(ascii: "/") ? folder.count : folder.count + 1 }
  }

  private var rules: [Rule]
  /// The folder whose tree is scanned.
  private let root: [UInt8]

  /// Creates the patterns of names to skip in a folder tree.
  init(_ patterns: [String], root: [UInt8]) {
    self.init(patterns, root: root, options: [:])
  }

  /// Creates the patterns for the scan of a folder tree.
  ///
  /// - Parameters:
  ///   - patterns: The patterns of names to skip, relative to the folder.
  ///   - root: The absolute path of the folder.
  ///   - options: The options of folders, of which those above, at and below the folder count.
  init(_ patterns: [String], root: [UInt8], options: FolderOptions.ByFolder) {
    self.root = root
    rules = options.compactMap { path, options in
      let folder = path.bytes
      guard IndexUpdate.lies(root, in: folder) || IndexUpdate.lies(folder, in: root),
        !options.excludes.isEmpty || !options.includes.isEmpty
      else { return nil }
      return Rule(
        folder: folder, excludes: Patterns(options.excludes, in: folder),
        includes: Patterns(options.includes, in: folder, ignoringCase: true))
    }
    if !patterns.isEmpty {
      rules.append(
        Rule(
          folder: root, excludes: Patterns(patterns, in: root), includes: Patterns([], in: root)))
    }
  }

  /// Returns the path that a pattern with a slash names, relative to the folder for which it is
  /// given; `nil` for a pattern of names.
  package static func path(_ pattern: String, in folder: FilePath) -> String? {
    Patterns.path(pattern, in: folder.bytes)
  }

  /// Returns the patterns that apply to the entries of a folder.
  func inForce(in folder: [UInt8]) -> ExcludePatterns {
    guard !rules.isEmpty else { return self }
    var own = self
    own.rules.removeAll { !IndexUpdate.lies(folder, in: $0.folder) }
    return own
  }

  /// Returns whether a file or folder is skipped, given its name and its absolute path, to which
  /// all patterns must apply.
  func match(name: some BidirectionalCollection<UInt8>, path: @autoclosure () -> [UInt8]) -> Bool {
    if name.first == UInt8(ascii: ".") || SkippedFolders.contain(name)
      || SkippedFolders.mayHoldPreviews(name) && SkippedFolders.holdsPreviews(path())
    {
      guard includes(name, path()) else { return true }
    }
    guard !rules.isEmpty else { return false }
    return rules.contains { rule in
      if rule.excludes.match(name) { return true }
      guard rule.excludes.hasPaths else { return false }
      return rule.excludes.match(below: path().dropFirst(rule.length))
    }
  }

  /// Returns whether a folder is scanned although it is hidden or skipped.
  private func includes(_ name: some Collection<UInt8>, _ path: [UInt8]) -> Bool {
    guard !rules.isEmpty, !Self.isLink(name) else { return false }
    return rules.contains { rule in
      rule.includes.match(name) || rule.includes.match(below: path.dropFirst(rule.length))
    }
  }

  /// Whether hidden folders may be scanned.
  var hasIncludes: Bool { rules.contains { !$0.includes.isEmpty } }

  /// Returns whether a name is that of the folder itself or of the folder above it.
  private static func isLink(_ name: some Collection<UInt8>) -> Bool {
    name.count <= 2 && name.allSatisfy { $0 == UInt8(ascii: ".") }
  }

  /// Returns whether a change of a name in the tree cannot concern a scan. The folder that has the
  /// name is unknown, so only patterns that hold everywhere in the tree count.
  func ignoreChange(of name: [UInt8], isFolder: Bool) -> Bool {
    let isSkipped = name.first == UInt8(ascii: ".") || SkippedFolders.contain(name)
    if isSkipped, !isFolder || !rules.contains(where: { $0.includes.mayMatch(name) }) {
      return true
    }
    return rules.contains { rule in
      IndexUpdate.lies(root, in: rule.folder) && rule.excludes.match(name)
    }
  }

  /// Returns whether a folder below the tree's folder is skipped, or a folder between them is.
  func matchFolder(_ folder: [UInt8]) -> Bool {
    let rootLength = root.last == UInt8(ascii: "/") ? root.count : root.count + 1
    guard folder.count > rootLength else { return false }
    var end = rootLength
    while end < folder.count {
      let start = end
      end = folder[start...].firstIndex(of: UInt8(ascii: "/")) ?? folder.count
      let own = inForce(in: Array(folder[..<max(start - 1, 1)]))
      if own.match(name: folder[start..<end], path: Array(folder[..<end])) { return true }
      end += 1
    }
    return false
  }
}

/// Shell patterns of names at any depth, and of paths relative to a folder.
private struct Patterns {
  private let names: [String]
  private let paths: [String]
  private let ignoresCase: Bool

  /// Creates patterns given for a folder, optionally for any case of ASCII letters.
  init(_ patterns: [String], in folder: [UInt8], ignoringCase: Bool = false) {
    ignoresCase = ignoringCase
    names = patterns.filter { !$0.contains("/") }.map { ignoringCase ? Self.lowercased($0) : $0 }
    paths = patterns.compactMap { Self.path($0, in: folder) }
      .map { ignoringCase ? Self.lowercased($0) : $0 }
  }

  /// Returns a pattern with a slash relative to a folder; `nil` for one without.
  static func path(_ pattern: String, in folder: [UInt8]) -> String? {
    guard pattern.contains("/") else { return nil }
    var path = pattern.utf8[...]
    while path.starts(with: "./".utf8) { path = path.dropFirst(2) }
    let rest = path.starts(with: folder) ? path.dropFirst(folder.count) : nil
    if let rest, folder.last == UInt8(ascii: "/") || rest.first == UInt8(ascii: "/") { path = rest }
    if path.first == UInt8(ascii: "/") { path = path.dropFirst() }
    if path.last == UInt8(ascii: "/") { path = path.dropLast() }
    return String(decoding: path, as: UTF8.self)
  }

  var isEmpty: Bool { names.isEmpty && paths.isEmpty }
  var hasPaths: Bool { !paths.isEmpty }

  private static func lowercased(_ text: String) -> String {
    String(decoding: text.utf8.map(\.lowercased), as: UTF8.self)
  }

  /// Returns whether a pattern of names matches a name.
  func match(_ name: some Collection<UInt8>) -> Bool {
    guard !names.isEmpty else { return false }
    let name = terminated(name)
    return names.contains { fnmatch($0, name, 0) == 0 }
  }

  /// Returns whether a pattern of paths matches a path relative to the folder.
  func match(below path: some Collection<UInt8>) -> Bool {
    guard !paths.isEmpty else { return false }
    let path = terminated(path)
    return paths.contains { fnmatch($0, path, FNM_PATHNAME) == 0 }
  }

  /// Returns whether a pattern matches a name, or may match it in some folder.
  func mayMatch(_ name: some Collection<UInt8>) -> Bool { match(name) || hasPaths }

  private func terminated(_ bytes: some Collection<UInt8>) -> [CChar] {
    bytes.map { CChar(bitPattern: ignoresCase ? $0.lowercased : $0) } + [0]
  }
}

/// The names of folders in which systems and programs keep deleted files, thumbnails and copies.
/// They hold no photos of their own, and hidden folders are skipped for the same reason.
///
/// A folder that is given itself is scanned, whatever its name, and so is one that the option
/// `--include` names (``FolderOptions/includes``).
enum SkippedFolders {
  /// The names, in lower case.
  static let names: Set<String> = [
    // Bins, snapshots and old versions of network storage: Synology, QNAP, Samba's vfs_recycle,
    // Netatalk, Nextcloud.
    "#recycle", "#snapshot", "@recycle", "@recently-snapshot", "@sharesnap",
    "network trash folder", "temporary items", "files_trashbin", "files_versions",
    // Thumbnails, transcoded and temporary files of network storage.
    "@eadir", "@tmp", "@__thumb", "@transcode", "@synoresource",
    // Windows, Android and file systems.
    "$recycle.bin", "recycler", "recycled", "system volume information", "lost+found", "lost.dir",
    // Packages of programs.
    "node_modules", "__macosx",
  ]

  /// The endings of names, in lower case: the previews of Lightroom.
  static let endings = [".lrdata"]

  /// Returns whether a name is that of such a folder, in any letter case.
  static func contain(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    let count = name.count
    guard let first = name.first, let last = name.last, count <= 255 else { return false }
    // Most names need no further comparison.
    if initials[Int(first.lowercased)], lengths[count] {
      if names.contains(String(decoding: name.map(\.lowercased), as: UTF8.self)) { return true }
      if isFound(name) { return true }
    }
    guard finals[Int(last.lowercased)] else { return false }
    return endings.contains { ending in
      let length = ending.utf8.count
      return count > length
        && name.suffix(length).elementsEqual(ending.utf8) { $0.lowercased == $1 }
    }
  }

  /// The folders in libraries of Apple's programs with reduced copies of the photos, by the endings
  /// of the libraries' names, in lower case: `Photos Library.photoslibrary/resources/derivatives`.
  private static let previews = [
    ".photoslibrary": ["resources/derivatives", "resources/proxies"],
    ".photolibrary": ["previews", "thumbnails"],
    ".migratedphotolibrary": ["previews", "thumbnails"],
    ".aplibrary": ["previews", "thumbnails"],
  ]

  private static let previewNames = Set(
    previews.values.joined().compactMap { $0.split(separator: "/").last.map(String.init) })
  private static let previewLengths = table(of: previewNames.map { UInt8($0.utf8.count) })

  /// Returns whether a name may be that of a folder of previews, depending on the folders above it.
  static func mayHoldPreviews(_ name: some Collection<UInt8>) -> Bool {
    let count = name.count
    guard count <= 255, previewLengths[count] else { return false }
    return previewNames.contains(String(decoding: name.map(\.lowercased), as: UTF8.self))
  }

  /// Returns whether a folder in a library of one of Apple's programs has its previews.
  static func holdsPreviews(_ path: [UInt8]) -> Bool {
    let path = String(decoding: path.map(\.lowercased), as: UTF8.self)
    return previews.contains { ending, folders in
      folders.contains { path.hasSuffix("\(ending)/\($0)") }
    }
  }

  /// Returns whether a name is `found.000` or similar: folders in which Windows puts the pieces of
  /// damaged files.
  private static func isFound(_ name: some Collection<UInt8>) -> Bool {
    name.count == found.utf8.count
      && name.prefix(6).elementsEqual("found.".utf8) { $0.lowercased == $1 }
      && name.dropFirst(6).allSatisfy(\.isDigit)
  }

  private static let found = "found.000"
  /// For each byte, whether a name begins with it.
  private static let initials = table(of: (Array(names) + [found]).compactMap(\.utf8.first))
  /// For each length in bytes, whether a name has it.
  private static let lengths = table(of: (Array(names) + [found]).map { UInt8($0.utf8.count) })
  /// For each byte, whether one of the endings ends with it.
  private static let finals = table(of: endings.compactMap(\.utf8.last))

  private static func table(of numbers: [UInt8]) -> [Bool] {
    (0...UInt8.max).map(numbers.contains)
  }
}
