import CLibrary
package import SystemPackage

extension Errno {
  /// The error that ``Disk`` throws if the existing file was not written by this program.
  package static var foreignFile: Errno { .fileExists }
}

// Every file that the program writes is opened here. The names are predictable, so a user with
// write access to the folder may have put something else there: a link, a device, or another file.
extension Disk {
  // MARK: - Replacing

  /// Replaces a file atomically: readers find either the old or the new file, also after a crash.
  ///
  /// The content is written to `name.new` in the same folder and synchronised, the file is renamed,
  /// and the folder is synchronised. A symbolic link is followed and kept. The new file gets the
  /// permissions of the old file, and its owner and group if the system allows that. The caller
  /// must prevent concurrent writers of the same file.
  ///
  /// - Parameters:
  ///   - path: The file; its folder must exist.
  ///   - signature: The signature of both the old and the new file.
  ///   - model: A file whose owner and permissions the new file gets if there is no old file.
  ///   - access: The access to the new file if there is neither.
  ///   - write: A closure that writes the content to the given file.
  ///   - prepare: A closure called with the synchronised file just before it is renamed.
  /// - Returns: `nil`, or the error that occurred when the folder was synchronised: the new file is
  ///   in place, but may not survive a crash.
  /// - Throws: The system's error, or the error that `write` or `prepare` throws; `foreignFile` if
  ///   the old file or `name.new` does not have the signature. The old file is unchanged then.
  package static func replace(
    _ path: FilePath, of signature: FileSignature, like model: FilePath? = nil,
    access: Access = .ownerOnly,
    write: (FileDescriptor) throws(Errno) -> Void,
    prepare: (FileDescriptor) throws(Errno) -> Void = { _ in }
  ) throws(Errno) -> Errno? {
    let path = try target(of: path)
    let old = try verifiedStatus(of: path, signature)
    let temporary = sibling(of: path, ".new")
    // Left behind by a crash.
    if try verifiedStatus(of: temporary, signature) != nil { remove(temporary) }
    let file = try open(
      temporary, .writeOnly, [.create, .exclusiveCreate, .noFollow], access: access)
    do throws(Errno) {
      defer { close(file) }
      if let old {
        copyAccess(of: old, to: file)
        // Left by a version whose files stayed root's.
        if old.st_uid == 0, old.st_mode & S_IROTH == 0, let heir = heir(of: folder(of: path)) {
          give(file, to: heir)
        }
      } else if let model, let status = try status(of: target(of: model)) {
        copyAccess(of: status, to: file)
      }
      try write(file)
      try synchronize(file)
      try prepare(file)
      try rename(temporary, to: path)
    } catch {
      remove(temporary)
      throw error
    }
    return synchronizeFolder(of: path)
  }

  /// Replaces a file atomically with the given bytes; see ``replace(_:of:write:)``.
  package static func replace(
    _ path: FilePath, of signature: FileSignature, with bytes: [UInt8],
    access: Access = .ownerOnly
  ) throws(Errno) -> Errno? {
    try replace(path, of: signature, access: access) { file throws(Errno) in
      try write(bytes, to: file)
    }
  }

  /// Renames a file by appending a suffix, so that its path becomes free; a symbolic link is
  /// followed.
  ///
  /// - Returns: The new path.
  /// - Throws: The system's error; `foreignFile` if the file does not have the signature.
  package static func setAside(
    _ path: FilePath, of signature: FileSignature, ending: String
  ) throws(Errno) -> FilePath {
    let path = try target(of: path)
    guard try verifiedStatus(of: path, signature) != nil else { throw .noSuchFileOrDirectory }
    let aside = sibling(of: path, ending)
    try rename(path, to: aside)
    return aside
  }

  /// Whether a file may be replaced: it has the signature, or does not exist.
  ///
  /// - Throws: The system's error if the file cannot be read.
  package static func mayReplace(
    _ path: FilePath, of signature: FileSignature
  ) throws(Errno) -> Bool {
    do throws(Errno) {
      _ = try verifiedStatus(of: try target(of: path), signature)
      return true
    } catch {
      guard error == .foreignFile else { throw error }
      return false
    }
  }

  // MARK: - Appending

