public import CivilTime
import PhotoMetadata
import Storage
public import SystemPackage

/// Brings a ``PhotoIndex`` up to date with folders of photos.
///
/// Folders are walked and files read by several threads. A file with the size and modification time
/// that the index knows is not opened again. Nothing is ever written to the folders.
public struct PhotoIndexer: Sendable {
  /// How to scan.
  public struct Settings: Sendable {
    /// How many files are read at once.
    public var jobs: Int
    /// Shell patterns of what to pass over: a name at any depth, or with a slash a path below the
    /// folder.
    public var excludes: [String]
    /// Whether to read every file again.
    public var isFull: Bool
    /// After how many seconds every file under a folder is read again all the same.
    public var maximumAgeSeconds: Double
    /// A new or changed file that was written to less than this many seconds ago is left as it was,
    /// since whoever writes it may go on.
    public var settleSeconds: Double
    /// How long files are read before what is known is saved; longer where saving takes long. With
    /// 0 it is saved after each file of a thread.
    public var checkpointSeconds: Double

    /// Whether photos without a position are read again of which an earlier program did not keep
    /// the capture time.
    public var readsUnlocated = false

    /// A read waits for the disk more than it works, so more than there are processors: from a
    /// disk, 32 at once take a third to a half of the time of four, and where nothing has to be
    /// waited for as long.
    public static let defaultJobs = 32

    /// Creates settings.
    public init(
      jobs: Int = defaultJobs, excludes: [String] = [], isFull: Bool = false,
      maximumAgeSeconds: Double = 7 * 86_400, settleSeconds: Double = 0,
      checkpointSeconds: Double = 20
    ) {
      self.jobs = jobs
      self.excludes = excludes
      self.isFull = isFull
      self.maximumAgeSeconds = maximumAgeSeconds
      self.settleSeconds = settleSeconds
      self.checkpointSeconds = checkpointSeconds
    }
  }

  let settings: Settings

  /// Creates an indexer.
  public init(settings: Settings = Settings()) {
    self.settings = settings
  }

  /// Scans folders.
  ///
  /// - Parameters:
  ///   - previous: The index so far. What it knows of other folders is kept.
  ///   - folders: Absolute paths of the folders; one that lies in another, or in a folder that the
  ///     index holds already, is a part of that.
  ///   - now: The time of the scan.
  ///   - monitor: Tells how far the scan has come, and ends it early.
  ///   - save: Takes what is known by then, every `checkpointSeconds` of reading, for what a crash
  ///     would lose: an index in which files that were not reached yet are as they were in
  ///     `previous`.
  /// - Returns: The new index, and what happened. Where the scan was ended early, files that were
  ///   not reached are as they were in `previous`, or not in the index.
  /// - Throws: `PhotoIndexerError` where a folder that the index does not know yet cannot be read.
  public func update(
    _ previous: PhotoIndex, with folders: [FilePath], now: Instant,
    monitor: ScanMonitor = ScanMonitor(), saving save: ((PhotoIndex) -> Void)? = nil
  ) throws(PhotoIndexerError) -> (index: PhotoIndex, report: ScanReport) {
    let folders = Self.outermost(folders)
    return try update(
      previous, with: folders, byInode: folders.contains { RotatingDisk.holds($0) }, now: now,
      monitor: monitor, saving: save)
  }

  /// The same of folders of which none lies in another; where asked for, files are read in the
  /// order of their inodes.
  func update(
    _ previous: PhotoIndex, with folders: [FilePath], byInode: Bool, now: Instant,
    monitor: ScanMonitor, saving save: ((PhotoIndex) -> Void)? = nil
  ) throws(PhotoIndexerError) -> (index: PhotoIndex, report: ScanReport) {
    var update = IndexUpdate(
      previous: previous, settings: settings, readsByInode: byInode, now: now, monitor: monitor)
    for folder in folders { try update.walk(folder) }
    update.keepOthers(than: folders)
    update.detectMovedRoots()
    update.detectMoves()
    update.read(saving: save)
    return update.finish()
  }

  /// Drops folders from an index, with all that is known below them; nothing is asked of the disk.
  ///
  /// A root that is one of them, or lies in one, is no root any more. Below a root that stays,
  /// files that are still there come back with its next scan.
  ///
  /// - Parameters:
  ///   - folders: Absolute paths.
  ///   - previous: The index so far, which must not have been read for questions only.
  ///   - now: The time.
  /// - Returns: The index without them, and how many files were dropped.
  public func forget(
    _ folders: [FilePath], in previous: PhotoIndex, now: Instant
  ) -> (index: PhotoIndex, removed: Int) {
    var update = IndexUpdate(
      previous: previous, settings: settings, readsByInode: false, now: now,
      monitor: ScanMonitor())
    update.forget(Self.outermost(folders))
    let (index, report) = update.finish()
    return (index, report.removed)
  }

  /// Leaves out folders that lie in others, and what is the same in another spelling.
  package static func outermost(_ folders: [FilePath]) -> [FilePath] {
    let normalized = folders.map { $0.lexicallyNormalized() }
    return normalized.enumerated().filter { index, folder in
      !normalized.enumerated().contains { other, outer in
        other != index && IndexUpdate.lies(folder.bytes, in: outer.bytes)
          && (folder != outer || other < index)
      }
    }.map(\.element)
  }
}

/// Why a folder could not be indexed.
public enum PhotoIndexerError: Error, Hashable, CustomStringConvertible {
  /// The folder cannot be read.
  case unreadableFolder(FilePath, Errno)

  /// What happened, and what to do.
  public var description: String {
    switch self {
    case .unreadableFolder(let path, .noSuchFileOrDirectory):
      "there is no folder \(path). Check the spelling, or mount its disk."
    case .unreadableFolder(let path, .notDirectory):
      "\(path) is no folder. Name the folder that holds the photos."
    case .unreadableFolder(let path, let error):
      "the folder \(path) cannot be read: \(error). Check its permissions."
    }
  }
}
