import CLibrary
import FeedSources
import LocationFeeds
import SystemPackage
import TestSupport
import Testing

@Suite struct FeedSourceTests {
  @Test func `a regular file is read to its end and is not live`() throws {
    let folder = TemporaryFolder()
    let text = String(repeating: "0123456789", count: 20_000)
    try folder.write(text, to: "feed")
    var source = try FeedSource(file: folder.path("feed"))
    #expect(source.isLive == false)
    var bytes: [UInt8] = []
    while case .bytes(let chunk) = try source.read(upTo: .zero) { bytes += chunk }
    #expect(bytes == Array(text.utf8))
    #expect(try source.read(upTo: .seconds(10)) == .end)
  }

  @Test func `a pipe is live, idle without data, and ends when its writer closes`() throws {
    let (reading, writing) = try FileDescriptor.pipe()
    var source = try FeedSource(reading: reading)
    defer { try? reading.close() }
    #expect(source.isLive == true)
    #expect(try source.read(upTo: .zero) == .idle)
    try writing.writeAll("abc".utf8)
    #expect(try source.read(upTo: .seconds(10)) == .bytes(Array("abc".utf8)))
    #expect(try source.read(upTo: .milliseconds(1)) == .idle)
    try writing.writeAll("rest".utf8)
    try writing.close()
    #expect(try source.read(upTo: .seconds(10)) == .bytes(Array("rest".utf8)))
    #expect(try source.read(upTo: .seconds(10)) == .end)
  }

  @Test func `a descriptor of a regular file is not live`() throws {
    let folder = TemporaryFolder()
    try folder.write("abc", to: "feed")
    let descriptor = try FileDescriptor.open(folder.path("feed"), .readOnly)
    defer { try? descriptor.close() }
    let source = try FeedSource(reading: descriptor)
    #expect(source.isLive == false)
  }

  @Test func `an interruption ends a wait, precedes data and persists`() throws {
    let folder = TemporaryFolder()
    try folder.write("abc", to: "feed")
    let (reading, writing) = try FileDescriptor.pipe()
    let (interruption, signal) = try FileDescriptor.pipe()
    defer {
      for descriptor in [reading, writing, interruption, signal] { try? descriptor.close() }
    }
    var pipe = try FeedSource(reading: reading)
    var file = try FeedSource(file: folder.path("feed"))
    var followed = try FeedSource(following: folder.path("feed"))
    #expect(try pipe.read(upTo: .zero, orUntil: interruption) == .idle)
    try signal.writeAll([1])
    try writing.writeAll("abc".utf8)
    for _ in 0..<2 {
      #expect(try pipe.read(upTo: .seconds(600), orUntil: interruption) == .interrupted)
      #expect(try file.read(upTo: .seconds(600), orUntil: interruption) == .interrupted)
      #expect(try followed.read(upTo: .seconds(600), orUntil: interruption) == .interrupted)
    }
    #expect(try pipe.read(upTo: .seconds(10)) == .bytes(Array("abc".utf8)))
  }

  @Test func `a FIFO is live and read like a pipe`() throws {
    let folder = TemporaryFolder()
    #expect(mkfifo(folder.path("fifo").string, 0o600) == 0)
    var source = try FeedSource(file: folder.path("fifo"))
    #expect(source.isLive == true)
    #expect(try source.read(upTo: .milliseconds(1)) == .idle)
    let writing = try FileDescriptor.open(folder.path("fifo"), .writeOnly)
    #expect(try source.read(upTo: .milliseconds(1)) == .idle)
    try writing.writeAll("abc".utf8)
    #expect(try source.read(upTo: .seconds(10)) == .bytes(Array("abc".utf8)))
    try writing.close()
    #expect(try source.read(upTo: .seconds(10)) == .end)
  }

