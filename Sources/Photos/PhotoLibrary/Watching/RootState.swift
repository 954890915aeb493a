import CLibrary
import SystemPackage

/// The state of a root that is cheap to check: the identity of the folder at its path, whether that
/// folder is empty, and the disks mounted below it.
///
/// It changes when a disk is mounted or unmounted, or when a folder above is renamed, which causes
/// no event.
struct RootState: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
  /// Whether the folder contains nothing except hidden names.
  let isEmpty: Bool
  /// The disks mounted below the folder; empty if they were not looked at.
  let volumes: [MountTable.Volume]

  init(device: UInt64, inode: UInt64, isEmpty: Bool, volumes: [MountTable.Volume] = []) {
    self.device = device
    self.inode = inode
    self.isEmpty = isEmpty
    self.volumes = volumes
  }

  /// Checks a folder; `nil` if it does not exist or cannot be read.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - mounts: The mounted file systems; `nil` if those below the folder do not matter.
  init?(at folder: FilePath, _ mounts: MountTable? = nil) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK
    let descriptor = folder.withPlatformString { open($0, flags) }
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, let stream = fdopendir(descriptor) else {
      close(descriptor)
      return nil
    }
    defer { closedir(stream) }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    var foundName = false
    // The record is only as long as its name, which is shorter than the C structure, so only access
    // through a pointer is safe.
    guard let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) else { return nil }
    while !foundName, let entry = readdir(stream) {
      let first = UnsafeRawPointer(entry).load(fromByteOffset: nameOffset, as: UInt8.self)
      foundName = first != UInt8(ascii: ".")
    }
    isEmpty = !foundName
    volumes = mounts?.volumes(below: folder) ?? []
  }

  /// Returns whether the folder at a path no longer exists or is empty, as the mount point of an
  /// unmounted disk is. A folder that cannot be read is not gone.
  static func isGone(_ folder: FilePath) -> Bool {
    if let state = RootState(at: folder) { return state.isEmpty }
    var status = stat()
    guard folder.withPlatformString({ stat($0, &status) }) != 0 else {
      return status.st_mode & S_IFMT != S_IFDIR
    }
    return errno == ENOENT || errno == ENOTDIR
  }
}
