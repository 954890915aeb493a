import Encodings
import PhotoLibrary
import ProgramSettings
import Storage
import SystemPackage

/// A photo file, as the user named it.
enum NamedPhotoFile: Equatable {
  /// The path typed by the user, relative to the working folder.
  case typed(FilePath)
  /// The only indexed photo with the name typed by the user, since there is no file at that path.
  case indexed(FilePath)
  /// Several indexed photos have the name typed by the user.
  case several([FilePath])

  /// Finds the file that a text names.
  ///
  /// A name without folders that is no file in the working folder is looked up in the index.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - exists: Returns whether there is a file at a path.
  ///   - index: Returns the index, if there is one.
  init(
    _ text: String, exists: (FilePath) -> Bool = Disk.exists, in index: () -> PhotoIndex?
  ) {
    let path = Paths.absolute(text)
    let name = CommandLineBytes.bytes(of: text)
    guard !name.contains(UInt8(ascii: "/")), !exists(path), let index = index() else {
      self = .typed(path)
      return
    }
    // Photos of remote libraries are not on this machine.
    let found = index.paths(ofFilesNamed: name).filter { !$0.isRemote }
    switch found.count {
    case 0: self = .typed(path)
    case 1: self = .indexed(found[0])
    default: self = .several(found)
    }
  }

  /// The maximum number of listed paths.
  private static let listedCount = 20

  /// Sentences that list several photos; empty for one.
  func list(named text: String) -> [String] {
    guard case .several(let paths) = self else { return [] }
    let name = CommandLineBytes.bytes(of: text).escaped
    let rest = paths.count - Self.listedCount
    return ["there are \(paths.count) indexed photos named \(name); name one by its path:"]
      + paths.prefix(Self.listedCount).map { "  " + $0.escaped }
      + (rest > 0 ? ["  and \(rest) more"] : [])
  }
}
