public import SystemPackage

/// The repository of the package, whose documents and samples tests read.
public enum Repository {
  /// The folder of the repository.
  // This file is Tests/Support/TestSupport/Repository.swift.
  public static let folder = FilePath(#filePath).removingLastComponent().removingLastComponent()
    .removingLastComponent().removingLastComponent()

  /// The folder `Sources`.
  public static let sources = folder.appending("Sources")
  /// The sample photos and the sample walk.
  public static let samples = folder.appending("Samples")

  /// Returns the name of a source file: the module and the path in it, without the folder of
  /// ``sources`` that the module is in.
  public static func name(ofSource path: FilePath) -> String {
    path.string.dropFirst(sources.string.count + 1).drop { $0 != "/" }.dropFirst().description
  }
}
