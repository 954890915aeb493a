/// The entries of the folders that a scan walked, each in exactly one counter.
public struct EntryCounts: Hashable, Sendable {
  /// The number of all entries, whatever they are.
  public internal(set) var met = 0
  /// The number of files that may be photos by their names; their contents decide.
  public internal(set) var candidates = 0
  /// The number of XMP and JSON files that belong to a photo.
  public internal(set) var sidecars = 0
  /// The number of XMP and JSON files that belong to no photo.
  public internal(set) var unowned = 0
  /// The number of folders that are walked.
  public internal(set) var folders = 0
  /// The number of hidden names that are skipped.
  public internal(set) var hidden = 0
  /// The number of files and folders that are skipped by their names.
  public internal(set) var excluded = 0
  /// The number of files whose names are neither those of photos nor those of sidecars.
  public internal(set) var otherFiles = 0
  /// The number of symbolic links, FIFOs, sockets and devices.
  public internal(set) var notFiles = 0
  /// The number of entries of which nothing can be learnt, each with an error in the report.
  public internal(set) var failed = 0
  /// The number of entries that were gone before they could be looked at.
  public internal(set) var vanished = 0

  /// The sum of the counters, which is ``met``.
  public var sum: Int {
    candidates + sidecars + unowned + folders + hidden + excluded + otherFiles + notFiles + failed
      + vanished
  }

  /// The counters by name, in the order of the document.
  package var named: [(name: String, count: Int)] {
    [
      ("met", met), ("candidates", candidates), ("sidecars", sidecars), ("unowned", unowned),
      ("folders", folders), ("hidden", hidden), ("excluded", excluded), ("otherFiles", otherFiles),
      ("notFiles", notFiles), ("failed", failed), ("vanished", vanished),
    ]
  }

  /// The kind of an entry.
  enum Kind {
    case candidates, sidecars, folders, hidden, excluded, otherFiles, notFiles, failed, vanished
  }

  /// Counts an entry.
  mutating func count(_ kind: Kind) {
    met += 1
    switch kind {
    case .candidates: candidates += 1
    case .sidecars: sidecars += 1
    case .folders: folders += 1
    case .hidden: hidden += 1
    case .excluded: excluded += 1
    case .otherFiles: otherFiles += 1
    case .notFiles: notFiles += 1
    case .failed: failed += 1
    case .vanished: vanished += 1
    }
  }

  mutating func add(_ other: EntryCounts) {
    met += other.met
    candidates += other.candidates
    sidecars += other.sidecars
    unowned += other.unowned
    folders += other.folders
    hidden += other.hidden
    excluded += other.excluded
    otherFiles += other.otherFiles
    notFiles += other.notFiles
    failed += other.failed
    vanished += other.vanished
  }
}
