import CLibrary
public import SystemPackage

/// What tells whether a photo's file is still the one that was indexed: its size and when it was
/// modified.
public struct PhotoFileStamp: Hashable, Sendable {
  let size: Int64
  let modified: Int64

  /// Whether the file at a path has the stamp now; of a remote asset it is believed.
  public func holds(for path: FilePath) -> Bool {
    if path.isRemote { return true }
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { return false }
    let now = FileStatus(status)
    return now.size == size && now.modified == modified
  }
}

extension PhotoIndex {
  /// The stamp of the file of a photo as it was indexed; `nil` where the index was read without
  /// the status of files.
  package func stamp(ofPhoto photo: Int32) -> PhotoFileStamp? {
    guard files.size.count == files.count else { return nil }
    let file = photos.file[PhotoID(number: photo).row]
    return PhotoFileStamp(size: files.size[file.row], modified: files.modified[file.row])
  }
}
