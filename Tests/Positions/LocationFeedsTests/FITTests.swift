import CivilTime
import TestSupport
import Testing

@testable import LocationFeeds

/// FIT files of recorders.
@Suite struct FITTests {
  private let noon = Instant(secondsSince1970: 1_795_176_000)

  /// A file of a definition and some records, one of them without a position.
  private func file(_ count: Int = 3, isBigEndian: Bool = false) -> FITFile {
    var file = FITFile()
    file.define(isBigEndian: isBigEndian)
    for number in 0..<count {
      file.add(
        time: noon.advanced(bySeconds: Double(number)), latitude: -33.5 + Double(number) / 1000,
        longitude: 151.25, isBigEndian: isBigEndian)
    }
    file.add(
      time: noon.advanced(bySeconds: 60), latitude: nil, longitude: nil, isBigEndian: isBigEndian)
    return file
  }

  private func read(
    _ bytes: [UInt8], size: Int? = nil
  ) -> (fixes: [LocationFix], statistics: FeedStatistics) {
    LocationFeedsTests.read(bytes, chunkSize: size ?? max(bytes.count, 1))
  }

  @Test(arguments: [false, true])
  func `positions have time, altitude and speed, in either byte order`(isBigEndian: Bool) throws {
    let found = read(file(isBigEndian: isBigEndian).bytes)
    #expect(found.fixes.map(\.time) == (0..<3).map { noon.advanced(bySeconds: Double($0)) })
    let fix = try #require(found.fixes.first)
    #expect(abs(fix.latitude + 33.5) < 1e-6 && abs(fix.longitude - 151.25) < 1e-6)
    #expect(fix.altitudeMeters == 35 && fix.speedMetersPerSecond == 1.5)
    #expect(found.statistics.badLines == 0 && found.statistics.withoutPosition == 1)
    #expect(found.statistics.lines == 4)
  }

  @Test func `compressed times, fields of developers and joined files are read`() {
    var file = FITFile()
    file.define(developerSize: 7)
    file.add(time: noon, latitude: 48, longitude: 2, extra: [1, 2, 3, 4, 5, 6, 7])
    file.define(1, hasTime: false)
    for seconds in [3.0, 30, 40] {
      file.add(compressed: noon.advanced(bySeconds: seconds), latitude: 48, longitude: 2)
    }
    let found = read(file.bytes + self.file().bytes)
    #expect(
      found.fixes.prefix(4).map { $0.time?.seconds(since: noon) } == [0, 3, 30, 40])
    #expect(found.fixes.count == 7 && found.statistics.badLines == 0)
  }

  @Test func `positions of a file with a wrong checksum are read, and it is said`() {
    let bytes = file().bytes
    for place in [20, 60, bytes.count - 1] {
      var damaged = bytes
      damaged[place] ^= 0x10
      #expect(read(damaged).statistics.badLines > 0, "at \(place)")
    }
    var flipped = bytes
    flipped[bytes.count - 20] ^= 1
    let found = read(flipped)
    #expect(found.fixes.count == 3 && found.statistics.latestBadLine?.fault == .doubtful)
    // No report is counted twice.
    #expect(found.statistics.ends.count(of: .refused(.unreadable)) == 0)
    #expect(found.statistics.ends.count(of: .withoutPosition) == 1)
  }

  @Test func `a file that is cut off gives the positions before, wherever it is cut`() {
    let bytes = file(20).bytes
    let whole = read(bytes).fixes
    for length in 1..<bytes.count {
      let found = read(Array(bytes[..<length]))
      #expect(found.fixes == Array(whole.prefix(found.fixes.count)), "at \(length)")
      #expect(found.statistics.badLines == 1, "at \(length)")
    }
    // The device never wrote the size of the records.
    let open = read(file(20).bytes(isOpen: true))
    #expect(open.fixes == whole && open.statistics.latestBadLine?.fault == .documentCutOff)
  }

  @Test func `chunks make no difference`() {
    let bytes = file(20).bytes + file(2).bytes
    let whole = read(bytes)
    for size in [1, 2, 3, 7, 13, 64] {
      let cut = read(bytes, size: size)
      #expect(cut.fixes == whole.fixes && cut.statistics == whole.statistics, "chunks of \(size)")
    }
  }

  @Test func `a time since the device was switched on is no date`() {
    var file = FITFile()
    file.define()
    file.add(
      time: Instant(secondsSince1970: 631_065_600 + 1000), latitude: 48, longitude: 2)
    file.add(time: nil, latitude: 48, longitude: 2)
    #expect(read(file.bytes).fixes.map(\.time) == [nil, nil])
  }

  @Test func `a message with a file of a watch is read`() {
    let read = FeedReader.message(in: [file().bytes], device: "watch")
    #expect(read.format == .fit && read.fixes.map(\.device) == ["watch", "watch", "watch"])
  }

  @Test(arguments: [12, 14] as [UInt8])
  func `text that begins with the same byte is text`(first: UInt8) {
    let line = #"{"latitude":48,"longitude":2}"#
    let bytes = [first, 0x0A] + Array(line.utf8) + [0x0A]
    for size in [1, 5, 100] { #expect(read(bytes, size: size).fixes.count == 1) }
    #expect(read([first]).fixes.isEmpty)
  }
}
