import ArgumentParser
import CivilTime
import Encodings
import PhotoLibrary
import ProgramSettings
import Storage
import SystemPackage
import TerminalOutput

/// The index option shared by all commands that use the index, and the loading of the index.
struct IndexArguments: ParsableArguments {
  @Option(name: .customLong("index"), help: Self.fileHelp, completion: .file())
  var file: String?

  // Computed once, since the argument parser asks for it many times.
  private static let fileHelp = ArgumentHelp(
    "The index file (default: \(Paths.displayed(Paths.index))).", valueName: "file")

  func validate() throws {
    try Paths.checkIsNamed(file, as: "--index")
    guard let path = file.map(Paths.absolute), Disk.isFolder(path) else { return }
    throw ValidationError(
      "--index \(path.escaped) is a folder; name a file in it, such as index.json")
  }

  var cache: PhotoIndexCache {
    var cache = PhotoIndexCache(path: file.map(Paths.absolute) ?? Paths.index)
    cache.commands = commands()
    return cache
  }

  /// Returns the commands to offer in messages.
  ///
  /// - Parameter state: The options of the state folder, if the command has them.
  /// - Returns: The commands.
  func commands(_ state: StateArguments? = nil) -> OfferedCommands {
    OfferedCommands(
      index: file.map(Paths.absolute), state: state?.path.map(Paths.absolute))
  }

  /// The error of a command that finds no index.
  var missing: MessageError {
    MessageError(
      """
      there is no index at \(cache.path.escaped). Run '\(commands().text("index", "FOLDER"))' first.
      """)
  }

  /// Opens the index for queries that the user's own places answer too.
  ///
  /// Without an index file, the places are enough, and their number is told; without places either,
  /// that is the error of ``open(clusterRadius:)``.
  ///
  /// - Parameters:
  ///   - radiusMeters: The cluster radius of spots.
  ///   - placeCount: Returns the number of the user's places.
  /// - Returns: The index, which is empty where there are only places.
  /// - Throws: A `MessageError` where there is neither, or the error of the index or the places.
  func open(
    clusterRadius radiusMeters: Double, orPlaces placeCount: () throws -> Int
  ) throws -> PhotoIndex {
    guard cache.stamp() == nil, case let count = try placeCount(), count > 0 else {
      return try open(clusterRadius: radiusMeters)
    }
    StandardError.note(
      """
      there is no index yet, so only your \(count == 1 ? "place is" : "\(Count.text(count)) places are") \
      known; '\(commands().text("index", "FOLDER"))' adds the spots of your photos
      """)
    return PhotoIndex()
  }

  /// Opens the index, which must exist, for queries about spots of a given cluster radius.
  func open(clusterRadius radiusMeters: Double) throws -> PhotoIndex {
    let start = ContinuousClock.now
    guard let opened = try cache.open(clusterRadius: radiusMeters) else { throw missing }
    if let obstacle = opened.obstacle { StandardError.writeLine("photospots: \(obstacle)") }
    let index = opened.index
    StandardError.detail(
      """
      the index \(cache.path.escaped) holds \(Count.text(index.fileCount, "file")) and \
      \(Count.text(index.shotCount, "located photo")); opened in \(Fixed.text((ContinuousClock.now - start).seconds, decimals: 3)) s
      """)
    return index
  }
}
