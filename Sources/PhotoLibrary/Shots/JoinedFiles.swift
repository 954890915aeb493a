/// Files that are joined, while shots are being found: disjoint sets, each with a ring of its files.
struct JoinedFiles {
  /// Another file of the set, nearer to the one that stands for it; that one is its own.
  private var parents: [Int32]
  /// The next file of the set; the last is followed by the first.
  private var following: [Int32]
  /// How many files a set has, at the one that stands for it.
  private var counts: [Int32]
  /// The folder of each file.
  private let folders: [Int32]
  /// The folders of large sets.
  private var foldersOfLarge: [Int32: Set<Int32>] = [:]

  /// Two sets up to this size are compared folder by folder; it is what most backups make of a photo.
  private static let smallCount: Int32 = 8

  /// Creates sets of one file each.
  ///
  /// - Parameter folders: The folder of each file.
  init(folders: [Int32]) {
    self.folders = folders
    parents = Array(0..<Int32(folders.count))
    following = parents
    counts = Array(repeating: 1, count: folders.count)
  }

  /// The file that stands for the set of a file.
  mutating func root(of file: Int32) -> Int32 {
    var file = file
    while parents[Int(file)] != file {
      parents[Int(file)] = parents[Int(parents[Int(file)])]
      file = parents[Int(file)]
    }
    return file
  }

  /// Whether a file's set holds another.
  func isJoined(_ file: Int32) -> Bool { following[Int(file)] != file }

  /// Joins the sets of two files.
  mutating func join(_ one: Int32, _ other: Int32) {
    let (one, other) = (root(of: one), root(of: other))
    guard one != other else { return }
    let isLarger = counts[Int(one)] >= counts[Int(other)]
    let (root, joining) = isLarger ? (one, other) : (other, one)
    if counts[Int(root)] + counts[Int(joining)] > Self.smallCount {
      var folders = foldersOfLarge.removeValue(forKey: root) ?? foldersOfFiles(of: root)
      foldersOfLarge[joining] = nil
      folders.formUnion(foldersOfFiles(of: joining))
      foldersOfLarge[root] = folders
    }
    parents[Int(joining)] = root
    counts[Int(root)] += counts[Int(joining)]
    following.swapAt(Int(root), Int(joining))
  }

  /// Joins the sets of two files, unless both hold files of one folder.
  ///
  /// - Returns: Whether the files are in one set now.
  mutating func joinAcrossFolders(_ one: Int32, _ other: Int32) -> Bool {
    let (first, second) = (root(of: one), root(of: other))
    guard first != second else { return true }
    guard !shareFolder(first, second) else { return false }
    join(first, second)
    return true
  }

  private func shareFolder(_ one: Int32, _ other: Int32) -> Bool {
    let isLarger = counts[Int(one)] >= counts[Int(other)]
    let (larger, smaller) = isLarger ? (one, other) : (other, one)
    if let known = foldersOfLarge[larger] {
      return contains(smaller) { known.contains(folders[Int($0)]) }
    }
    return contains(smaller) { file in
      contains(larger) { folders[Int($0)] == folders[Int(file)] }
    }
  }

  /// Whether a set contains a file of which something holds.
  private func contains(_ root: Int32, where isTrue: (Int32) -> Bool) -> Bool {
    var file = root
    repeat {
      if isTrue(file) { return true }
      file = following[Int(file)]
    } while file != root
    return false
  }

  private func foldersOfFiles(of root: Int32) -> Set<Int32> {
    var set: Set<Int32> = []
    forEachFile(with: root) { set.insert(folders[Int($0)]) }
    return set
  }

  /// Calls back with each file of a file's set, itself first.
  func forEachFile(with first: Int32, _ body: (Int32) -> Void) {
    var file = first
    repeat {
      body(file)
      file = following[Int(file)]
    } while file != first
  }
}
