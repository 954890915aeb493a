public import SystemPackage

/// What a scan found.
public struct ScanReport: Sendable {
  /// A file or folder with which something is wrong.
  public struct Problem: Hashable, Sendable {
    /// Its absolute path.
    public let path: FilePath
    /// Whether the system would not give it out; otherwise its content makes no sense.
    public let isUnreadable: Bool
    /// What is wrong.
    public let reason: String
    /// Whether this scan came upon it; otherwise an earlier one did, and the file has not changed
    /// since.
    public let isNew: Bool
  }

  /// The photo files under the given folders.
  public internal(set) var scanned = 0
  /// Those with a position.
  public internal(set) var located = 0
  /// Those without one.
  public internal(set) var withoutPosition = 0
  /// Those that make no sense.
  public internal(set) var malformed = 0
  /// The files and folders that the system would not give out.
  public internal(set) var unreadable = 0
  /// The files that were not there before.
  public internal(set) var new = 0
  /// The files with another size or modification time than before.
  public internal(set) var changed = 0
  /// The files that were at another path before, and were not read again.
  public internal(set) var moved = 0
  /// The files that are gone.
  public internal(set) var removed = 0
  /// The files that were left as they were, because they may still be being written.
  public internal(set) var unsettled = 0
  /// The files that were opened and read.
  public internal(set) var filesRead = 0
  /// How many bytes of them.
  public internal(set) var bytesRead = 0
  /// The folder trees that could not be read, whose photos were kept as they were.
  public internal(set) var staleRoots: [FilePath] = []
  /// Why they could not be read; a folder without a reason is empty.
  public internal(set) var staleProblems: [FilePath: Errno] = [:]
  /// Why remote libraries could not be read, in words that say what to do.
  package internal(set) var staleReasons: [FilePath: String] = [:]
  /// The folder trees that are gone, and whose files are under another root now.
  public internal(set) var movedRoots: [FilePath] = []
  /// The mount points that were passed over, because what is there are no files: `/proc`, `/sys`.
  public internal(set) var pseudoFileSystems: [FilePath] = []
  /// What is wrong with files and folders, in the order of their paths.
  public internal(set) var problems: [Problem] = []
  /// Whether the scan was ended before it was done.
  public internal(set) var wasCancelled = false

  /// The folders that were come upon, by the given folder that they lie in.
  var walked: [FilePath: [[UInt8]]] = [:]

  /// Whether the scan opened no file and found none moved or gone, so that the index is what it
  /// was.
  public var foundNothingNew: Bool { filesRead == 0 && moved == 0 && removed == 0 }

  mutating func count(_ outcome: FileOutcome) {
    switch outcome {
    case .located: located += 1
    case .noPosition: withoutPosition += 1
    case .malformed: malformed += 1
    case .unreadable: unreadable += 1
    case .notAPhoto: return
    }
    scanned += 1
  }

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
