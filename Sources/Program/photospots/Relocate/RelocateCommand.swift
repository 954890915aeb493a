import ArgumentParser
import Encodings
import PhotoLibrary
import ProgramSettings
import SystemPackage
import TerminalOutput
import Upkeep

/// `photospots relocate`
struct RelocateCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "relocate",
    abstract: "Take a library along that was moved or restored to another folder.",
    discussion: """
      Moves the entries of a folder in the index to another path: imported and inferred positions, \
      the options kept with the folder, photos of places, and pictures taken again go along, and \
      ids of spots, mutes and history stay. At least half of the photos must be in the new folder, \
      with the same relative paths and sizes, and some of them are read and compared. Photos are \
      not changed. --undo takes a relocation back, with the folders in the same order, and without \
      looking at them.
      """)

  @Argument(help: "The folder in the index, which need not exist any more.", completion: .directory)
  var old: String

  @Argument(help: "The folder where its photos are now.", completion: .directory)
  var new: String

  @Flag(help: "Take back a relocation of the first folder to the second.")
  var undo = false

  @OptionGroup var state: StateArguments
  @OptionGroup var index: IndexArguments
  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    let (old, new) = (try Paths.root(old), try Paths.root(new))
    let outcome = try LibraryRelocation(
      index.cache, stateFolder: state.folder, settings: try settings.resolve(), log: .terminal
    ).run(old, to: new, takesBack: undo)
    let found = outcome.relocation
    let counts = [
      (outcome.givenCount, "given position", "given positions"),
      (outcome.placePhotoCount, "photo of a place", "photos of places"),
      (outcome.recreationCount, "picture taken again", "pictures taken again"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
    let along = counts.isEmpty ? "" : "; along go \(counts.joined(separator: ", "))"
    let compared =
      undo
      ? ""
      : """
      : \(found.foundCount) of \(found.knownCount) photos are there, \(found.comparedCount) compared, \
      \(found.differing.count) of them differ
      """
    try StandardOutput.write(
      """
      relocated \(found.old.escaped) to \(found.new.escaped)\(compared)\(along); the index holds \
      \(outcome.index.shotCount) located photo\(outcome.index.shotCount == 1 ? "" : "s")

      """)
    for name in outcome.settings {
      StandardError.writeLine(
        "photospots: the setting \(name) still names \(found.old.escaped); change it")
    }
    guard !undo else { return }
    let command = index.commands(state).text("relocate", "--undo", old.quoted, new.quoted)
    StandardError.note("to take it back: \(command)")
  }
}
