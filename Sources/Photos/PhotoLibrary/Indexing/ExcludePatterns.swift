import CLibrary

/// Shell patterns of the files and folders that a scan skips (POSIX.1, "Pattern Matching
/// Notation").
///
/// A pattern without a slash is matched against names at any depth. One with a slash is matched
/// against the path relative to the given folder, where `*` does not match a slash.
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
    if !namePatterns.isEmpty {
      let name = name.map { CChar(bitPattern: $0) } + [0]
      if namePatterns.contains(where: { fnmatch($0, name, 0) == 0 }) { return true }
    }
    guard !pathPatterns.isEmpty else { return false }
    let below = path().dropFirst(rootLength).map { CChar(bitPattern: $0) } + [0]
    return pathPatterns.contains { fnmatch($0, below, FNM_PATHNAME) == 0 }
  }
}
