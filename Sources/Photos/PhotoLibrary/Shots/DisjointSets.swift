/// Disjoint sets of files, merged while shots are being found. Each set has a circular list of its
/// files.
///
/// A union–find forest with path halving and union by size: R. E. Tarjan and J. van Leeuwen,
/// "Worst-case analysis of set union algorithms", Journal of the ACM 31 (1984).
struct DisjointSets {
  /// The parent of each file; a root is its own parent.
  private var parents: [FileID]
  /// The next file in the circular list of the set.
  private var following: [FileID]
  /// The number of files of a set, at its root.
  private var counts: [Int32]
  /// The folder of each file.
  private let folders: [FolderID]
  /// The folders of large sets, by root.
  private var foldersOfLarge: [FileID: Set<FolderID>] = [:]

  /// The maximum size of sets whose folders are compared pairwise; most backups produce no more
  /// copies of a photo.
  private static let smallCount: Int32 = 8

  /// Creates a set of each file.
  ///
  /// - Parameter folders: The folder of each file.
  init(folders: [FolderID]) {
    self.folders = folders
    parents = folders.indices.map { FileID($0) }
    following = parents
    counts = Array(repeating: 1, count: folders.count)
  }

  /// Returns the root of a file's set.
  mutating func root(of file: FileID) -> FileID {
    var file = file
    while parents[file.row] != file {
      parents[file.row] = parents[parents[file.row].row]
      file = parents[file.row]
    }
    return file
  }

  /// Returns whether a file's set contains other files.
  func isJoined(_ file: FileID) -> Bool { following[file.row] != file }

  /// Merges the sets of two files.
  mutating func join(_ one: FileID, _ other: FileID) {
    let (one, other) = (root(of: one), root(of: other))
    guard one != other else { return }
    let isLarger = counts[one.row] >= counts[other.row]
    let (root, joining) = isLarger ? (one, other) : (other, one)
    if counts[root.row] + counts[joining.row] > Self.smallCount {
      var folders = foldersOfLarge.removeValue(forKey: root) ?? foldersOfFiles(of: root)
      foldersOfLarge[joining] = nil
      folders.formUnion(foldersOfFiles(of: joining))
      foldersOfLarge[root] = folders
    }
    parents[joining.row] = root
    counts[root.row] += counts[joining.row]
    following.swapAt(root.row, joining.row)
  }

  /// Merges the sets of two files, unless both contain files of the same folder.
  ///
  /// - Returns: Whether the files are in the same set now.
  mutating func joinAcrossFolders(_ one: FileID, _ other: FileID) -> Bool {
    let (first, second) = (root(of: one), root(of: other))
    guard first != second else { return true }
    guard !shareFolder(first, second) else { return false }
    join(first, second)
    return true
  }

  /// Returns whether two sets contain files of the same folder.
  private func shareFolder(_ one: FileID, _ other: FileID) -> Bool {
    let isLarger = counts[one.row] >= counts[other.row]
    let (larger, smaller) = isLarger ? (one, other) : (other, one)
    if let known = foldersOfLarge[larger] {
      return contains(smaller) { known.contains(folders[$0.row]) }
    }
    return contains(smaller) { file in
      contains(larger) { folders[$0.row] == folders[file.row] }
    }
  }

  /// Returns whether a set contains a file that meets a condition.
  private func contains(_ root: FileID, where isTrue: (FileID) -> Bool) -> Bool {
    var file = root
    repeat {
      if isTrue(file) { return true }
      file = following[file.row]
    } while file != root
    return false
  }

  private func foldersOfFiles(of root: FileID) -> Set<FolderID> {
    var set: Set<FolderID> = []
    forEachFile(with: root) { set.insert(folders[$0.row]) }
    return set
  }

  /// Calls a closure with each file of a file's set, beginning with the file itself.
  func forEachFile(with first: FileID, _ body: (FileID) -> Void) {
    var file = first
    repeat {
      body(file)
      file = following[file.row]
    } while file != first
  }
}
