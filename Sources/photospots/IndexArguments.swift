import ArgumentParser
import PhotoLibrary
import SystemPackage

/// The flag of every command that uses the index, and what is behind it.
struct IndexArguments: ParsableArguments {
  @Option(
    name: .customLong("index"),
    help: ArgumentHelp(
      "The index file (default: \(Places.displayed(Places.index))).", valueName: "file"),
    completion: .file())
  var file: String?

  var cache: PhotoIndexCache {
    PhotoIndexCache(path: file.map(Places.absolute) ?? Places.index)
  }

  /// What a command says that finds no index.
  var missing: Failure {
    Failure("there is no index at \(cache.path.escaped). Run 'photospots index FOLDER' first.")
  }

  /// Loads the index, which must be there.
  func load() throws -> PhotoIndex {
    let start = ContinuousClock.now
    guard let index = try cache.loadForQuestions() else { throw missing }
    StandardError.detail(
      """
      the index \(cache.path.escaped) holds \(index.fileCount) files and \(index.shotCount) located photos; \
      loaded in \(Fixed.text((ContinuousClock.now - start).seconds, decimals: 3)) s
      """)
    return index
  }
}
