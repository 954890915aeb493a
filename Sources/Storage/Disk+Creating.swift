import CLibrary
package import SystemPackage

extension Disk {
  /// Creates a file of bytes; see ``create(_:by:write:)``.
  ///
  /// - Parameters:
  ///   - path: The file; its folder must exist.
  ///   - bytes: The content, of at least a byte.
  ///   - temporary: The other name.
  /// - Returns: `nil`; or why it is not certain that the file, which is in place, is on the disk.
  /// - Throws: The system's error, `fileExists` where something has the name.
  package static func create(
    _ path: FilePath, with bytes: [UInt8], by temporary: FilePath
  ) throws(Errno) -> Errno? {
    try create(path, by: temporary) { file throws(Errno) in try write(bytes, to: file) }
  }

  /// Creates a file, whole or not at all, unless something has its name.
  ///
  /// The content goes to another name, then to the disk; then an empty file takes the name, and the
  /// whole one its place. A crash between the two leaves the empty one. Other file systems than
  /// those of Linux could be asked to rename only where the name is free, but few can.
  ///
  /// - Parameters:
  ///   - path: The file; its folder must exist.
  ///   - temporary: The other name, in the same folder, which nothing else has but what a crash
  ///     left of the same content.
  ///   - write: Writes the content to the file it is given.
  /// - Returns: `nil`; or why it is not certain that the file, which is in place, is on the disk.
  /// - Throws: The system's error, `fileExists` where something has the name; then everything is as
  ///   before.
  package static func create(
    _ path: FilePath, by temporary: FilePath,
    write: (FileDescriptor) throws(Errno) -> Void
  ) throws(Errno) -> Errno? {
    remove(temporary)
    let file = try open(temporary, .writeOnly, [.create, .exclusiveCreate, .noFollow])
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

  /// The size of a regular file in bytes, after any links; `nil` where there is none.
  package static func size(of path: FilePath) throws(Errno) -> Int64? {
    guard let status = try status(of: target(of: path)) else { return nil }
    return status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
  }
}
