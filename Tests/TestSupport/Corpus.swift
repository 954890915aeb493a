import Glibc
public import SystemPackage

/// Real photos and feeds that lie outside the package, where the environment variable
/// `PHOTOSPOTS_CORPUS` says.
public enum Corpus {
  /// The corpus; `nil` where the variable is not set.
  public static let folder: FilePath? = getenv("PHOTOSPOTS_CORPUS").map {
    FilePath(String(cString: $0))
  }

  /// What to say of tests that are skipped because there is no corpus.
  public static let skipMessage = "skipped: PHOTOSPOTS_CORPUS is not set"

  /// Reads a file whole.
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
