import CLibrary
package import SystemPackage

extension Disk {
  /// A file to be deleted.
  package struct StoredFile: Hashable, Sendable {
    /// The path.
    package let path: FilePath
    /// The size in bytes.
    package let size: Int64

    /// Creates a file of a size.
    package init(path: FilePath, size: Int64) {
      (self.path, self.size) = (path, size)
    }
  }

  /// The files and folders below a folder, and the folder itself.
  package struct StoredTree: Sendable {
    /// The files below the folder, symbolic links included, in no particular order.
    package var files: [StoredFile] = []
    /// The folders below the folder and the folder itself, each after those inside it.
    package var folders: [FilePath] = []
  }

  /// Returns the size of a file in bytes; `nil` if the path does not exist or is a folder. A
  /// symbolic link is not followed: the size is that of the link itself.
  package static func sizeIfFile(_ path: FilePath) throws(Errno) -> Int64? {
    guard let status = try status(of: path), status.st_mode & S_IFMT != S_IFDIR else {
      return nil
    }
    return Int64(status.st_size)
  }

  /// Lists everything below a folder, without following symbolic links; nothing if the path does
  /// not exist or is not a folder.
  ///
  /// - Throws: The system's error; `tooManySymbolicLinkLevels` if folders are nested more than 64
  ///   deep, which never happens in folders of the program.
  package static func tree(_ folder: FilePath) throws(Errno) -> StoredTree {
    var tree = StoredTree()
    try list(folder, depth: 0, into: &tree)
    return tree
  }

  /// Adds the contents of a folder to a tree; a folder is added after its contents.
  private static func list(
    _ folder: FilePath, depth: Int, into tree: inout StoredTree
  ) throws(Errno) {
    guard let status = try status(of: folder), status.st_mode & S_IFMT == S_IFDIR else {
      return
    }
    guard depth <= 64 else { throw .tooManySymbolicLinkLevels }
    for name in try names(in: folder, beginning: []) where name != [0x2E] && name != [0x2E, 0x2E] {
      let path = FilePath(bytes: FilePath.join(folder.bytes, name))
      if let size = try sizeIfFile(path) {
        tree.files.append(StoredFile(path: path, size: size))
      } else {
        try list(path, depth: depth + 1, into: &tree)
      }
    }
    tree.folders.append(folder)
  }

  /// Deletes a file or symbolic link; does nothing if it does not exist.
  ///
  /// - Returns: Whether it existed. Of several calls for one file, one returns `true`.
  @discardableResult
  package static func delete(_ path: FilePath) throws(Errno) -> Bool {
    try willPerform(.remove)
    guard path.withPlatformString({ unlink($0) }) != 0 else { return true }
    guard errno == ENOENT else { throw Errno(rawValue: errno) }
    return false
  }

  /// Deletes a folder if it is empty.
  ///
  /// - Returns: Whether it no longer exists; `false` if it is not empty or is not a folder.
  package static func deleteIfEmpty(_ folder: FilePath) throws(Errno) -> Bool {
    try willPerform(.remove)
    guard folder.withPlatformString({ rmdir($0) }) != 0 else { return true }
    switch errno {
    case ENOENT: return true
    case ENOTEMPTY, EEXIST, ENOTDIR: return false
    default: throw Errno(rawValue: errno)
    }
  }
}
