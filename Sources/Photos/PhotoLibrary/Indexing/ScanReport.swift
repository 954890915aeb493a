public import PhotoMetadata
public import SystemPackage

/// The results of a scan.
public struct ScanReport: Sendable {
  /// A problem with a file or folder.
  public struct Problem: Hashable, Sendable {
    /// The absolute path of the file or folder.
    public let path: FilePath
    /// Whether it could not be read; otherwise its content is malformed.
    public let isUnreadable: Bool
    /// The reason.
    public let reason: String
    /// Whether this scan found the problem; otherwise an earlier one did, and the file has not
    /// changed since.
    public let isNew: Bool
  }

  /// A photo with metadata that could not be read, which may contain its position.
  public struct Unread: Hashable, Sendable {
    /// The absolute path of the file.
    public let path: FilePath
    /// The blocks that were not read.
    public let blocks: [UnreadBlock]
  }

  /// The files under the given folders, by the outcomes of reading them, now or before.
  public internal(set) var files = FileCounts()
  /// The number of folders and sidecars that could not be read, and of photos that could not be
  /// read now but before.
  var furtherUnreadable = 0
  /// The number of photos, with or without a position, of which only the name has a date.
  public internal(set) var datedByName = 0
  /// The number of new files.
  public internal(set) var new = 0
  /// The number of files with a changed size or modification time.
  public internal(set) var changed = 0
  /// The number of moved files, which were not read again.
  public internal(set) var moved = 0
  /// The moved files, except those that hold another photo now.
  var moves: [FileMove] = []
  /// The number of files that are gone.
  public internal(set) var removed = 0
  /// The entries of the folders, each in one counter. The candidates are the ``files`` and new
  /// files left for a later scan.
  public internal(set) var entries = EntryCounts()
  /// The XMP and JSON files that belong to no photo, sorted by path.
  public internal(set) var unowned: [FilePath] = []
  /// The number of symbolic links, which scans do not follow.
  public internal(set) var linkCount = 0
  /// The symbolic links in the place of a folder or file of the index, whose photos are thus gone.
  public internal(set) var replacedByLinks: [FilePath] = []
  /// The number of files left for a later scan because they may still be being written.
  public internal(set) var unsettled = 0
  /// The number of files that were opened and read.
  public internal(set) var filesRead = 0
  /// The number of bytes read from them.
  public internal(set) var bytesRead = 0
  /// The roots that could not be read, whose photos were kept.
  public internal(set) var staleRoots: [FilePath] = []
  /// The errors of stale roots; a root without an error was empty.
  public internal(set) var staleProblems: [FilePath: Errno] = [:]
  /// The reasons why remote libraries could not be read, with what to do.
  package internal(set) var staleReasons: [FilePath: String] = [:]
  /// The roots that are gone, and whose files are now under another root.
  public internal(set) var movedRoots: [FilePath] = []
  /// The stale roots that are gone, and of which only some files are now under other roots.
  public internal(set) var splitRoots: [FilePath: Split] = [:]

  /// The files of a root that is gone.
  public struct Split: Hashable, Sendable {
    /// The number of files that are now under other roots.
    public let moved: Int
    /// The number of files that were not found, which stay in the index.
    public let left: Int
  }

  /// The mount points of pseudo file systems that were skipped, such as `/proc` and `/sys`.
  public internal(set) var pseudoFileSystems: [FilePath] = []
  /// The photos whose assigned position was removed, since their files contain another picture.
  public internal(set) var droppedPositions: [FilePath] = []
  /// The photos that are gone and had a position imported from another program, which is gone too.
  package internal(set) var lostPositions: [FilePath] = []
  /// The folders whose photos are missing but stay in the index, by path.
  public internal(set) var heldBack: [FilePath: HeldBack] = [:]

  /// Photos that are missing but stay in the index.
  public struct HeldBack: Hashable, Sendable {
    /// The number of missing files.
    public let missing: Int
    /// The number of known files.
    public let known: Int
    /// Whether another file system is at the place of the one that held them; if not, most photos
    /// of a folder are missing at once.
    public let isOtherDevice: Bool
  }

  /// The problems, sorted by path.
  public internal(set) var problems: [Problem] = []
  /// The photos read by this scan that have metadata that could not be read, or a position that
  /// cannot be used.
  public internal(set) var unread: [Unread] = []
  /// Whether the scan was cancelled.
  public internal(set) var wasCancelled = false

  /// A folder tree that was walked.
  struct Walked {
    /// The folders of the tree.
    let folders: [[UInt8]]
    /// The names that were skipped.
    let patterns: ExcludePatterns
  }

  /// The folder trees that were walked, by given folder.
  var walked: [FilePath: Walked] = [:]

  /// Whether the scan opened no file and found no moved or removed files, so that the index is
  /// unchanged.
  public var foundNothingNew: Bool { filesRead == 0 && moved == 0 && removed == 0 }

  /// The number of files and folders that could not be read.
  public var unreadable: Int { files.unreadable + furtherUnreadable }

  /// Adds a problem if a file could not be read or is malformed.
  mutating func note(
    _ outcome: FileOutcome, of path: @autoclosure () -> FilePath, isNew: Bool = true
  ) {
    switch outcome {
    case .malformed(let reason):
      problems.append(Problem(path: path(), isUnreadable: false, reason: reason, isNew: isNew))
    case .unreadable(let reason):
      problems.append(Problem(path: path(), isUnreadable: true, reason: reason, isNew: isNew))
    case .located, .noPosition, .notAPhoto: break
    }
  }
}
