import CLibrary
public import SystemPackage

/// A file to which another process appends, for example its log.
public struct GrowingFile: Sendable {
  private let path: FilePath

  /// Creates the file if it does not exist.
  ///
  /// - Throws: An `Errno` if it cannot be created.
  public init(_ path: FilePath) throws {
    self.path = path
    let file = try FileDescriptor.open(
      path, .writeOnly, options: [.create, .append], permissions: .ownerReadWrite)
    try file.close()
  }

  /// Waits until lines of the file contain a text, at most a minute after each change of the file.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - count: The number of lines.
  /// - Throws: `Errno.timedOut` if the file does not change meanwhile.
  public func wait(for text: String, count: Int = 1) throws {
    try wait { try lineCount(with: text) >= count }
  }

  /// Waits for a line that ends with a text.
  ///
  /// - Throws: `Errno.timedOut` if the file does not change meanwhile.
  public func wait(forLineEndingWith text: String) throws {
    try wait { try lines().contains { $0.hasSuffix(text) } }
  }

  private func wait(until isMet: () throws -> Bool) throws {
    // The watch begins before the file is read, so that no change is missed.
    let changes = FileDescriptor(rawValue: inotify_init1(CInt(IN_CLOEXEC)))
    guard changes.rawValue >= 0 else { throw Errno(rawValue: errno) }
    try changes.closeAfter {
      guard inotify_add_watch(changes.rawValue, path.string, UInt32(IN_MODIFY)) >= 0 else {
        throw Errno(rawValue: errno)
      }
      while try !isMet() { try waitForChange(changes) }
    }
  }

  /// Returns the number of lines that contain a text.
  public func lineCount(with text: String) throws -> Int {
    try lines().count { $0.contains(text) }
  }

  private func lines() throws -> [Substring] {
    String(decoding: try Corpus.contents(of: path), as: UTF8.self).split(separator: "\n")
  }

  private func waitForChange(_ changes: FileDescriptor) throws {
    var entry = pollfd(fd: changes.rawValue, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 60_000) == 1 else { throw Errno.timedOut }
    var events = [UInt8](repeating: 0, count: 4096)
    _ = try events.withUnsafeMutableBytes { try changes.read(into: $0) }
  }
}
