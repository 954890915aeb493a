import CLibrary
package import SystemPackage

extension Disk {
  /// Creates a file that the user asked for with the given bytes; see ``create(_:by:write:)``.
  ///
  /// - Parameters:
  ///   - path: The file; its folder must exist.
  ///   - bytes: The content, at least one byte.
  ///   - temporary: The temporary file.
  /// - Returns: `nil`, or the error that occurred when the folder was synchronised: the file is in
  ///   place, but may not survive a crash.
  /// - Throws: The system's error; `fileExists` if the path exists.
  package static func create(
    _ path: FilePath, with bytes: [UInt8], by temporary: FilePath
  ) throws(Errno) -> Errno? {
    try create(path, by: temporary) { file throws(Errno) in try write(bytes, to: file) }
  }

  /// Creates a file that the user asked for atomically, unless the path exists. Its permissions
  /// follow the umask.
  ///
  /// The content is written to a temporary file and synchronised. Then an empty file is created at
  /// the path, and the temporary file is renamed over it. A crash between the last two steps leaves
  /// the empty file. An exclusive rename (`RENAME_NOREPLACE`, renameat2(2)) would need no empty
  /// file, but few file systems other than those of Linux support it.
  ///
  /// - Parameters:
  ///   - path: The file; its folder must exist.
  ///   - temporary: A temporary file in the same folder. It may exist only as the leftover of a
  ///     crash, with the same content.
  ///   - write: A closure that writes the content to the given file.
  /// - Returns: `nil`, or the error that occurred when the folder was synchronised: the file is in
  ///   place, but may not survive a crash.
  /// - Throws: The system's error, `fileExists` if the path exists; then nothing has changed.
  package static func create(
    _ path: FilePath, by temporary: FilePath,
    write: (FileDescriptor) throws(Errno) -> Void
  ) throws(Errno) -> Errno? {
    remove(temporary)
    let file = try open(
      temporary, .writeOnly, [.create, .exclusiveCreate, .noFollow], access: .umask)
    do throws(Errno) {
      defer { close(file) }
      try write(file)
      try synchronize(file)
      close(try open(path, .writeOnly, [.create, .exclusiveCreate, .noFollow]))
    } catch {
      remove(temporary)
      throw error
    }
    do throws(Errno) {
      try rename(temporary, to: path)
    } catch {
      remove(path)
      remove(temporary)
      throw error
    }
    return synchronizeFolder(of: path)
  }

  /// Returns the size of a regular file in bytes, following symbolic links; `nil` if there is none.
  package static func size(of path: FilePath) throws(Errno) -> Int64? {
    guard let status = try status(of: target(of: path)) else { return nil }
    return status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
  }
}
