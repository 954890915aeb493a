import CLibrary
import Synchronization
package import SystemPackage

/// A queue of folders that other threads request to be scanned immediately.
package final class ScanRequests: Sendable {
  /// A descriptor that is readable while there are requests.
  package let descriptor: FileDescriptor

  private let signal: FileDescriptor
  private let folders = Mutex<[FilePath]>([])

  /// Creates an empty queue.
  ///
  /// - Throws: An `Errno` if no more file descriptors are available.
  package init() throws {
    (descriptor, signal) = try FileDescriptor.pipe()
    for end in [descriptor, signal] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    try? descriptor.close()
    try? signal.close()
  }

  /// Requests a scan of a folder.
  package func add(_ folder: FilePath) {
    folders.withLock { folders in
      // The pipe holds at most one byte, so a write never blocks.
      if folders.isEmpty { _ = try? signal.writeAll([0]) }
      if !folders.contains(folder) { folders.append(folder) }
    }
  }

  /// Removes and returns all requested folders, in order of request.
  package func take() -> [FilePath] {
    folders.withLock { folders in
      guard !folders.isEmpty else { return [] }
      var byte: UInt8 = 0
      _ = withUnsafeMutableBytes(of: &byte) { try? descriptor.read(into: $0) }
      defer { folders = [] }
      return folders
    }
  }
}
