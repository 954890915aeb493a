import CLibrary
import SystemPackage

/// What tells at a glance whether a root is still what it was: which folder is at its path, and
/// whether there is anything in it.
///
/// A disk that is mounted or unmounted changes it, and so does a folder above that is renamed, of
/// which the system's events say nothing.
struct RootSight: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
  /// Whether there is nothing in it, hidden names apart.
  let isEmpty: Bool

  init(device: UInt64, inode: UInt64, isEmpty: Bool) {
    self.device = device
    self.inode = inode
    self.isEmpty = isEmpty
  }

  /// Looks at a folder; `nil` where there is none, or none that can be read.
  init?(at folder: FilePath) {
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
    // The record is as long as its name, shorter than the C structure: only a pointer into it is
    // safe.
    guard let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) else { return nil }
    while !foundName, let entry = readdir(stream) {
      let first = UnsafeRawPointer(entry).load(fromByteOffset: nameOffset, as: UInt8.self)
      foundName = first != UInt8(ascii: ".")
    }
    isEmpty = !foundName
  }

  /// Whether there is no folder at a path any more, or an empty one, as an unmounted disk leaves
  /// it; what cannot be read is not gone.
  static func isGone(_ folder: FilePath) -> Bool {
    if let sight = RootSight(at: folder) { return sight.isEmpty }
    var status = stat()
    guard folder.withPlatformString({ stat($0, &status) }) != 0 else {
      return status.st_mode & S_IFMT != S_IFDIR
    }
    return errno == ENOENT || errno == ENOTDIR
  }
}
