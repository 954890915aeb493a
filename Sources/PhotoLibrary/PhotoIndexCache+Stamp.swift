import CLibrary
import SystemPackage

extension PhotoIndexCache {
  /// What tells whether the file was replaced.
  public struct Stamp: Hashable, Sendable, CustomStringConvertible {
    private let device: UInt64
    /// What the mapped file knows the document by.
    let status: FileStatus

    fileprivate init(_ status: stat) {
      device = UInt64(truncatingIfNeeded: status.st_dev)
      self.status = FileStatus(status)
    }

    /// The stamp as text, which is that of no other file.
    public var description: String {
      "\(device)-\(status.inode)-\(status.size)-\(status.modified)"
    }
  }

  /// Looks at the file; `nil` where there is none that can be looked at.
  ///
  /// An index that is written has another stamp than the one that it replaces.
  public func stamp() -> Stamp? {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
    return Stamp(status)
  }

  /// How many bytes the index takes: the document and the file that readers map.
  public var byteCount: Int64 {
    [path, try? sibling(".mapped")].reduce(0) { count, path in
      var status = stat()
      let isThere = path?.withPlatformString { stat($0, &status) } == 0
      return count + (isThere ? Int64(status.st_size) : 0)
    }
  }
}

extension FileStatus {
  /// What an open file is like.
  init(of file: FileDescriptor) throws(Errno) {
    var status = stat()
    guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
    self.init(status)
  }
}
