import CLibrary
import SystemPackage

/// An open descriptor of a feed, closed when its life ends if it is this program's own.
final class OpenFile: Sendable {
  /// The most bytes that one read takes.
  static let chunkSize = 64 * 1024

  let descriptor: FileDescriptor
  private let isOwned: Bool

  init(_ descriptor: FileDescriptor, isOwned: Bool) {
    self.descriptor = descriptor
    self.isOwned = isOwned
  }

  deinit {
    // Nothing is written that a failed close could lose.
    if isOwned { try? descriptor.close() }
  }

  /// Opens a file for reading. A FIFO is opened without waiting for its writer, and a terminal
  /// without becoming the one that controls this process.
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

  /// Makes a new descriptor one that does not block, and is not handed on to hooks.
  func setFlags() throws(Errno) {
    guard fcntl(descriptor.rawValue, F_SETFL, O_NONBLOCK) == 0,
      fcntl(descriptor.rawValue, F_SETFD, FD_CLOEXEC) == 0
    else { throw Errno(rawValue: errno) }
  }

  /// Reads what is there, at most ``chunkSize`` bytes; none at the end.
  ///
  /// - Throws: `Errno.wouldBlock` where a pipe has nothing yet.
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

/// What tells one file from another, and a file that grew from one that was truncated.
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

  /// Whether both are of one file, whatever happened to its content.
  func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }
}
