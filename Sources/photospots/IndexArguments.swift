import ArgumentParser
import PhotoLibrary
import SystemPackage

/// The flag of every command that uses the index, and what is behind it.
struct IndexArguments: ParsableArguments {
  @Option(
    name: .customLong("index"),
    help: ArgumentHelp(
      "The index file, instead of photospots/index.json in $XDG_CACHE_HOME.", valueName: "file"))
  var file: String?

  var cache: PhotoIndexCache {
    PhotoIndexCache(path: file.map(Places.absolute) ?? Places.index)
  }

  /// Loads the index, which must be there.
  func load() throws -> PhotoIndex {
    guard let index = try cache.loadForQuestions() else {
      throw Failure(
        "there is no index at \(cache.path.escaped). Run 'photospots index FOLDER' first.")
    }
    return index
  }
}
