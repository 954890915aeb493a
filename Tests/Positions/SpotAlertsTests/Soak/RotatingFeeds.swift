import CLibrary
import Encodings
import LocationFeeds
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
  private let lines: Observed<Lines>
  private let rotationBytes: Int
  private static let pieceBytes = 1 << 16

  private struct Lines {
    var written: [Int]
    var read: [Int]
  }

  init(_ count: Int, in folder: FilePath, rotationBytes: Int) {
    paths = (0..<count).map { folder.appending("feed-\($0).ndjson") }
    let zeros = Array(repeating: 0, count: count)
    lines = Observed(Lines(written: zeros, read: zeros))
    self.rotationBytes = rotationBytes
  }

  var writtenCount: Int { lines.value.written.reduce(0, +) }

  /// Records the number of lines read.
  func didRead(_ count: Int, of feed: Int) { lines.update { $0.read[feed] += count } }

  /// Writes the fixes of devices, each device to one of the files.
  ///
  /// - Returns: The number of rotations.
  func write(_ devices: consuming SoakDevices, seconds: Int) throws -> Int {
    var pieces = [JSONWriter](repeating: JSONWriter(), count: paths.count)
    var counts = [Int](repeating: 0, count: paths.count)
    var sizes = [Int](repeating: 0, count: paths.count)
    var rotations = 0
    var wasTruncated = [Bool](repeating: false, count: paths.count)
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
        lines.update { $0.written[feed] += counts[feed] }
        sizes[feed] += pieces[feed].bytes.count
        (pieces[feed], counts[feed]) = (JSONWriter(), 0)
        // A reader cannot detect a truncated file that has already grown to its previous length.
        if wasTruncated[feed] { waitUntilRead(feed) }
        wasTruncated[feed] = false
        guard sizes[feed] >= rotationBytes else { continue }
        waitUntilRead(feed)
        wasTruncated[feed] = rotations % 2 == 1
        try rotate(paths[feed], byRenaming: !wasTruncated[feed])
        sizes[feed] = 0
        rotations += 1
      }
    }
    for feed in paths.indices { waitUntilRead(feed) }
    return rotations
  }

  private func waitUntilRead(_ feed: Int) {
    lines.wait { $0.read[feed] >= $0.written[feed] }
  }

  private func rotate(_ path: FilePath, byRenaming: Bool) throws {
    if byRenaming {
      let old = FilePath(path.string + ".1")
      guard rename(path.string, old.string) == 0 else { throw Errno(rawValue: errno) }
    } else {
      let file = try FileDescriptor.open(path, .writeOnly, options: .truncate)
      try file.close()
    }
  }

  private func append(_ bytes: [UInt8], to path: FilePath) throws {
    let file = try FileDescriptor.open(
      path, .writeOnly, options: [.create, .append], permissions: .ownerReadWrite)
    try file.closeAfter { _ = try file.writeAll(bytes) }
  }
}
