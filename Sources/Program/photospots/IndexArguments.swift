import ArgumentParser
import CivilTime
import Encodings
import PhotoLibrary
import ProgramSettings
import SystemPackage

/// The index option shared by all commands that use the index, and the loading of the index.
struct IndexArguments: ParsableArguments {
  @Option(name: .customLong("index"), help: Self.fileHelp, completion: .file())
  var file: String?

  // Computed once, since the argument parser asks for it many times.
  private static let fileHelp = ArgumentHelp(
    "The index file (default: \(Paths.displayed(Paths.index))).", valueName: "file")

  var cache: PhotoIndexCache {
    PhotoIndexCache(path: file.map(Paths.absolute) ?? Paths.index)
  }

  /// The error of a command that finds no index.
  var missing: MessageError {
    MessageError("there is no index at \(cache.path.escaped). Run 'photospots index FOLDER' first.")
  }

  /// Opens the index, which must exist, for queries about spots of a given cluster radius.
  func open(clusterRadius radiusMeters: Double) throws -> PhotoIndex {
    let start = ContinuousClock.now
    guard let opened = try cache.open(clusterRadius: radiusMeters) else { throw missing }
    if let obstacle = opened.obstacle { StandardError.writeLine("photospots: \(obstacle)") }
    let index = opened.index
    StandardError.detail(
      """
      the index \(cache.path.escaped) holds \(index.fileCount) files and \(index.shotCount) located photos; \
      opened in \(Fixed.text((ContinuousClock.now - start).seconds, decimals: 3)) s
      """)
    return index
  }
}
