import CivilTime
import PhotoMetadata
import Storage
import SystemPackage

/// A scan in progress, from the previous index to the next.
///
/// The steps in order: `walk` the folders, which decides for every file whether its recorded
/// metadata is still valid, and finds renamed folders; `detectMoves`; `holdBack` what only seems to
/// be gone; `read` the remaining files; `finish`.
struct IndexUpdate {
  let previous: PhotoIndex
  let settings: PhotoIndexer.Settings
  /// Whether files are read in the order of their inodes, which approximates their order on a
  /// spinning disk.
  let readsByInode: Bool
  let now: Instant
  let monitor: ScanMonitor
  let mounts = MountTable.current()
  var report = ScanReport()
  var roots: [PhotoIndex.Root]
  /// The options of all folders, by path.
  var options: FolderOptions.ByFolder
  /// Whether options went along with a renamed folder that has been walked without them.
  var movesOptions = false
  /// For each root of the previous index, the time when all of its files had last been read.
  var fullyReadBefore: [FilePath: Instant?] = [:]
  /// For each root, the start of the full re-read that this scan belongs to.
  var rereads: [FilePath: Instant] = [:]
  /// The folders of the next index, by path.
  var folders: [PlannedFolder] = []
  var plannedPaths: Set<FolderKey> = []
  /// The sidecars whose problems are already in the report.
  var reportedSidecars: Set<FilePath> = []
  /// The readings of each thread.
  var readings: [[FileReading]] = []
  /// The folders that this scan listed, by given folder, with the file systems below.
  var seenVolumes: [(folder: [UInt8], volumes: [PhotoIndex.Root.Volume])] = []
  /// Whether each file of the previous index was found again; the others are gone.
  var isKept: [Bool]
  /// The files of each folder of the previous index.
  let previousFiles: [FolderKey: Range<Int>]
  /// The folders of the previous index, and all folders above them.
  lazy var knownFolders = previousFiles.keys.reduce(into: Set<FolderKey>()) { known, folder in
    var folder = folder
    while known.insert(folder).inserted, !folder.path.isEmpty {
      folder = FolderKey(Array(FilePath.parent(of: folder.path[...])))
    }
  }

  struct PlannedFolder {
    let path: [UInt8]
    var files: [PlannedFile]
    var names: [UInt8]
    /// Whether the folder is part of this scan rather than copied from the previous index.
    var isScanned = true
  }

  struct PlannedFile {
    let name: Range<Int>
    let claimsToBePhoto: Bool
    var source: Source
    /// The size and times seen in the walk.
    let status: FileStatus?
    /// The inode; zero if the file is not to be read.
    var inode: UInt64 = 0
    var sidecars: [Sidecar] = []
    var sidecarStamp: UInt64 = 0
    var sidecarChanges: UInt64 = 0
    /// Whether the file was moved here, and is counted as moved.
    var isMoved = false
  }

  enum Source {
    /// The file is unchanged; its row in the previous index.
    case known(Int)
    /// The file has to be read; the row of its older state in the previous index.
    case toRead(older: Int?)
    /// The file was read; the position of its result in `readings`, and the row of its older state
    /// in the previous index.
    case read(thread: Int, Int, older: Int? = nil)
  }

  init(
    previous: PhotoIndex, settings: PhotoIndexer.Settings, readsByInode: Bool, now: Instant,
    monitor: ScanMonitor
  ) {
    precondition(previous.files.hasStatuses, "read for questions only")
    self.previous = previous
    self.settings = settings
    self.readsByInode = readsByInode
    self.now = now
    self.monitor = monitor
    roots = previous.roots
    options = previous.options
    isKept = Array(repeating: false, count: previous.files.count)
    previousFiles = previous.fileRanges()
  }
}

extension PhotoIndex {
  /// The range of files of each folder.
  fileprivate func fileRanges() -> [FolderKey: Range<Int>] {
    var ranges: [FolderKey: Range<Int>] = [:]
    ranges.reserveCapacity(folders.count)
    var start = 0
    while start < files.count {
      let folder = files.folder[start]
      var end = start + 1
      while end < files.count, files.folder[end] == folder { end += 1 }
      ranges[FolderKey(Array(self.folder(folder)))] = start..<end
      start = end
    }
    return ranges
  }
}

/// A folder's path as a key. An array of bytes is hashed byte by byte, which took a twentieth of a
/// rescan.
struct FolderKey: Hashable {
  let path: [UInt8]

  init(_ path: [UInt8]) { self.path = path }

  func hash(into hasher: inout Hasher) {
    path.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}
