import Compression
import LocationFeeds
import SystemPackage
import TestSupport
import Testing

@testable import FeedSources

/// Files of gzip as sources.
@Suite struct GzippedFileTests {
  private let folder = TemporaryFolder()
  private let text = (0..<20_000).flatMap { Array("line \($0 &* 7919)\n".utf8) }

  private func packed(_ bytes: [UInt8]) throws -> [UInt8] {
    try #require(Deflate.packed(bytes, as: .gzip, upTo: bytes.count + 1000))
  }

  /// Returns what is read of a file, and the error at which reading ended.
  private func read(_ bytes: [UInt8]) throws -> (bytes: [UInt8], error: FeedSourceError?) {
    let path = folder.path("track.gpx.gz")
    try folder.write(bytes, to: path)
    var source = try FeedSource(file: path)
    var found: [UInt8] = []
    do throws(FeedSourceError) {
      while true {
        guard case .bytes(let piece) = try source.read(upTo: .seconds(60)) else { break }
        found += piece
      }
    } catch {
      return (found, error)
    }
    return (found, nil)
  }

  @Test func `a file is unpacked, also one of several parts or with zeros after it`() throws {
    let one = try packed(text)
    #expect(one.count < text.count / 2)
    let two = try packed(Array("end".utf8))
    let empty = try packed([])
    for (file, wanted) in [
      (one, text), (one + two, text + Array("end".utf8)), (empty + one, text), (empty, []),
      (one + [UInt8](repeating: 0, count: 512), text),
    ] {
      let found = try read(file)
      #expect(found.bytes == wanted && found.error == nil)
    }
  }

  @Test func `a file that is cut off or damaged gives what comes before, and is said`() throws {
    let file = try packed(text)
    for length in [2, 9, 30, file.count / 2, file.count - 1] {
      let found = try read(Array(file[..<length]))
      #expect(found.error == .damagedCompression, "cut at \(length)")
      #expect(found.bytes.elementsEqual(text.prefix(found.bytes.count)))
    }
    var damaged = file
    for place in file.indices.suffix(file.count / 2).prefix(64) { damaged[place] ^= 0x55 }
    let found = try read(damaged)
    #expect(found.error == .damagedCompression)
    #expect(found.bytes.count > text.count / 4, "only \(found.bytes.count) bytes before it")
    #expect(try read(file + Array("other".utf8)).error == .damagedCompression)
  }

  @Test func `a small file cannot become endless, and is read in pieces`() throws {
    // 8 MiB of zeros in 8 KiB; a piece of 4096 compressed bytes gives about 4 MiB.
    let path = folder.path("zeros.gz")
    try folder.write(packed([UInt8](repeating: 0, count: 1 << 23)), to: path)
    let (file, _) = try OpenFile.open(path)
    let gzipped = GzippedFile(file, upTo: 5 << 20)
    var length = 0
    #expect(throws: GzippedFileError.tooLong) {
      while true {
        let bytes = try gzipped.read()
        #expect(!bytes.isEmpty && bytes.count <= 5 << 20)
        length += bytes.count
      }
    }
    #expect(length < 10 << 20)
  }
}
