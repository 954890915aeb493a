import CLibrary
public import SystemPackage

/// The size and modification time of a photo's file when it was indexed, for detecting changes.
public struct PhotoFileStamp: Hashable, Sendable {
  let size: Int64
  let modified: Int64

  /// Returns whether the file at a path still has this size and modification time; always `true`
  /// for a remote asset.
  public func holds(for path: FilePath) -> Bool {
    if path.isRemote { return true }
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { return false }
    let now = FileStatus(status)
    return now.size == size && now.modified == modified
  }
}

extension PhotoIndex {
  /// Returns the stamp of a photo's file; `nil` if the index was read without file sizes and times.
  package func stamp(ofPhoto photo: Int32) -> PhotoFileStamp? {
    guard files.size.count == files.count else { return nil }
    let file = photos.file[PhotoID(number: photo).row]
    return PhotoFileStamp(size: files.size[file.row], modified: files.modified[file.row])
  }
}