  /// Opens a file for appending; a symbolic link is followed.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - signature: The expected signature.
  ///   - createsFile: Whether to create an empty file if there is none.
  /// - Returns: The file.
  /// - Throws: The system's error; `foreignFile` if the file does not have the signature.
  package static func openToAppend(
    _ path: FilePath, of signature: FileSignature, createsFile: Bool = false
  ) throws(Errno) -> FileDescriptor {
    let path = try target(of: path)
    let creation: FileDescriptor.OpenOptions = createsFile ? .create : []
    let file = try open(path, .readWrite, creation.union([.append, .noFollow, .nonBlocking]))
    do throws(Errno) {
      let status = try regularFileStatus(of: file)
      try checkOwner(status, of: path)
      guard try matches(file, signature) else { throw .foreignFile }
    } catch {
      close(file)
      throw error
    }
    return file
  }

  // MARK: - Locks

  /// Opens a lock file, creating it if necessary, and acquires an exclusive lock that lasts until
  /// the file is closed.
  ///
  /// - Returns: The file; `nil` if another process holds the lock.
  /// - Throws: The system's error; `tooManySymbolicLinkLevels` for a symbolic link; `foreignFile`
  ///   if the file contains anything other than decimal digits, or zero bytes after a power
  ///   failure, so it is not a lock file.
  package static func lock(_ path: FilePath) throws(Errno) -> FileDescriptor? {
    let file = try open(path, .readWrite, [.create, .noFollow, .nonBlocking])
    do throws(Errno) {
      try checkOwner(try regularFileStatus(of: file), of: path)
      var isOwn = try beginning(of: file).allSatisfy { (0x30...0x39).contains($0) }
      if !isOwn { isOwn = try isBlank(file) }
      guard isOwn else { throw .foreignFile }
      guard flock(file.rawValue, LOCK_EX | LOCK_NB) != 0 else { return file }
      guard errno == EWOULDBLOCK else { throw Errno(rawValue: errno) }
    } catch {
      close(file)
      throw error
    }
    close(file)
    return nil
  }

  /// Acquires the lock that serialises changes of a small document, and waits up to two seconds
  /// for it.
  ///
  /// A change takes milliseconds, so a concurrent change by another process should only delay the
  /// caller.
  ///
  /// - Returns: The file; `nil` if another process still holds the lock.
  /// - Throws: The same as ``lock(_:)``.
  package static func lockForChange(_ path: FilePath) throws(Errno) -> FileDescriptor? {
    for _ in 0..<100 {
      if let file = try lock(path) { return file }
      usleep(20_000)
    }
    return try lock(path)
  }

  // MARK: - Unnamed files

  /// Creates a file, removes its name at once, and writes bytes to it.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - path: The temporary name, which must not exist.
  /// - Returns: The file, positioned at its start.
  /// - Throws: The system's error; `fileExists` if the path exists.
  package static func unnamedFile(
    with bytes: [UInt8], at path: FilePath
  ) throws(Errno) -> FileDescriptor {
    let file = try open(path, .readWrite, [.create, .exclusiveCreate, .noFollow])
    remove(path)
    do throws(Errno) {
      try write(bytes, to: file)
      guard lseek(file.rawValue, 0, SEEK_SET) == 0 else { throw Errno(rawValue: errno) }
    } catch {
      close(file)
      throw error
    }
    return file
  }

  // MARK: - Existing files

  /// Resolves symbolic links at a path; the target need not exist.
  ///
  /// - Throws: `permissionDenied` if another user put a link into a folder that others can write
  ///   to; `tooManySymbolicLinkLevels` for a loop.
  package static func target(of path: FilePath) throws(Errno) -> FilePath {
    let named = path
    var path = path
    for _ in 0..<40 {
      guard let status = try status(of: path) else {
        try checkAbsence(of: named)
        return path
      }
      guard status.st_mode & S_IFMT == S_IFLNK else { return path }
      try checkOwner(status, of: path)
      path = path.removingLastComponent().pushing(try linkTarget(of: path))
    }
    throw .tooManySymbolicLinkLevels
  }

  static func linkTarget(of path: FilePath) throws(Errno) -> FilePath {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = bytes.withUnsafeMutableBytes { buffer in
      path.withPlatformString { link in
        // The array above is not empty.
        buffer.assumingMemoryBound(to: CChar.self).baseAddress
          .map { readlink(link, $0, buffer.count) } ?? -1
      }
    }
    guard count >= 0 else { throw Errno(rawValue: errno) }
    return FilePath(bytes: bytes.prefix(count))
  }

