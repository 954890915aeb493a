import Interchange
import PhotoLibrary
import Storage
import SystemPackage

/// What is told after a scan.
struct ScanSummary {
  let report: ScanReport
  let seconds: Double
  let index: PhotoIndex
  /// What was found on tracks; `nil` without tracks.
  let tracks: TrackInference.Report?
  /// Whether JSON lists what was wrong with files before this scan too.
  var listsKnownProblems = true

  /// Creates the summary of several scans, of which the last one's index counts.
  init(_ outcomes: [IndexRun.Outcome]) {
    report = ScanReport(outcomes.map(\.report))
    seconds = outcomes.reduce(0) { $0 + $1.seconds }
    index = outcomes.last?.index ?? PhotoIndex()
    // Those of the folders, which come first.
    tracks = outcomes.first?.tracks
  }

  init(_ outcome: IndexRun.Outcome) {
    report = outcome.report
    seconds = outcome.seconds
    index = outcome.index
    tracks = outcome.tracks
  }

  /// So many files with new problems are named in text; in JSON all of them.
  private static let namedProblems = 20

  func show(asJSON: Bool) throws {
    if asJSON {
      try StandardOutput.write(json: json(.indented))
    } else if !StandardError.isQuiet {
      try StandardOutput.write(text + (tracks?.text ?? ""))
    }
    tracks?.tellProblems()
    Self.tell(of: report.problems.filter(\.isNew))
    if !report.pseudoFileSystems.isEmpty {
      let names = report.pseudoFileSystems.map(\.escaped).joined(separator: ", ")
      StandardError.writeLine(
        "photospots: passed over what the system makes up, which holds no photos: \(names)")
    }
    for root in report.movedRoots {
      StandardError.writeLine(
        "photospots: \(root.escaped) has another name now; what was known of it is kept")
    }
    for root in report.staleRoots {
      StandardError.writeLine("photospots: " + stale(root))
    }
  }

  /// What is wrong with a root, and what to do.
  private func stale(_ root: FilePath) -> String {
    if let reason = report.staleReasons[root] {
      return "\(reason) Its photos stay in the index, marked stale."
    }
    let state: String
    var command = "forget"
    switch report.staleProblems[root] {
    case nil: (state, command) = ("is empty", "index --full")
    case .noSuchFileOrDirectory: state = "does not exist"
    case .notDirectory: state = "is no folder"
    case .some(let error): state = "cannot be read (\(error))"
    }
    return """
      \(root.escaped) \(state); its photos stay in the index, marked stale. Is its disk mounted? If they \
      are gone for good: photospots \(command) \(root.quoted)
      """
  }

  /// Names files and folders with which something is wrong.
  static func tell(of problems: [ScanReport.Problem]) {
    for problem in problems.prefix(namedProblems) {
      StandardError.writeLine("photospots: \(problem.path.escaped): \(problem.reason)")
    }
    if problems.count > namedProblems {
      let more = problems.count - namedProblems
      StandardError.writeLine("photospots: and \(more) more; --json lists them all")
    }
  }

  /// The scan as an object of JSON on a line, or on several.
  func json(_ layout: JSONWriter.Layout) -> [UInt8] {
    var writer = JSONWriter(layout: layout)
    write(to: &writer)
    writer.newline()
    return writer.bytes
  }

  /// The scan in a few words: `3 new, 1 moved, 0.24 s`.
  var line: String {
    let counts = [
      (report.new, "new"), (report.changed, "changed"), (report.moved, "moved"),
      (report.removed, "removed"),
    ].filter { $0.0 > 0 }
    let parts =
      counts.isEmpty ? ["nothing new, \(report.filesRead) read"] : counts.map { "\($0.0) \($0.1)" }
    let seconds = Double(Int(saturating: seconds * 100)) / 100
    return (parts + ["\(seconds) s"]).joined(separator: ", ")
  }

  /// The scan in two lines.
  var text: String {
    let seconds = Double(Int(saturating: seconds * 100)) / 100
    return """
      \(report.scanned) photo\(report.scanned == 1 ? "" : "s") scanned in \(seconds) s: \(report.located) located, \
      \(report.withoutPosition) without position, \(report.malformed) malformed, \
      \(report.unreadable) unreadable
      \(report.new) new, \(report.changed) changed, \(report.moved) moved, \(report.removed) removed; \
      \(indexText)

      """
  }

  private var indexText: String {
    let (shots, files) = (index.shotCount, index.furtherFileCount)
    let text = "the index holds \(shots) located photo\(shots == 1 ? "" : "s")"
    switch files {
    case 0: return text
    case 1: return text + "; 1 more file belongs to one of them"
    default: return text + "; \(files) more files belong to them"
    }
  }

  private func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("scanned", report.scanned)
      writer.member("located", report.located)
      writer.member("noPosition", report.withoutPosition)
      writer.member("malformed", report.malformed)
      writer.member("unreadable", report.unreadable)
      writer.member("new", report.new)
      writer.member("changed", report.changed)
      writer.member("moved", report.moved)
      writer.member("removed", report.removed)
      writer.member("shots", index.shotCount)
      writer.member("furtherFiles", index.furtherFileCount)
      writer.member("seconds", seconds)
      writer.member("filesRead", report.filesRead)
      writer.member("bytesRead", report.bytesRead)
      writer.member("cancelled", report.wasCancelled)
      tracks?.write(to: &writer)
      writer.array("staleRoots") { writer in
        for root in report.staleRoots { writer.string(name: root.shown) }
      }
      writer.array("pseudoFileSystems") { writer in
        for folder in report.pseudoFileSystems { writer.string(name: folder.shown) }
      }
      writer.array("movedRoots") { writer in
        for root in report.movedRoots { writer.string(name: root.shown) }
      }
      writer.array("problems") { writer in
        for problem in report.problems where problem.isNew || listsKnownProblems {
          writer.object { writer in
            writer.member("path", name: problem.path.shown)
            writer.member("outcome", problem.isUnreadable ? "unreadable" : "malformed")
            writer.member("reason", problem.reason)
          }
        }
      }
    }
  }
}
