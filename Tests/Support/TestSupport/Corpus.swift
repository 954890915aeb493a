import CLibrary
public import SystemPackage

/// Real photos and feeds outside the package, in the folder named by the environment variable
/// `PHOTOSPOTS_CORPUS`.
public enum Corpus {
  /// The folder of the corpus; `nil` if the variable is not set.
  public static let folder: FilePath? = getenv("PHOTOSPOTS_CORPUS").map {
    FilePath(String(cString: $0))
  }

  /// The message for tests that are skipped because there is no corpus.
  public static let skipMessage = "skipped: PHOTOSPOTS_CORPUS is not set"

  /// The names and contents of the corpus' JPEG photos, in the order of their names.
  public static func jpegs() throws -> [(name: String, content: [UInt8])] {
    guard let photos = folder?.appending("photos") else { return [] }
    return try paths(under: photos)
      .filter { ["jpg", "jpeg"].contains($0.extension?.lowercased()) }
      .map { ($0.string, try contents(of: $0)) }
      .sorted { $0.0 < $1.0 }
  }

  /// The names and contents of all the corpus' photos, in the order of their names.
  public static func photos() throws -> [(name: String, content: [UInt8])] {
    guard let photos = folder?.appending("photos") else { return [] }
    return try paths(under: photos)
      .map { ($0.string, try contents(of: $0)) }
      .sorted { $0.0 < $1.0 }
  }

  /// The paths of all files under a folder.
  public static func paths(under folder: FilePath) -> [FilePath] {
    guard let stream = opendir(folder.string) else { return [] }
    defer { closedir(stream) }
    var paths: [FilePath] = []
    while let entry = readdir(stream) {
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { break }
      let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
      guard name.pointee != CChar(UInt8(ascii: ".")) else { continue }
      let path = folder.pushing(FilePath(platformString: name))
      paths += CInt(entry.pointee.d_type) == DT_DIR ? Self.paths(under: path) : [path]
    }
    return paths
  }

  /// Reads a whole file.
  public static func contents(of path: FilePath) throws -> [UInt8] {
    let file = try FileDescriptor.open(path, .readOnly)
    return try file.closeAfter {
      let size = try file.seek(offset: 0, from: .end)
      try file.seek(offset: 0, from: .start)
      var filled = 0
      return try [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
        while filled < size {
          let read = try file.read(
            into: UnsafeMutableRawBufferPointer(
              rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...]))
          if read == 0 { break }
          filled += read
        }
        count = filled
      }
    }
  }
}
