package import Encodings
package import IndexUpdates
package import PhotoLibrary
import PhotoMetadata
import Storage
package import StoreServer
import SystemPackage
import Upkeep

/// A summary of a scan for output.
package struct ScanSummary {
  package let report: ScanReport
  package let seconds: Double
  package let index: PhotoIndex
  /// The results of the position inference; `nil` without tracks.
  package let tracks: TrackInference.Report?
  /// The folders whose files are away and seem to be in a new root.
  package let counterparts: [PhotoIndex.Counterpart]
  /// The photos sent to a store; `nil` without a store.
  package var sent: SentPhotos?
  /// Whether the JSON form also lists file problems that were already known before this scan.
  package var listsKnownProblems = true
  /// The commands to offer.
  package var commands = OfferedCommands()

  /// Creates the summary of several scans. The index totals are those of the last scan.
  package init(_ outcomes: [IndexRun.Outcome]) {
    report = ScanReport(outcomes.map(\.report))
    seconds = outcomes.reduce(0) { $0 + $1.seconds }
    index = outcomes.last?.index ?? PhotoIndex()
    // Only the scan of local folders, which comes first, uses tracks.
    tracks = outcomes.first?.tracks
    counterparts = outcomes.flatMap(\.counterparts)
  }

  package init(_ outcome: IndexRun.Outcome) {
    report = outcome.report
    seconds = outcome.seconds
    index = outcome.index
    tracks = outcome.tracks
    counterparts = outcome.counterparts
  }

  /// The maximum number of files with new problems that the text form names. JSON lists all of
  /// them.
  private static let namedProblems = 20

  package func show(asJSON: Bool) throws {
    if asJSON {
      try StandardOutput.write(json: json(.indented))
    } else if !StandardError.isQuiet {
      try StandardOutput.write(text + (tracks?.text ?? "") + (sent?.text ?? ""))
    }
    for file in report.unowned {
      StandardError.detail("\(file.escaped) belongs to no photo")
    }
    tracks?.reportProblems()
    Self.report(report.problems.filter(\.isNew))
    if !report.pseudoFileSystems.isEmpty {
      let names = report.pseudoFileSystems.map(\.escaped).joined(separator: ", ")
      StandardError.writeLine(
        "photospots: skipped virtual file systems, which hold no photos: \(names)")
    }
    for link in report.replacedByLinks.prefix(Self.namedProblems) {
      StandardError.writeLine("photospots: " + replaced(by: link))
    }
    for photo in report.droppedPositions.prefix(Self.namedProblems) {
      StandardError.writeLine(
        """
        photospots: \(photo.escaped) has neither the date nor the content of before; its given position is \
        removed
        """)
    }
    if report.droppedPositions.count > Self.namedProblems {
      StandardError.writeLine(
        "photospots: \(report.droppedPositions.count) given positions are removed in all")
    }
    if let photo = report.lostPositions.first {
      let count = report.lostPositions.count
      let what = count == 1 ? "1 removed photo" : "\(Count.text(count)) removed photos"
      StandardError.writeLine(
        """
        photospots: \(what) had an imported position, such as \(photo.escaped); if it returns, import the \
        positions again
        """)
    }
    for root in report.movedRoots {
      StandardError.writeLine(
        """
        photospots: \(root.escaped) was renamed or moved; its photos that were found stay in the index
        """)
    }
    Self.offer(counterparts, commands)
    for root in report.staleRoots {
      StandardError.writeLine("photospots: " + stale(root))
    }
  }

  /// Offers to relocate folders that were moved or restored elsewhere.
  package static func offer(
    _ counterparts: [PhotoIndex.Counterpart], _ commands: OfferedCommands
  ) {
    for found in counterparts {
      StandardError.writeLine(
        """
        photospots: \(found.new.escaped) holds \(found.foundCount) of \(found.knownCount) files of \
        \(found.old.escaped), which is away. To take its positions, places and history along: \
        \(commands.text("relocate", found.old.quoted, found.new.quoted))
        """)
    }
  }

  /// Returns a message about a link in the place of a known folder or file, with advice.
  private func replaced(by link: FilePath) -> String {
    let fact = "\(link.escaped) is a symbolic link now, and scans do not follow links"
    guard let folder = Disk.folder(linkedFrom: link) else { return fact }
    return "\(fact). To index what it leads to: \(commands.text("index", folder.quoted))"
  }

  /// Returns the problem of a root folder and what to do about it.
  private func stale(_ root: FilePath) -> String {
    if let reason = report.staleReasons[root] {
      return "\(reason) Its photos stay in the index, marked stale."
    }
    if let held = report.heldBack[root] { return held.text(of: root, commands) }
    if let split = report.splitRoots[root] { return split.text(of: root, commands) }
    let state: String
    var command = commands.text("forget", root.quoted)
    switch report.staleProblems[root] {
    case nil: (state, command) = ("is empty", commands.text("index", "--full", root.quoted))
    case .noSuchFileOrDirectory: state = "does not exist"
    case .notDirectory: state = "is not a folder"
    case .some(let error): state = "cannot be read (\(error))"
    }
    return """
      \(root.escaped) \(state); its photos stay in the index, marked stale. Is its disk mounted? If they \
      are gone for good: \(command)
      """
  }

  /// Reports the files and folders with problems on standard error.
  package static func report(_ problems: [ScanReport.Problem]) {
    for problem in problems.prefix(namedProblems) {
      StandardError.writeLine("photospots: \(problem.path.escaped): \(problem.reason)")
    }
    if problems.count > namedProblems {
      let more = problems.count - namedProblems
      StandardError.writeLine("photospots: and \(more) more; --json lists them all")
    }
  }

  /// Returns the scan as a JSON object, compact or indented.
  package func json(_ layout: JSONWriter.Layout) -> [UInt8] {
    var writer = JSONWriter(layout: layout)
    write(to: &writer)
    writer.newline()
    return writer.bytes
  }

  /// The scan in a few words, for example `3 new, 1 moved, 0.24 s`.
  package var line: String {
    let counts = [
      (report.new, "new"), (report.changed, "changed"), (report.moved, "moved"),
      (report.removed, "removed"),
    ].filter { $0.0 > 0 }
    let parts =
      counts.isEmpty ? ["nothing new, \(report.filesRead) read"] : counts.map { "\($0.0) \($0.1)" }
    let seconds = Double(Int(saturating: seconds * 100)) / 100
    return (parts + ["\(seconds) s"]).joined(separator: ", ")
  }

  /// The scan as two rows of text.
  package var text: String {
    let seconds = Double(Int(saturating: seconds * 100)) / 100
    let files = report.files
    let rows = [
      """
      \(Count.text(files.photos)) photo\(files.photos == 1 ? "" : "s") scanned in \(seconds) s: \
      \(files.text(unreadable: report.unreadable))
      """,
      """
      \(report.new) new, \(report.changed) changed, \(report.moved) moved, \(report.removed) removed; \
      \(indexText)
      """,
    ]
    let further = [datedByNameText, unownedText, linksText, unreadText].compactMap { $0 }
    return (rows + further).map { StandardOutput.row("", $0) + "\n" }.joined()
  }

  /// The number of photos of which only the name has a date; `nil` if none.
  private var datedByNameText: String? {
    let count = report.datedByName
    guard count > 0 else { return nil }
    return count == 1
      ? "1 photo has its date only in its name, by the day (setting datesFromNames)"
      : "\(count) photos have their date only in their names, by the day (setting datesFromNames)"
  }

  /// The number of sidecars that belong to no photo, and how to learn more; `nil` if none.
  private var unownedText: String? {
    let count = report.unowned.count
    guard count > 0 else { return nil }
    let text =
      count == 1
      ? "1 XMP or JSON file belongs to no photo"
      : "\(Count.text(count)) XMP and JSON files belong to no photo"
    guard !StandardError.isVerbose else { return text }
    return "\(text): --verbose names \(count == 1 ? "it" : "them")"
  }

  /// The number of symbolic links, which are not followed; `nil` if none.
  private var linksText: String? {
    switch report.linkCount {
    case 0: nil
    case 1: "1 symbolic link is not followed"
    default: "\(Count.text(report.linkCount)) symbolic links are not followed"
    }
  }

  /// The number of photos with metadata that was not read or is in doubt, and how to learn more;
  /// `nil` if none.
  private var unreadText: String? {
    guard let first = report.unread.first else { return nil }
    let count = report.unread.count
    return """
      \(count) file\(count == 1 ? " holds" : "s hold") metadata that is not read or in doubt: \
      \(commands.text("inspect", first.path.quoted))
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
      writer.member("scanned", report.files.photos)
      writer.member("located", report.files.located)
      writer.member("noPosition", report.files.withoutPosition)
      writer.member("datedByName", report.datedByName)
      writer.member("malformed", report.files.malformed)
      writer.member("unreadable", report.unreadable)
      writer.member("new", report.new)
      writer.member("changed", report.changed)
      writer.member("moved", report.moved)
      writer.member("removed", report.removed)
      writer.member("notPhotos", report.files.notPhotos)
      writer.object("entries") { writer in
        for (name, count) in report.entries.named { writer.member(name, count) }
      }
      writer.member("shots", index.shotCount)
      writer.member("furtherFiles", index.furtherFileCount)
      writer.member("seconds", seconds)
      writer.member("filesRead", report.filesRead)
      writer.member("bytesRead", report.bytesRead)
      writer.member("cancelled", report.wasCancelled)
      tracks?.write(to: &writer)
      sent?.write(to: &writer)
      writer.array("staleRoots") { writer in
        for root in report.staleRoots { writer.string(name: root.shown) }
      }
      writer.array("heldBack") { writer in
        for (path, held) in report.heldBack.sorted(by: { $0.key.string < $1.key.string }) {
          writer.object { writer in
            writer.member("path", name: path.shown)
            writer.member("missing", held.missing)
            writer.member("known", held.known)
            writer.member("isOtherDevice", held.isOtherDevice)
          }
        }
      }
      writer.array("splitRoots") { writer in
        for (path, split) in report.splitRoots.sorted(by: { $0.key.string < $1.key.string }) {
          writer.object { writer in
            writer.member("path", name: path.shown)
            writer.member("moved", split.moved)
            writer.member("left", split.left)
          }
        }
      }
      writer.array("relocations") { writer in
        for found in counterparts {
          writer.object { writer in
            writer.member("from", name: found.old.shown)
            writer.member("to", name: found.new.shown)
            writer.member("found", found.foundCount)
            writer.member("known", found.knownCount)
          }
        }
      }
      writer.array("droppedPositions") { writer in
        for photo in report.droppedPositions { writer.string(name: photo.shown) }
      }
      writer.array("lostPositions") { writer in
        for photo in report.lostPositions { writer.string(name: photo.shown) }
      }
      writer.array("pseudoFileSystems") { writer in
        for folder in report.pseudoFileSystems { writer.string(name: folder.shown) }
      }
      writer.array("movedRoots") { writer in
        for root in report.movedRoots { writer.string(name: root.shown) }
      }
      writer.member("links", report.linkCount)
      writer.array("replacedByLinks") { writer in
        for link in report.replacedByLinks { writer.string(name: link.shown) }
      }
      writer.array("unread") { writer in
        for file in report.unread {
          writer.object { writer in
            writer.member("path", name: file.path.shown)
            writer.array("blocks") { writer in
              for block in file.blocks { writer.string(block.description) }
            }
          }
        }
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

extension ScanAdvice {
  /// Creates the advice after a scan; `nil` if the scan was incomplete, or of libraries on servers
  /// alone, whose positions come from the server.
  package init?(_ summary: ScanSummary) {
    let report = summary.report
    guard !report.wasCancelled, report.staleRoots.isEmpty,
      summary.index.roots.contains(where: { !$0.path.isRemote })
    else { return nil }
    self.init(
      photoCount: report.files.photos,
      unplacedCount: max(0, report.files.withoutPosition - summary.index.givenCount),
      usedTracks: summary.tracks != nil, commands: summary.commands)
  }
}
