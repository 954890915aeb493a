import CLibrary
import SystemPackage

/// Files with expected outputs, in the folder `Golden` beside a test.
public enum GoldenFile {
  /// Returns the expected output.
  ///
  /// If the environment variable `PHOTOSPOTS_WRITE_GOLDEN` is set, the file is written first; its
  /// differences are then read by a person.
  ///
  /// - Parameters:
  ///   - name: The file's name.
  ///   - output: The output.
  ///   - test: The test's source file.
  /// - Returns: The contents of the file.
  /// - Throws: An `Errno` if the file cannot be read.
  public static func text(
    _ name: String, for output: [UInt8], beside test: StaticString = #filePath
  ) throws -> String {
    let path = FilePath("\(test)").removingLastComponent().appending("Golden").appending(name)
    if getenv("PHOTOSPOTS_WRITE_GOLDEN") != nil {
      let file = try FileDescriptor.open(
        path, .writeOnly, options: [.create, .truncate],
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
      try file.closeAfter { _ = try file.writeAll(output) }
    }
    return String(decoding: try Corpus.contents(of: path), as: UTF8.self)
  }
}
