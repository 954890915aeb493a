import CLibrary
package import SystemPackage

// Root may type a command beside the service of another user. What it creates in the folders of
// that user belongs to the user, whose service could not start otherwise.
extension Disk {
  /// Returns the owner of new files and folders in a folder; `nil` if it is this process.
  ///
  /// Only root may give files away. A folder that everybody can write to has no such owner.
  static func heir(of folder: FilePath) -> stat? {
    guard geteuid() == 0 else { return nil }
    var status = stat()
    guard folder.withPlatformString({ stat($0, &status) }) == 0, status.st_uid != 0,
      status.st_mode & S_IWOTH == 0
    else { return nil }
    return status
  }

  /// Opens a file that may be created, and gives a created one to the owner of its folder.
  static func openCreating(
    _ path: FilePath, _ mode: FileDescriptor.AccessMode,
    _ options: FileDescriptor.OpenOptions, permissions: FilePermissions
  ) throws(Errno) -> FileDescriptor {
    func open(_ options: FileDescriptor.OpenOptions) throws(Errno) -> FileDescriptor {
      try typed {
        try FileDescriptor.open(
          path, mode, options: options.union(.closeOnExec), permissions: permissions)
      }
    }
    guard let heir = heir(of: folder(of: path)) else { return try open(options) }
    let file: FileDescriptor
    do throws(Errno) {
      file = try open(options.union(.exclusiveCreate))
    } catch {
      // Only a file that this call created is given away.
      guard error == .fileExists, !options.contains(.exclusiveCreate) else { throw error }
      return try open(options)
    }
    give(file, to: heir)
    return file
  }

  /// Gives a folder that was just created to the owner of the folder that contains it.
  static func giveFolder(_ path: FilePath) {
    guard let heir = heir(of: folder(of: path)) else { return }
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let opened = path.withPlatformString { systemOpen($0, flags) }
    guard opened >= 0 else { return }
    let file = FileDescriptor(rawValue: opened)
    defer { close(file) }
    var created = stat()
    guard fstat(opened, &created) == 0, created.st_uid == 0 else { return }
    give(file, to: heir)
  }

  /// Gives a file to an owner. Where the system refuses that, the file stays root's, and `status`
  /// names it.
  static func give(_ file: FileDescriptor, to heir: stat) {
    _ = fchown(file.rawValue, heir.st_uid, heir.st_gid)
  }

  /// A file or folder, as a list shows it.
  package struct Ownership: Hashable, Sendable {
    /// The number of the user that owns it.
    package let user: UInt32
    /// The permissions, such as 0o600.
    package let mode: UInt32
    /// Whether the owner of the folder may read and write it.
    package let isUsableByOwnerOfFolder: Bool
    /// The number of the user that owns the folder that contains it.
    package let folderUser: UInt32
  }

  /// Returns the owner and the permissions of a file; `nil` if it does not exist. A symbolic link
  /// is followed.
  package static func ownership(of path: FilePath) throws(Errno) -> Ownership? {
    let path = try target(of: path)
    guard let file = try status(of: path), let folder = try status(of: folder(of: path)) else {
      return nil
    }
    let wanted = S_IRUSR | S_IWUSR
    let isUsable =
      folder.st_uid == 0 || folder.st_uid == file.st_uid
      || file.st_mode & (wanted >> 6) == wanted >> 6
      || (folder.st_gid == file.st_gid && file.st_mode & (wanted >> 3) == wanted >> 3)
    return Ownership(
      user: UInt32(file.st_uid), mode: UInt32(file.st_mode & 0o7777),
      isUsableByOwnerOfFolder: isUsable, folderUser: UInt32(folder.st_uid))
  }
}

/// Calls `open(2)` without creating a file.
private func systemOpen(_ path: UnsafePointer<CInterop.PlatformChar>, _ flags: CInt) -> CInt {
  open(path, flags)
}
