import CLibrary
import SystemPackage

extension PhotoIndexCache {
  /// The identity of the index file, for detecting its replacement.
  public struct Stamp: Hashable, Sendable, CustomStringConvertible {
    private let device: UInt64
    /// The properties that a mapped file stores to identify its document.
    let identity: FileStatus.Identity

    fileprivate init(_ status: stat) {
      device = UInt64(truncatingIfNeeded: status.st_dev)
      identity = FileStatus(status).identity
    }

    /// The stamp as text, unique to the file.
    public var description: String {
      "\(device)-\(identity.inode)-\(identity.size)-\(identity.modified)"
    }
  }

  /// Returns the stamp of the file; `nil` if it does not exist or is not accessible.
  ///
  /// A newly written index has a different stamp from the one that it replaces.
  public func stamp() -> Stamp? {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
    return Stamp(status)
  }

  /// The total size in bytes of the document and the mapped file.
  public var byteCount: Int64 {
    [path, try? sibling(".mapped")].reduce(0) { count, path in
      var status = stat()
      let isThere = path?.withPlatformString { stat($0, &status) } == 0
      return count + (isThere ? Int64(status.st_size) : 0)
    }
  }
}

extension FileStatus {
  /// Reads the status of an open file.
  init(of file: FileDescriptor) throws(Errno) {
    var status = stat()
    guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
    self.init(status)
  }
}
