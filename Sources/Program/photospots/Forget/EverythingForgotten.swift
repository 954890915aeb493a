import CLibrary
import Encodings
import PhotoLibrary
import ProgramSettings
import Storage
import SystemPackage
import TerminalOutput
import Upkeep

/// Deletes everything that PhotoSpots stored: lists the files, asks, and deletes them.
struct EverythingForgotten {
  let index: PhotoIndexCache
  let stateFolder: FilePath
  let withSettings: Bool
  /// The settings, for files that the user placed elsewhere; `nil` if they cannot be read.
  let settings: Settings?

  /// Runs the deletion.
  ///
  /// - Parameter asks: Whether the user is asked before anything is deleted.
  /// - Throws: `MessageError` if the user does not agree or cannot be asked, if a watch is running,
  ///   or if a file cannot be listed or deleted.
  func run(asks: Bool) throws {
    let locks = try takeLocks()
    defer { locks.forEach(Disk.unlockAndClose) }
    let stored: StoredFiles
    do throws(Errno) {
      stored = try StoredFiles(
        index: index.path, state: stateFolder, withSettings: withSettings)
    } catch {
      throw MessageError("the stored files cannot be listed: \(error). Nothing was deleted.")
    }
    try StandardOutput.write(listing(of: stored))
    guard stored.groups.contains(where: { !$0.files.isEmpty }) else { return }
    if asks { try ask() }
    var failures = 0
    let (count, byteCount) = stored.delete { path, error in
      failures += 1
      StandardError.writeLine("photospots: \(path.escaped) cannot be deleted: \(error)")
    }
    try StandardOutput.write("deleted \(Self.files(count)), \(Self.size(byteCount))\n")
    if failures > 0 {
      throw MessageError(
        "some files could not be deleted. Check their permissions, then try again.")
    }
  }

  /// Takes the locks of the watch and of the index, so that no program stores anything meanwhile.
  private func takeLocks() throws -> [FileDescriptor] {
    var locks: [FileDescriptor] = []
    for (path, holder) in [
      (stateFolder.appending("lock"), "'photospots watch' or 'serve'"),
      (Disk.sibling(of: index.path, ".lock"), "an update of the index"),
    ] where Disk.exists(path) {
      guard let lock = try lock(path) else {
        locks.forEach(Disk.unlockAndClose)
        throw MessageError("\(holder) is running. Stop it, then try again. Nothing was deleted.")
      }
      locks.append(lock)
    }
    return locks
  }

  private func lock(_ path: FilePath) throws -> FileDescriptor? {
    do throws(Errno) { return try Disk.lock(path) } catch {
      throw MessageError("\(path.escaped) cannot be locked: \(error). Nothing was deleted.")
    }
  }

  private func ask() throws {
    guard isatty(STDIN_FILENO) == 1, StandardError.isTerminal else {
      throw MessageError("nothing was deleted. Add --yes to delete these files.")
    }
    StandardError.writeLine("Delete these files? Type 'yes' to confirm.")
    // A terminal hands over a line at a time.
    var answer: [UInt8] = Array(repeating: 0, count: 16)
    let count = try answer.withUnsafeMutableBytes { answer in
      try FileDescriptor.standardInput.read(into: answer)
    }
    guard answer[..<count].elementsEqual("yes\n".utf8) else {
      throw MessageError("nothing was deleted")
    }
  }

  // MARK: - Listing

  private func listing(of stored: StoredFiles) -> String {
    var lines: [String] = []
    for group in stored.groups where !group.files.isEmpty {
      lines.append(
        "\(group.kind.title): \(Self.files(group.files.count)), \(Self.size(group.byteCount))")
      lines += Self.shown(group).map { "  \($0)" }
    }
    if lines.isEmpty { lines.append("PhotoSpots has stored nothing here.") }
    lines += kept(stored).map { "kept: \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let shownUnknown = 20

  /// The files of a group, with one line for each folder of caches.
  private static func shown(_ group: StoredFiles.Group) -> [String] {
    guard group.kind == .caches else { return group.files.map { $0.path.escaped } }
    let links = group.files.map(\.path).filter { $0.removingLastComponent() == Paths.caches }
    return links.map(\.escaped)
      + group.folders.filter { folder in
        folder.removingLastComponent() == Paths.caches
      }.map { folder in
        let files = group.files.filter { $0.path.starts(with: folder) }
        return "\(folder.escaped) (\(Self.files(files.count)))"
      }
  }

  private func kept(_ stored: StoredFiles) -> [String] {
    var kept = ["photos and the files beside them"]
    if Disk.exists(Paths.settingsFile), !withSettings {
      kept.append(
        """
        \(Paths.settingsFile.escaped), which may hold positions and tokens; --with-settings \
        deletes it
        """)
    }
    if let places = try? settings?.placesFile, !places.starts(with: stateFolder),
      Disk.exists(places)
    {
      kept.append(
        "\(places.escaped), which the setting placesFile may share with other machines")
    }
    if let other = stored.otherIndex {
      kept.append("\(other.escaped), another index than the one that --index names")
    }
    kept += stored.unknown.prefix(Self.shownUnknown).map {
      "\($0.escaped), which PhotoSpots did not write"
    }
    let more = stored.unknown.count - Self.shownUnknown
    return more > 0 ? kept + ["\(more) more that PhotoSpots did not write"] : kept
  }

  private static func files(_ count: Int) -> String { "\(count) file\(count == 1 ? "" : "s")" }

  private static func size(_ byteCount: Int64) -> String {
    switch byteCount {
    case ..<1000: "\(byteCount) B"
    case ..<1_000_000: "\((byteCount + 500) / 1000) kB"
    default: "\((byteCount + 500_000) / 1_000_000) MB"
    }
  }
}
