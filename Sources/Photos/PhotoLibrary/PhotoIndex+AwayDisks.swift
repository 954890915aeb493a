import Storage
package import SystemPackage

extension PhotoIndex.Root {
  /// The folders inside this one whose disks are not mounted now: at the last scan another file
  /// system was there, and now that of the folder above is, or no folder.
  ///
  /// The number of a file system may be another one after a restart, so a folder with any file
  /// system of its own counts as mounted.
  package var foldersOfAwayDisks: [FilePath] {
    volumes.map { ($0, FilePath(bytes: $0.path)) }.compactMap { volume, folder in
      guard folder != path else { return nil }
      guard let device = RootState(at: folder)?.device else { return folder }
      let above = RootState(at: folder.removingLastComponent())?.device
      return device != volume.device && device == above ? folder : nil
    }
  }
}
