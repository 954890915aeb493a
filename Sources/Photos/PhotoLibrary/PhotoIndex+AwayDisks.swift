import CLibrary
import Storage
package import SystemPackage

extension PhotoIndex.Root {
  /// The folders inside this one whose disks are not mounted now: at the last scan another file
  /// system was there, and now that of the folder above is, or no folder.
  ///
  /// The number of a file system may be another one after a restart, so a folder with any file
  /// system of its own counts as mounted. Mounted disks and network shares are not accessed:
  /// the call would wait for one that does not respond.
  package var foldersOfAwayDisks: [FilePath] {
    let inside = volumes.map { ($0, FilePath(bytes: $0.path)) }.filter { $1 != path }
    guard !inside.isEmpty else { return [] }
    let mounts = MountTable.current()
    return inside.compactMap { volume, folder in
      if mounts.isMountPoint(folder) || mounts.isOnSharedFileSystem(folder) { return nil }
      switch Self.device(of: folder) {
      case .success(let device):
        let above = try? Self.device(of: folder.removingLastComponent()).get()
        return device != volume.device && device == above ? folder : nil
      case .failure(let error):
        return [.noSuchFileOrDirectory, .notDirectory].contains(error) ? folder : nil
      }
    }
  }

  private static func device(of folder: FilePath) -> Result<UInt64, Errno> {
    var status = stat()
    guard folder.withPlatformString({ stat($0, &status) }) == 0 else {
      return .failure(Errno(rawValue: errno))
    }
    return .success(UInt64(truncatingIfNeeded: status.st_dev))
  }
}
