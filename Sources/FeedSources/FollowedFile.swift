import LocationFeeds
import SystemPackage

/// A file that is read as it grows, under whatever file is at its path, as `tail -F` does.
struct FollowedFile {
  /// How long a file at its end is left alone before it is looked at again.
  static let interval = Duration.milliseconds(200)

  private let path: FilePath
  private var file: OpenFile?
  private var identity: FileStatus?
  private var offset: Int64 = 0
  /// Whether bytes may have been read from a file that was at the path before.
  private var hasPredecessor = false

  /// Follows a file that is not there yet.
  init(waitingFor path: FilePath) {
    self.path = path
  }

  /// Follows an open file from its present end.
  init(_ path: FilePath, from file: OpenFile, _ status: FileStatus) throws(FeedSourceError) {
    self.path = path
    self.file = file
    identity = status
    hasPredecessor = true
    do throws(Errno) { offset = try Self.seek(file, to: 0, .end) } catch {
      throw .readFailed(error)
    }
  }

  /// Waits for bytes; never says that the file is at its end.
  mutating func read(_ wait: DescriptorWait) throws(Errno) -> FeedChunk {
    var limit = Duration.zero
    while true {
      if try wait.wait(for: nil, atMost: limit) == .interrupted { return .interrupted }
      if let chunk = try look() { return chunk }
      if wait.isOver { return .idle }
      limit = Self.interval
    }
  }

  /// Returns what is new; `nil` where nothing is.
  private mutating func look() throws(Errno) -> FeedChunk? {
    guard let file, let identity else { return try openNext() }
    // Looked at before the read, so that what was written to the old file until then is read first.
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

  /// Opens the file that is now at the path, if there is one that can be read.
  private mutating func openNext() throws(Errno) -> FeedChunk? {
    guard let (next, status) = try? OpenFile.open(path), status.kind == .regular else { return nil }
    file = next
    identity = status
    offset = 0
    defer { hasPredecessor = true }
    return hasPredecessor ? .restarted : try look()
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