  /// Returns the status of a path without following a link; `nil` if nothing exists there.
  static func status(of path: FilePath) throws(Errno) -> stat? {
    var status = stat()
    guard path.withPlatformString({ lstat($0, &status) }) != 0 else { return status }
    let error = Errno(rawValue: errno)
    guard error == .noSuchFileOrDirectory else { throw error }
    return nil
  }

  /// Returns the status of a file after verifying its type, owner and signature; `nil` if there is
  /// none.
  private static func verifiedStatus(
    of path: FilePath, _ signature: FileSignature
  ) throws(Errno) -> stat? {
    guard let status = try status(of: path) else { return nil }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .foreignFile }
    try checkOwner(status, of: path)
    let file = try open(path, .readOnly, [.noFollow, .nonBlocking])
    defer { close(file) }
    guard try matches(file, signature) else { throw .foreignFile }
    return status
  }

  /// Returns whether a file has a signature, or has nothing to lose.
  private static func matches(
    _ file: FileDescriptor, _ signature: FileSignature
  ) throws(Errno) -> Bool {
    if signature.matches(try beginning(of: file)) { return true }
    return try isBlank(file)
  }

  /// Returns whether a file has only zero bytes. A power failure may leave such a file where the
  /// size reached the disk and the bytes did not.
  private static func isBlank(_ file: FileDescriptor) throws(Errno) -> Bool {
    guard try beginning(of: file).allSatisfy({ $0 == 0 }) else { return false }
    return try typed {
      var offset: Int64 = 0
      while true {
        let bytes = try [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
          count = try file.read(
            fromAbsoluteOffset: offset, into: UnsafeMutableRawBufferPointer(buffer))
        }
        guard bytes.allSatisfy({ $0 == 0 }) else { return false }
        guard !bytes.isEmpty, offset < maximumBlankSize else { return bytes.isEmpty }
        offset += Int64(bytes.count)
      }
    }
  }

  /// The maximum size in bytes of a file that is read to see whether it has only zero bytes, beyond
  /// that of any file of this program.
  private static let maximumBlankSize: Int64 = 1 << 33

  private static func beginning(of file: FileDescriptor) throws(Errno) -> [UInt8] {
    try typed {
      try [UInt8](unsafeUninitializedCapacity: FileSignature.length) { buffer, count in
        count = try file.read(
          fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))
      }
    }
  }

  /// Rejects a file that another user put into a folder that others can write to.
  ///
  /// Linux does the same for some folders (`fs.protected_regular` and `fs.protected_symlinks`,
  /// proc_sys_fs(5)).
  private static func checkOwner(_ file: stat, of path: FilePath) throws(Errno) {
    guard file.st_uid != geteuid() else { return }
    var status = stat()
    let folder = folder(of: path)
    guard folder.withPlatformString({ stat($0, &status) }) == 0 else {
      throw Errno(rawValue: errno)
    }
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 || file.st_uid == status.st_uid else {
      throw .permissionDenied
    }
  }

  private static func regularFileStatus(of file: FileDescriptor) throws(Errno) -> stat {
    var status = stat()
    guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notSupported }
    return status
  }

  /// Copies the owner, group and permissions of a file to the file that replaces it.
  ///
  /// If the group cannot be set, the permissions of the group are removed.
  private static func copyAccess(of old: stat, to file: FileDescriptor) {
    var mode = old.st_mode & 0o7777
    if fchown(file.rawValue, old.st_uid, old.st_gid) != 0,
      fchown(file.rawValue, uid_t.max, old.st_gid) != 0
    {
      mode &= ~S_IRWXG
    }
    _ = fchmod(file.rawValue, mode)
  }

  /// Returns the path with a suffix appended to the file name.
  package static func sibling(of path: FilePath, _ ending: String) -> FilePath {
    guard let name = path.lastComponent else { return path.appending(ending) }
    return FilePath(
      bytes: FilePath.join(folder(of: path).bytes, name.bytes + Array(ending.utf8)))
  }

  static func remove(_ path: FilePath) {
    guard (try? willPerform(.remove)) != nil else { return }
    _ = path.withPlatformString { unlink($0) }
  }
}
