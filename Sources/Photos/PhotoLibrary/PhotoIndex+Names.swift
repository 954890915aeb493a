import Storage
package import SystemPackage

extension PhotoIndex {
  /// Returns the paths of the files with a name, sorted by folder. If there is none, returns those
  /// whose names differ from it only in the case of ASCII letters.
  ///
  /// - Parameter name: The name without folders, as bytes.
  /// - Returns: The paths, also of photos without a position.
  /// - Complexity: O(*n*) for *n* files.
  package func paths(ofFilesNamed name: [UInt8]) -> [FilePath] {
    var (same, similar): ([FileID], [FileID]) = ([], [])
    for row in files.indices {
      let other = files.name[row]
      guard other.count == name.count else { continue }
      if other.elementsEqual(name) {
        same.append(FileID(row))
      } else if other.elementsEqual(name, by: { Self.folded($0) == Self.folded($1) }) {
        similar.append(FileID(row))
      }
    }
    return (same.isEmpty ? similar : same).map(path)
  }

  private static func folded(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
