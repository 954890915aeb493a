import CLibrary
import Interchange
import LocationFeeds
import Synchronization
import SystemPackage
import TestSupport

/// Files of fixes that are written as fast as they are read, and occasionally renamed or truncated
/// and begun again.
///
/// Like a program that rotates its log, it waits until the reader has read a file: the contents of
/// a file that vanishes unread would be lost.
final class RotatingFeeds: Sendable {
  let paths: [FilePath]
  /// The number of lines written to each file, and read from it.
  private let lines: Mutex<(written: [Int], read: [Int])>
  private let rotationBytes: Int
  private static let pieceBytes = 1 << 16

  init(_ count: Int, in folder: FilePath, rotationBytes: Int) {
    paths = (0..<count).map { folder.appending("feed-\($0).ndjson") }
    lines = Mutex((Array(repeating: 0, count: count), Array(repeating: 0, count: count)))
    self.rotationBytes = rotationBytes
  }

  var writtenCount: Int { lines.withLock { $0.written.reduce(0, +) } }

  /// Records the number of lines read.
  func didRead(_ count: Int, of feed: Int) { lines.withLock { $0.read[feed] += count } }

  /// Writes the fixes of devices, each device to one of the files.
  ///
  /// - Returns: The number of rotations.
  func write(_ devices: consuming SoakDevices, seconds: Int) throws -> Int {
    var pieces = [JSONWriter](repeating: JSONWriter(), count: paths.count)
    var counts = [Int](repeating: 0, count: paths.count)
    var sizes = [Int](repeating: 0, count: paths.count)
    var rotations = 0
    for second in 0..<seconds {
      devices.step { device, fix in
        let feed = device % paths.count
        fix.write(to: &pieces[feed])
        pieces[feed].newline()
        counts[feed] += 1
      }
      for feed in paths.indices
      where pieces[feed].bytes.count >= Self.pieceBytes || second == seconds - 1 {
        try append(pieces[feed].bytes, to: paths[feed])
        lines.withLock { $0.written[feed] += counts[feed] }
        sizes[feed] += pieces[feed].bytes.count
        (pieces[feed], counts[feed]) = (JSONWriter(), 0)
        guard sizes[feed] >= rotationBytes else { continue }
        waitUntilRead(feed)
        try rotate(paths[feed], byRenaming: rotations % 2 == 0)
        sizes[feed] = 0
        rotations += 1
      }
    }
    for feed in paths.indices { waitUntilRead(feed) }
    return rotations
  }

  private func waitUntilRead(_ feed: Int) {
    while lines.withLock({ $0.read[feed] < $0.written[feed] }) { usleep(1000) }
  }

  private func rotate(_ path: FilePath, byRenaming: Bool) throws {
    if byRenaming {
      let old = FilePath(path.string + ".1")
      guard rename(path.string, old.string) == 0 else { throw Errno(rawValue: errno) }
    } else {
      let file = try FileDescriptor.open(path, .writeOnly, options: .truncate)
      try file.close()
      // A reader that checks five times a second cannot detect a truncated file that has already
      // grown to its previous length.
      usleep(450_000)
    }
  }

  private func append(_ bytes: [UInt8], to path: FilePath) throws {
    let file = try FileDescriptor.open(
      path, .writeOnly, options: [.create, .append], permissions: .ownerReadWrite)
    try file.closeAfter { _ = try file.writeAll(bytes) }
  }
}
