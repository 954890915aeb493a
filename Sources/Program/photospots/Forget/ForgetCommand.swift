import ArgumentParser
import CivilTime
import Encodings
import IndexUpdates
import PhotoLibrary
import ProgramSettings
import Storage
import SystemPackage
import TerminalOutput
import Upkeep

/// `photospots forget`
struct ForgetCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Drop folders from the index, or delete everything that PhotoSpots stored.",
    discussion: """
      Removes folders from the index that no longer exist or should not have been indexed. Photos \
      are not changed, the disk is not read, and cooldowns and history stay. A subfolder of an \
      indexed folder returns with the next 'photospots index', unless --exclude names it. If \
      imported positions or photos of places would be lost, --yes is needed; a library that was \
      moved or restored elsewhere keeps them with 'photospots relocate'.

      With --everything, the index, its pictures and map tiles, cooldowns, history, mutes, devices \
      and their trails, your own places, and keys are listed, and deleted after confirmation. \
      Photos, retaken photos included, and the settings file stay; --with-settings deletes the \
      settings file too. Of several indexes only the one that --index names is deleted. \
      Notifications already sent and data in PostgreSQL are not deleted.
      """)

  @Argument(
    help: "The folders to drop, with their subfolders, and addresses of libraries.",
    completion: .directory)
  var folders: [String] = []

  @Flag(help: "Delete everything that PhotoSpots stored, after confirmation.")
  var everything = false

  @Flag(help: "Delete the settings file too.")
  var withSettings = false

  @Flag(help: "Delete without confirmation.")
  var yes = false

  @OptionGroup var state: StateArguments
  @OptionGroup var index: IndexArguments
  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    guard everything != folders.isEmpty else { return }
    throw ValidationError(
      everything
        ? "--everything takes no folders" : "name the folders to drop, or use --everything")
  }

  func run() throws {
    guard !everything else {
      return try EverythingForgotten(
        index: index.cache, stateFolder: state.folder, withSettings: withSettings,
        settings: try? settings.resolve()
      ).run(asks: !yes)
    }
    let settings = try settings.resolve()
    let radius = try settings.clusterRadiusMeters
    let cache = index.cache
    let lock = try cache.lock(waits: true)
    guard let previous = try cache.load() else { throw index.missing }
    let known = previous.roots.map(\.path)
    let folders = try folders.map { try Paths.root($0, known: known) }
    if let unknown = folders.first(where: { !previous.holds($0) }) {
      let roots = previous.roots.map(\.path.escaped).joined(separator: ", ")
      throw MessageError(
        """
        the index contains no files in \(unknown.escaped). \
        \(roots.isEmpty ? "It contains no folders." : "Its folders: \(roots)")
        """)
    }
    if !yes { try checkLosses(folders, previous, settings) }
    let (next, removed) = PhotoIndexer().forget(folders, in: previous, now: .now)
    if let obstacle = try cache.save(next, clusterRadius: radius) {
      StandardError.writeLine("photospots: \(obstacle)")
    }
    _ = consume lock
    for library in folders.compactMap({ RemoteLibrary(path: $0.bytes) }) {
      do throws(Errno) { try RemoteRun.forget(library, cache) } catch {
        throw MessageError(
          "\(library) is forgotten, but the progress of its last walk cannot be deleted: \(error)")
      }
    }
    let names = folders.map(\.escaped).joined(separator: ", ")
    try StandardOutput.write(
      """
      forgot \(names): \(removed) file\(removed == 1 ? "" : "s"); the index holds \(next.shotCount) located \
      photo\(next.shotCount == 1 ? "" : "s"), \(previous.shotCount - next.shotCount) fewer than before

      """)
    let roots = next.roots.filter { root in folders.contains { $0.starts(with: root.path) } }
    for root in roots {
      StandardError.writeLine(
        """
        photospots: files that still exist return with the next '\(index.commands(state).text("index"))', \
        since \(root.path.escaped) stays in the index
        """)
    }
  }

  /// Checks that nothing is lost that only the user has.
  private func checkLosses(
    _ folders: [FilePath], _ index: PhotoIndex, _ settings: Settings
  ) throws {
    let losses = try ForgetLosses(
      folders, of: index, stateFolder: state.folder, settings: settings, log: .terminal)
    guard let text = losses.text else { return }
    let others = index.roots.map(\.path).filter { root in
      !folders.contains { root.starts(with: $0) }
    }
    let commands = self.index.commands(state)
    var advice = """
      If the folder was moved or restored elsewhere, '\(commands.text("relocate", "OLD", "NEW"))' \
      keeps them; --yes forgets them too.
      """
    if let found = folders.lazy.compactMap({ index.counterpart(of: $0, in: others) }).first {
      advice = """
        Most of its files are in \(found.new.escaped). To keep them: \
        \(commands.text("relocate", found.old.quoted, found.new.quoted))
        """
    }
    throw MessageError("\(text) would be lost; nothing was forgotten. \(advice)")
  }
}
