public import CivilTime
import PhotoMetadata
import Storage
public import SystemPackage

/// Brings a ``PhotoIndex`` up to date with folders of photos.
///
/// Folders are walked and files read by several threads. A file whose size, modification time and
/// change time are the same as in the index is not opened again. Nothing is ever written to the
/// folders.
public struct PhotoIndexer: Sendable {
  /// Settings of a scan.
  public struct Settings: Sendable {
    /// The commands that the report offers.
    package var commands = OfferedCommands()
    /// The number of files read at the same time.
    public var jobs: Int
    /// Shell patterns of files and folders that this scan skips: a name at any depth, or with a
    /// slash a path relative to the folder.
    public var excludes: [String]
    /// Options that are kept with the scanned folders from now on.
    package var options = FolderOptions.Change()
    /// Whether to read every file again.
    public var isFull: Bool
    /// The age in seconds of the last full reading from which every file under a folder is read
    /// again.
    public var maximumAgeSeconds: Double
    /// A new or changed file modified less than this many seconds ago is not read yet, since it may
    /// still be being written.
    public var settleSeconds: Double
    /// The reading time in seconds between two checkpoints; longer if saving takes long. With 0, a
    /// checkpoint follows each file of a thread.
    public var checkpointSeconds: Double

    /// Whether to read photos without a position again if an earlier version of the program did not
    /// record their capture time.
    public var readsUnlocated = false
    /// Whether the date in the name of a file counts where nothing else has one: `NameDate`.
    public var datesFromNames = true

    /// The default number of files read at the same time.
    ///
    /// Reading mostly waits for the disk, so this is larger than the number of processors. From a
    /// disk, 32 at once take a third to a half of the time of four; without waiting for the disk,
    /// they take the same time.
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
  ///   - previous: The index so far. Its contents for other folders are kept.
  ///   - folders: Absolute paths of the folders. A folder inside another one, or inside a folder of
  ///     the index, is treated as a part of that.
  ///   - now: The time of the scan.
  ///   - monitor: Reports progress, and cancels the scan early.
  ///   - save: Receives a checkpoint for every `checkpointSeconds` of reading, so that a crash
  ///     loses little: an index in which files not reached yet are as they were in `previous`, and
  ///     the report so far.
  /// - Returns: The new index and a report. If the scan was cancelled, files that were not reached
  ///   are as they were in `previous`, or not in the index.
  /// - Throws: `PhotoIndexerError` if a folder that is new to the index cannot be read.
  public func update(
    _ previous: PhotoIndex, with folders: [FilePath], now: Instant,
    monitor: ScanMonitor = ScanMonitor(), saving save: ((PhotoIndex, ScanReport) -> Void)? = nil
  ) throws(PhotoIndexerError) -> (index: PhotoIndex, report: ScanReport) {
    let folders = Self.outermost(folders)
    return try update(
      previous, with: folders, byInode: folders.contains { RotatingDisk.holds($0) }, now: now,
      monitor: monitor, saving: save)
  }

  /// Scans folders of which none is inside another, optionally reading files in the order of their
  /// inodes.
  func update(
    _ previous: PhotoIndex, with folders: [FilePath], byInode: Bool, now: Instant,
    monitor: ScanMonitor, saving save: ((PhotoIndex, ScanReport) -> Void)? = nil
  ) throws(PhotoIndexerError) -> (index: PhotoIndex, report: ScanReport) {
    var update = IndexUpdate(
      previous: previous, settings: settings, readsByInode: byInode, now: now, monitor: monitor)
    try update.walk(folders)
    if update.movesOptions {
      // The options of a renamed folder say what is skipped in it.
      let options = update.options
      update = IndexUpdate(
        previous: previous, settings: settings, readsByInode: byInode, now: now, monitor: monitor)
      update.options = options
      try update.walk(folders)
    }
    update.detectMoves()
    update.holdBack()
    update.read(saving: save)
    return update.finish()
  }

  /// Removes folders and everything below them from an index, without accessing the disk.
  ///
  /// A root that is one of the folders, or inside one, stops being a root. If the root above a
  /// folder stays, files that still exist return with its next scan.
  ///
  /// - Parameters:
  ///   - folders: Absolute paths.
  ///   - previous: The index so far, which must not have been read for questions only.
  ///   - now: The time.
  /// - Returns: The index without the folders, and the number of removed files.
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

  /// Returns the normalized paths of folders, without duplicates and folders inside others.
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

/// A reason why a folder could not be indexed.
public enum PhotoIndexerError: Error, Hashable, CustomStringConvertible {
  /// The folder cannot be read.
  case unreadableFolder(FilePath, Errno)

  /// A message that says what happened and what to do.
  public var description: String {
    switch self {
    case .unreadableFolder(let path, .noSuchFileOrDirectory):
      "there is no folder \(path). Check the spelling, or mount its disk."
    case .unreadableFolder(let path, .notDirectory):
      "\(path) is not a folder. Name the folder that holds the photos."
    case .unreadableFolder(let path, let error):
      "the folder \(path) cannot be read: \(error). Check its permissions."
    }
  }
}