  @Test func `a missing file or a folder throws an error that says so`() throws {
    let folder = TemporaryFolder()
    let missing = folder.path("missing")
    #expect(throws: FeedSourceError.missing(missing)) { _ = try FeedSource(file: missing) }
    #expect(throws: FeedSourceError.isDirectory(folder.root)) {
      _ = try FeedSource(file: folder.root)
    }
    #expect(throws: FeedSourceError.isDirectory(folder.root)) {
      _ = try FeedSource(following: folder.root)
    }
    let descriptor = try FileDescriptor.open(folder.root, .readOnly)
    defer { try? descriptor.close() }
    #expect(throws: FeedSourceError.readFailed(.isDirectory)) {
      _ = try FeedSource(reading: descriptor)
    }
    #expect(FeedSourceError.missing("a.nmea").description.contains("a.nmea: no such file"))
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may read every file"))
  func `the error for an unreadable file holds its path and the reason`() throws {
    let folder = TemporaryFolder()
    try folder.write("abc", to: "feed")
    #expect(chmod(folder.path("feed").string, 0) == 0)
    #expect(throws: FeedSourceError.unreadable(folder.path("feed"), .permissionDenied)) {
      _ = try FeedSource(file: folder.path("feed"))
    }
  }

  @Test func `following a path below a file fails instead of waiting`() throws {
    let folder = TemporaryFolder()
    try folder.write("abc", to: "feed")
    let path = folder.path("feed").appending("other")
    #expect(throws: FeedSourceError.unreadable(path, .notDirectory)) {
      _ = try FeedSource(following: path)
    }
  }

  // MARK: - Following

  @Test func `a followed file is read from its end as it grows`() throws {
    let folder = TemporaryFolder()
    try folder.write("old", to: "feed")
    var source = try FeedSource(following: folder.path("feed"))
    #expect(source.isLive == true)
    #expect(try source.read(upTo: .zero) == .idle)
    try folder.append("new", to: "feed")
    #expect(try source.read(upTo: .zero) == .bytes(Array("new".utf8)))
    #expect(try source.read(upTo: .zero) == .idle)
    try folder.append("er", to: "feed")
    #expect(try source.read(upTo: .zero) == .bytes(Array("er".utf8)))
  }

  @Test func `a followed file that is created later is read from its start`() throws {
    let folder = TemporaryFolder()
    var source = try FeedSource(following: folder.path("feed"))
    #expect(source.isLive == true)
    #expect(try source.read(upTo: .zero) == .idle)
    try folder.write("first", to: "feed")
    #expect(try source.read(upTo: .zero) == .bytes(Array("first".utf8)))
  }

  @Test func `a rotated file is read to its end, then its successor from the start`() throws {
    let folder = TemporaryFolder()
    try folder.write("old", to: "feed")
    var source = try FeedSource(following: folder.path("feed"))
    try folder.append("last", to: "feed")
    #expect(rename(folder.path("feed").string, folder.path("feed.1").string) == 0)
    try folder.append("words", to: "feed.1")
    #expect(try source.read(upTo: .zero) == .bytes(Array("lastwords".utf8)))
    #expect(try source.read(upTo: .zero) == .idle)
    try folder.append("!", to: "feed.1")
    try folder.write("new", to: "feed")
    #expect(try source.read(upTo: .zero) == .bytes(Array("!".utf8)))
    #expect(try source.read(upTo: .zero) == .restarted)
    #expect(try source.read(upTo: .zero) == .bytes(Array("new".utf8)))
    #expect(try source.read(upTo: .zero) == .idle)
  }

  @Test func `a followed file that is removed and recreated is read from its start`() throws {
    let folder = TemporaryFolder()
    try folder.write("old", to: "feed")
    var source = try FeedSource(following: folder.path("feed"))
    #expect(unlink(folder.path("feed").string) == 0)
    #expect(try source.read(upTo: .zero) == .idle)
    try folder.write("new", to: "feed")
    #expect(try source.read(upTo: .zero) == .restarted)
    #expect(try source.read(upTo: .zero) == .bytes(Array("new".utf8)))
  }

  @Test func `a followed file that is truncated is read from its start`() throws {
    let folder = TemporaryFolder()
    try folder.write("a long old text", to: "feed")
    var source = try FeedSource(following: folder.path("feed"))
    #expect(try source.read(upTo: .zero) == .idle)
    #expect(truncate(folder.path("feed").string, 0) == 0)
    try folder.append("new", to: "feed")
    #expect(try source.read(upTo: .zero) == .restarted)
    #expect(try source.read(upTo: .zero) == .bytes(Array("new".utf8)))
  }

  @Test func `a followed FIFO is read like a pipe`() throws {
    let folder = TemporaryFolder()
    #expect(mkfifo(folder.path("fifo").string, 0o600) == 0)
    var source = try FeedSource(following: folder.path("fifo"))
    let writing = try FileDescriptor.open(folder.path("fifo"), .writeOnly)
    defer { try? writing.close() }
    try writing.writeAll("abc".utf8)
    #expect(try source.read(upTo: .seconds(10)) == .bytes(Array("abc".utf8)))
  }
}
