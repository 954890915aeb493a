import CLibrary
import Synchronization
import SystemPackage

/// Folders that other threads want scanned at once.
final class ScanRequests: Sendable {
  /// A descriptor that can be read while there are requests.
  let descriptor: FileDescriptor

  private let signal: FileDescriptor
  private let folders = Mutex<[FilePath]>([])

  /// Creates an empty list.
  ///
  /// - Throws: An `Errno` where the system has no more descriptors.
  init() throws {
    (descriptor, signal) = try FileDescriptor.pipe()
    for end in [descriptor, signal] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    try? descriptor.close()
    try? signal.close()
  }

  /// Wants a folder scanned.
  func add(_ folder: FilePath) {
    folders.withLock { folders in
      // The pipe holds one byte at most, so a write never blocks.
      if folders.isEmpty { _ = try? signal.writeAll([0]) }
      if !folders.contains(folder) { folders.append(folder) }
    }
  }

  /// Takes all folders off the list, in the order in which they came.
  func take() -> [FilePath] {
    folders.withLock { folders in
      guard !folders.isEmpty else { return [] }
      var byte: UInt8 = 0
      _ = withUnsafeMutableBytes(of: &byte) { try? descriptor.read(into: $0) }
      defer { folders = [] }
      return folders
    }
  }
}
