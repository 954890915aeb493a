import CivilTime
import PhotoMetadata
import Storage
import SystemPackage

/// A scan on its way from the previous index to the next.
///
/// The steps in order: `walk` each folder, which decides for every file whether what is known of it
/// still holds; `keepOthers`; `detectMovedRoots`; `detectMoves`; `read` the rest; `finish`.
struct IndexUpdate {
  let previous: PhotoIndex
  let settings: PhotoIndexer.Settings
  /// Whether files are read in the order of their inodes, which is about that of a disk that turns.
  let readsByInode: Bool
  let now: Instant
  let monitor: ScanMonitor
  let mounts = MountTable.current()
  var report = ScanReport()
  var roots: [PhotoIndex.Root]
  /// When the files under a root that the previous index knows were last all read.
  var fullyReadBefore: [FilePath: Instant?] = [:]
  /// When the re-reads of roots began that this scan is a part of.
  var rereads: [FilePath: Instant] = [:]
  /// The folders as they are to be in the next index, by path.
  var folders: [PlannedFolder] = []
  var plannedPaths: Set<[UInt8]> = []
  /// The sidecars of which the report tells.
  var toldSidecars: Set<FilePath> = []
  /// What reading files gave, for each thread that read some.
  var readings: [[FileReading]] = []
  /// The files of the previous index that are found again; the others are gone.
  var isKept: [Bool]
  /// For each folder of the previous index its files.
  let previousFiles: [[UInt8]: Range<Int>]

  struct PlannedFolder {
    let path: [UInt8]
    var files: [PlannedFile]
    let names: [UInt8]
    /// Whether the folder is a part of this scan, or only kept from the previous index.
    var isScanned = true
  }

  struct PlannedFile {
    let name: Range<Int>
    let claimsToBePhoto: Bool
    var source: Source
    /// The size and times that were seen in the walk.
    let status: FileStatus?
    /// Zero where it is not to be read.
    var inode: UInt64 = 0
    var sidecars: [Sidecar] = []
    var sidecarStamp: UInt64 = 0
  }

  enum Source {
    /// What the previous index says of this file.
    case known(Int)
    /// The file has to be read; the previous index may know an older state of it.
    case toRead(older: Int?)
    /// The file was read; the place of what that gave in `readings`, and of its older state in the
    /// previous index.
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
    isKept = Array(repeating: false, count: previous.files.count)
    previousFiles = previous.fileRanges()
  }
}

extension PhotoIndex {
  /// For each folder the places of its files.
  fileprivate func fileRanges() -> [[UInt8]: Range<Int>] {
    var ranges: [[UInt8]: Range<Int>] = [:]
    var start = 0
    while start < files.count {
      let folder = files.folder[start]
      var end = start + 1
      while end < files.count, files.folder[end] == folder { end += 1 }
      ranges[Array(self.folder(folder))] = start..<end
      start = end
    }
    return ranges
  }
}
