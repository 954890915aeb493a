import CLibrary
package import SystemPackage

extension Errno {
  /// What ``Disk`` throws where a file is in the way that this program did not write.
  package static var foreignFile: Errno { .fileExists }
}

// Every file that the program writes is opened here. Its name is known beforehand, so anyone who
// can write to its folder may have put something else there: a link, a device, a file of their own.
extension Disk {
  // MARK: - Replacing

  /// Replaces a file at once: whoever reads it, and whatever crashes, finds the old or the new one.
  ///
  /// The content goes to `name.new` in the same folder, then to the disk, then to the name, and the
  /// folder to the disk. A symbolic link is followed, and stays. The new file has the permissions
  /// of the old one, and its owner and group where the system allows that. The caller keeps others
  /// from writing the same file at the same time.
  ///
  /// - Parameters:
  ///   - path: The file; its folder must exist.
  ///   - signature: How the old file begins, and the new one.
  ///   - model: A file whose owner and permissions the new one takes on where there is no old one.
  ///   - write: Writes the content to the file it is given.
  ///   - prepare: Is called with the file, all of which is on the disk, just before it gets its
  ///     name.
  /// - Returns: `nil`; or why it is not certain that the new file, which is in place, is on the
  ///   disk.
  /// - Throws: The system's error, or what `write` throws; `foreignFile` where the old file, or one
  ///   called `name.new`, does not have the signature. The old file is untouched then.
  package static func replace(
    _ path: FilePath, of signature: FileSignature, like model: FilePath? = nil,
    write: (FileDescriptor) throws(Errno) -> Void,
    prepare: (FileDescriptor) throws(Errno) -> Void = { _ in }
  ) throws(Errno) -> Errno? {
    let path = try target(of: path)
    let old = try own(path, signature)
    let temporary = sibling(of: path, ".new")
    // The leftover of a crash.
    if try own(temporary, signature) != nil { remove(temporary) }
    let file = try open(temporary, .writeOnly, [.create, .exclusiveCreate, .noFollow])
    do throws(Errno) {
      defer { close(file) }
      if let old {
        keepAccess(of: old, for: file)
      } else if let model, let status = try status(of: target(of: model)) {
        keepAccess(of: status, for: file)
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

  /// Replaces a file at once by bytes; see ``replace(_:of:write:)``.
  package static func replace(
    _ path: FilePath, of signature: FileSignature, with bytes: [UInt8]
  ) throws(Errno) -> Errno? {
    try replace(path, of: signature) { file throws(Errno) in try write(bytes, to: file) }
  }

  /// Gives a file, or the one that a link leads to, another ending, so that its name becomes free.
  ///
  /// - Returns: Where the file is now.
  /// - Throws: The system's error; `foreignFile` where the file does not have the signature.
  package static func setAside(
    _ path: FilePath, of signature: FileSignature, ending: String
  ) throws(Errno) -> FilePath {
    let path = try target(of: path)
    guard try own(path, signature) != nil else { throw .noSuchFileOrDirectory }
    let aside = sibling(of: path, ending)
    try rename(path, to: aside)
    return aside
  }

  /// Whether a file may be replaced: it has the signature, or there is none.
  ///
  /// - Throws: The system's error where it cannot be read.
  package static func mayReplace(
    _ path: FilePath, of signature: FileSignature
  ) throws(Errno) -> Bool {
    do throws(Errno) {
      _ = try own(try target(of: path), signature)
      return true
    } catch {
      guard error == .foreignFile else { throw error }
      return false
    }
  }

  // MARK: - Appending

  /// Opens a file to append to it; a symbolic link is followed.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - signature: How it begins.
  ///   - createsFile: Whether an empty one is created where there is none.
  /// - Returns: The file.
  /// - Throws: The system's error; `foreignFile` where the file does not have the signature.
  package static func openToAppend(
    _ path: FilePath, of signature: FileSignature, createsFile: Bool = false
  ) throws(Errno) -> FileDescriptor {
    let path = try target(of: path)
    let creation: FileDescriptor.OpenOptions = createsFile ? .create : []
    let file = try open(path, .readWrite, creation.union([.append, .noFollow, .nonBlocking]))
    do throws(Errno) {
      let status = try regularFileStatus(of: file)
      try checkOwner(status, of: path)
      guard signature.matches(try beginning(of: file)) else { throw .foreignFile }
    } catch {
      close(file)
      throw error
    }
    return file
  }

  // MARK: - Locks

  /// Opens a lock file, which is created where there is none, and locks it for this process alone
  /// until it is closed.
  ///
  /// - Returns: The file; `nil` where another process holds the lock.
  /// - Throws: The system's error; `tooManySymbolicLinkLevels` for a link, and `foreignFile` for a
  ///   file that holds more than a number, as no lock file does.
  package static func lock(_ path: FilePath) throws(Errno) -> FileDescriptor? {
    let file = try open(path, .readWrite, [.create, .noFollow, .nonBlocking])
    do throws(Errno) {
      try checkOwner(try regularFileStatus(of: file), of: path)
      let isNumber = try beginning(of: file).allSatisfy { (0x30...0x39).contains($0) }
      guard isNumber else { throw .foreignFile }
      guard flock(file.rawValue, LOCK_EX | LOCK_NB) != 0 else { return file }
      guard errno == EWOULDBLOCK else { throw Errno(rawValue: errno) }
    } catch {
      close(file)
      throw error
    }
    close(file)
    return nil
  }

  // MARK: - Unnamed files

  /// Creates a file that has a name for a moment only, and writes bytes to it.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - path: The name, which nothing may have.
  /// - Returns: The file, at its beginning.
  /// - Throws: The system's error; `fileExists` where something has the name.
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

  // MARK: - What is there

  /// The file that a path leads to by symbolic links; it need not exist.
  ///
  /// - Throws: `permissionDenied` where somebody else put a link into a folder that others can
  ///   write to; `tooManySymbolicLinkLevels` for a loop.
  package static func target(of path: FilePath) throws(Errno) -> FilePath {
    var path = path
    for _ in 0..<40 {
      guard let status = try status(of: path), status.st_mode & S_IFMT == S_IFLNK else {
        return path
      }
      try checkOwner(status, of: path)
      path = path.removingLastComponent().pushing(try linkTarget(of: path))
    }
    throw .tooManySymbolicLinkLevels
  }

  private static func linkTarget(of path: FilePath) throws(Errno) -> FilePath {
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

  /// Looks at what is at a path, a link itself too; `nil` where there is nothing.
  static func status(of path: FilePath) throws(Errno) -> stat? {
    var status = stat()
    guard path.withPlatformString({ lstat($0, &status) }) != 0 else { return status }
    let error = Errno(rawValue: errno)
    guard error == .noSuchFileOrDirectory else { throw error }
    return nil
  }

  /// Looks at a file of the program's own; `nil` where there is none.
  private static func own(
    _ path: FilePath, _ signature: FileSignature
  ) throws(Errno) -> stat? {
    guard let status = try status(of: path) else { return nil }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .foreignFile }
    try checkOwner(status, of: path)
    let file = try open(path, .readOnly, [.noFollow, .nonBlocking])
    defer { close(file) }
    guard signature.matches(try beginning(of: file)) else { throw .foreignFile }
    return status
  }

  private static func beginning(of file: FileDescriptor) throws(Errno) -> [UInt8] {
    try typed {
      try [UInt8](unsafeUninitializedCapacity: FileSignature.length) { buffer, count in
        count = try file.read(
          fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))
      }
    }
  }

  /// Refuses what a stranger put into a folder that others than its owner can write to; Linux does
  /// so too for some folders (`fs.protected_regular` and `fs.protected_symlinks`, proc_sys_fs(5)).
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

  /// Gives a new file the owner, the group and the permissions of the one that it replaces. What
  /// was for a group is for nobody else where the group cannot be kept.
  private static func keepAccess(of old: stat, for file: FileDescriptor) {
    var mode = old.st_mode & 0o7777
    if fchown(file.rawValue, old.st_uid, old.st_gid) != 0,
      fchown(file.rawValue, uid_t.max, old.st_gid) != 0
    {
      mode &= ~S_IRWXG
    }
    _ = fchmod(file.rawValue, mode)
  }

  /// A file in the same folder whose name is longer.
  package static func sibling(of path: FilePath, _ ending: String) -> FilePath {
    guard let name = path.lastComponent else { return path.appending(ending) }
    return FilePath(
      bytes: FilePath.join(folder(of: path).bytes, name.bytes + Array(ending.utf8)))
  }

  static func remove(_ path: FilePath) {
    guard (try? will(.remove)) != nil else { return }
    _ = path.withPlatformString { unlink($0) }
  }
}
