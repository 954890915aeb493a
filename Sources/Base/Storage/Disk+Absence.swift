import CLibrary
import Synchronization
package import SystemPackage

// A file whose disk is away is not one that does not exist.

extension Disk {
  /// The mount points at which disks are expected.
  private static let mountPoints = Mutex<[FilePath]>([])

  /// Expects a disk at a mount point from now on: while nothing is mounted there, no file below it
  /// is taken for missing, and no folder is created.
  package static func expectMount(at path: FilePath) {
    mountPoints.withLock { points in
      if !points.contains(path) { points.append(path) }
    }
  }

  /// Returns the mount point of the disk of a folder, or of its nearest parent that exists; `nil`
  /// for the disk of the root.
  package static func mountPoint(of folder: FilePath) -> FilePath? {
    var path = folder
    while device(of: path) == nil, path.removeLastComponent() {}
    guard let own = device(of: path) else { return nil }
    while true {
      let parent = path.removingLastComponent()
      guard parent != path else { return nil }
      guard device(of: parent) == own else { return path }
      path = parent
    }
  }

  /// Returns the number of the device of a file; `nil` if it cannot be looked at.
  package static func device(of path: FilePath) -> UInt64? {
    var status = stat()
    return path.withPlatformString { stat($0, &status) } == 0 ? UInt64(status.st_dev) : nil
  }

  /// Checks that the absence of a file can be believed.
  ///
  /// - Throws: `noSuchAddressOrDevice` if a link on its way leads nowhere, or nothing is mounted
  ///   where a disk is expected.
  package static func checkAbsence(of path: FilePath) throws(Errno) {
    if isUnmounted(path) || leadsNowhere(path, depth: 0) { throw .noSuchAddressOrDevice }
  }

  /// Returns whether a path is on a disk that is expected, and not mounted.
  static func isUnmounted(_ path: FilePath) -> Bool {
    mountPoints.withLock { $0 }.contains { point in
      guard path.starts(with: point) else { return false }
      let own = device(of: point)
      return own == nil || own == device(of: point.removingLastComponent())
    }
  }

  /// Returns whether a link on the way to a path leads nowhere. A link to a file that can still be
  /// created, since its folder exists, does not.
  private static func leadsNowhere(_ path: FilePath, depth: Int) -> Bool {
    guard depth < 40 else { return false }
    let whole = path.bytes[...]
    var entry = whole
    while !entry.isEmpty {
      let name = entry.map { CChar(bitPattern: $0) } + [0]
      var status = stat()
      if lstat(name, &status) == 0 {
        guard status.st_mode & S_IFMT == S_IFLNK else { return false }
        guard stat(name, &status) != 0, errno == ENOENT else { return false }
        guard entry == whole else { return true }
        let target: FilePath
        do throws(Errno) { target = try linkTarget(of: path) } catch { return true }
        let place = path.removingLastComponent().pushing(target)
        return !isFolder(place.removingLastComponent()) || leadsNowhere(place, depth: depth + 1)
      }
      guard errno == ENOENT, entry.count > 1 else { return false }
      entry = FilePath.parent(of: entry)
    }
    return false
  }
}
