import CLibrary
import SystemPackage

/// An open descriptor of a feed, closed on destruction if the program owns it.
final class OpenFile: Sendable {
  /// The greatest number of bytes per read.
  static let chunkSize = 64 * 1024

  let descriptor: FileDescriptor
  private let isOwned: Bool

  init(_ descriptor: FileDescriptor, isOwned: Bool) {
    self.descriptor = descriptor
    self.isOwned = isOwned
  }

  deinit {
    // A close that fails can lose nothing, since nothing is written.
    if isOwned { try? descriptor.close() }
  }

  /// Opens a file for reading. Opening a FIFO does not wait for a writer, and a terminal does not
  /// become the controlling terminal of the process.
  static func open(_ path: FilePath) throws(FeedSourceError) -> (OpenFile, FileStatus) {
    do {
      let descriptor = try FileDescriptor.open(
        path, .readOnly, options: [.nonBlocking, .closeOnExec, .init(rawValue: O_NOCTTY)])
      let file = OpenFile(descriptor, isOwned: true)
      let status = try FileStatus(of: descriptor)
      guard status.kind != .directory else { throw Errno.isDirectory }
      return (file, status)
    } catch Errno.noSuchFileOrDirectory {
      throw .missing(path)
    } catch Errno.isDirectory {
      throw .isDirectory(path)
    } catch {
      throw .unreadable(path, (error as? Errno) ?? .ioError)
    }
  }

  /// Makes a new descriptor non-blocking and close-on-exec, so that hooks do not inherit it.
  func setFlags() throws(Errno) {
    guard fcntl(descriptor.rawValue, F_SETFL, O_NONBLOCK) == 0,
      fcntl(descriptor.rawValue, F_SETFD, FD_CLOEXEC) == 0
    else { throw Errno(rawValue: errno) }
  }

  /// Reads the available bytes, at most ``chunkSize``; returns none at the end of the file.
  ///
  /// - Throws: `Errno.wouldBlock` where nothing is available yet.
  func read() throws(Errno) -> [UInt8] {
    do {
      return try [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
        count = try descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
      }
    } catch {
      throw (error as? Errno) ?? .ioError
    }
  }
}

/// The kind, identity and size of a file, by which replaced and truncated files are detected.
struct FileStatus: Equatable {
  enum Kind {
    case regular, directory, other
  }

  var kind: Kind
  var device: UInt64
  var inode: UInt64
  var size: Int64

  init(of descriptor: FileDescriptor) throws(Errno) {
    var status = stat()
    guard fstat(descriptor.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
    self.init(status)
  }

  init(ofFileAt path: FilePath) throws(Errno) {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { throw Errno(rawValue: errno) }
    self.init(status)
  }

  private init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .regular
    case S_IFDIR: kind = .directory
    default: kind = .other
    }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(status.st_size)
  }

  /// Returns whether both statuses are of the same file, regardless of its content.
  func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }
}
