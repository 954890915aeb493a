import LocationFeeds
import SystemPackage

/// A file that is read as it grows, and reopened when another file takes its path, as `tail -F`
/// does.
struct FollowedFile {
  /// The interval between two checks of a file at its end.
  static let interval = Duration.milliseconds(200)

  private let path: FilePath
  private var file: OpenFile?
  private var identity: FileStatus?
  private var offset: Int64 = 0
  /// Whether an earlier file at the path may have been read.
  private var hasPredecessor = false

  /// Creates a follower of a file that does not exist yet.
  init(waitingFor path: FilePath) {
    self.path = path
  }

  /// Creates a follower of an open file, from its current end.
  init(_ path: FilePath, from file: OpenFile, _ status: FileStatus) throws(FeedSourceError) {
    self.path = path
    self.file = file
    identity = status
    hasPredecessor = true
    do throws(Errno) { offset = try Self.seek(file, to: 0, .end) } catch {
      throw .readFailed(error)
    }
  }

  /// Waits for bytes. Never returns ``FeedChunk/end``.
  mutating func read(_ wait: DescriptorWait) throws(Errno) -> FeedChunk {
    var limit = Duration.zero
    while true {
      if try wait.wait(for: nil, atMost: limit) == .interrupted { return .interrupted }
      if let chunk = try look() { return chunk }
      if wait.isOver { return .idle }
      limit = Self.interval
    }
  }

  /// Returns the next chunk; `nil` where nothing is new.
  private mutating func look() throws(Errno) -> FeedChunk? {
    guard let file, let identity else { return try openNext() }
    // The status is taken before the read, so that everything written to the old file before its
    // replacement is read first.
    let present = try? FileStatus(ofFileAt: path)
    let bytes = try file.read()
    if !bytes.isEmpty {
      offset += Int64(bytes.count)
      return .bytes(bytes)
    }
    if let present, !present.isSameFile(as: identity) { return try openNext() }
    if try FileStatus(of: file.descriptor).size < offset {
      offset = try Self.seek(file, to: 0, .start)
      return .restarted
    }
    return nil
  }

  /// Opens the file now at the path, if it is a regular file that can be read.
  private mutating func openNext() throws(Errno) -> FeedChunk? {
    guard let (next, status) = try? OpenFile.open(path), status.kind == .regular else { return nil }
    file = next
    identity = status
    offset = 0
    defer { hasPredecessor = true }
    return hasPredecessor ? .restarted : try look()
  }

  /// The greatest number of bytes of ``start(of:)``, more than the longest line of a feed.
  private static let startLength = 2 * OpenFile.chunkSize

  /// Returns the first bytes of a regular file; `nil` for any other file, such as a FIFO, which
  /// must not be opened twice, and for one that is missing or cannot be read.
  static func start(of path: FilePath) -> [UInt8]? {
    guard (try? FileStatus(ofFileAt: path))?.kind == .regular,
      let (file, status) = try? OpenFile.open(path), status.kind == .regular
    else { return nil }
    var bytes: [UInt8] = []
    while bytes.count < startLength, let next = try? file.read(), !next.isEmpty { bytes += next }
    return bytes
  }

  private static func seek(
    _ file: OpenFile, to offset: Int64, _ origin: FileDescriptor.SeekOrigin
  ) throws(Errno) -> Int64 {
    do {
      return try file.descriptor.seek(offset: offset, from: origin)
    } catch {
      throw (error as? Errno) ?? .ioError
    }
  }
}
