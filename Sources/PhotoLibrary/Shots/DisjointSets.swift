/// Disjoint sets of files, which are joined while shots are being found; each has a ring of its
/// files.
///
/// The forest of parents with path halving and union by size: R. E. Tarjan and J. van Leeuwen,
/// "Worst-case analysis of set union algorithms", Journal of the ACM 31 (1984).
struct DisjointSets {
  /// Another file of the set, nearer to the one that stands for it; that one is its own.
  private var parents: [FileID]
  /// The next file of the set; the last is followed by the first.
  private var following: [FileID]
  /// How many files a set has, at the one that stands for it.
  private var counts: [Int32]
  /// The folder of each file.
  private let folders: [FolderID]
  /// The folders of large sets.
  private var foldersOfLarge: [FileID: Set<FolderID>] = [:]

  /// Two sets up to this size are compared folder by folder; it is what most backups make of a
  /// photo.
  private static let smallCount: Int32 = 8

  /// Creates sets of one file each.
  ///
  /// - Parameter folders: The folder of each file.
  init(folders: [FolderID]) {
    self.folders = folders
    parents = folders.indices.map { FileID($0) }
    following = parents
    counts = Array(repeating: 1, count: folders.count)
  }

  /// The file that stands for the set of a file.
  mutating func root(of file: FileID) -> FileID {
    var file = file
    while parents[file.row] != file {
      parents[file.row] = parents[parents[file.row].row]
      file = parents[file.row]
    }
    return file
  }

  /// Whether a file's set holds another.
  func isJoined(_ file: FileID) -> Bool { following[file.row] != file }

  /// Joins the sets of two files.
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

  /// Joins the sets of two files, unless both hold files of one folder.
  ///
  /// - Returns: Whether the files are in one set now.
  mutating func joinAcrossFolders(_ one: FileID, _ other: FileID) -> Bool {
    let (first, second) = (root(of: one), root(of: other))
    guard first != second else { return true }
    guard !shareFolder(first, second) else { return false }
    join(first, second)
    return true
  }

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

  /// Whether a set contains a file of which something holds.
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

  /// Calls back with each file of a file's set, itself first.
  func forEachFile(with first: FileID, _ body: (FileID) -> Void) {
    var file = first
    repeat {
      body(file)
      file = following[file.row]
    } while file != first
  }
}
