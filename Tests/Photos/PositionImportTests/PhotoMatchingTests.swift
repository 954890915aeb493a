import CivilTime
import PhotoLibrary
import PhotoMetadata
import Spatial
import SystemPackage
import TestSupport
import Testing

@testable import PositionImport

@Suite struct PhotoMatchingTests {
  private let folder = TemporaryFolder()
  private var photos: FilePath { folder.path("photos") }

  /// Writes a photo without a position, or with one.
  private func add(_ name: String, _ time: String? = nil, latitude: Double? = nil) throws {
    var exif: [ExifBlock.Entry] = []
    if let time { exif.append(.init(0x9003, .ascii(time))) }
    let maker = [ExifBlock.Entry(0x10F, .ascii("Maker"))]
    let gps = latitude.map { ExifBlock.position(latitude: $0, longitude: 20) }
    let block =
      if let gps { ExifBlock(image: maker, exif: exif, gps: gps) } else {
        ExifBlock(image: maker, exif: exif)
      }
    try folder.write(JPEGFile(block).bytes, to: photos.appending(name))
  }

  private func index() throws -> PhotoIndex {
    try PhotoIndexer().update(
      PhotoIndex(), with: [photos], now: Instant(secondsSince1970: 1_800_000_000),
      monitor: ScanMonitor()
    ).0
  }

  private func record(
    _ paths: String..., names: [String] = [], size: Int64? = nil, time: String? = nil,
    latitude: Double = 1, isCopy: Bool = false
  ) throws -> RecordedPhoto {
    RecordedPhoto(
      paths: try paths.map { try #require(RecordedPath(Array($0.utf8))) },
      names: names.map { Array($0.utf8) }, size: size,
      captured: time.flatMap { CaptureTime(recorded: Array($0.utf8)) },
      coordinate: try #require(Coordinate(latitude: latitude, longitude: 2)), isCopy: isCopy)
  }

  private func matches(_ records: RecordedPhoto...) throws -> PositionMatches {
    var all = PositionRecords(.digiKam)
    all.photos = records
    return PositionMatches(all, with: try index())
  }

  private func found(_ matches: PositionMatches) -> [String] {
    matches.matches.map {
      "\($0.photo.path.string.dropFirst(photos.string.count + 1)) \($0.basis.rawValue)"
    }
  }

  @Test func `an exact path matches, whatever the photo's time and size`() throws {
    try add("a/x.jpg", "2024:06:01 10:00:00")
    try add("b/x.jpg", "2024:06:01 10:00:00")
    let matches = try matches(
      record(photos.string + "/a/x.jpg", size: 1, time: "2019-01-01T00:00:00"))
    #expect(found(matches) == ["a/x.jpg path"])
  }

  @Test(arguments: [
    "D:\\Photos\\2024\\Trip\\IMG_1.JPG", "/Volumes/Disk/2024/trip/IMG_1.jpg",
    "photos/2024/Trip/IMG_1.JPG", "\\\\nas\\share\\Trip\\IMG_1.jpg",
  ])
  func `a path of another mount or system matches by its end`(path: String) throws {
    try add("2024/Trip/IMG_1.jpg")
    try add("2023/Other/IMG_1.jpg")
    #expect(try found(matches(record(path))) == ["2024/Trip/IMG_1.jpg pathEnd"])
  }

  @Test func `composed and decomposed characters match`() throws {
    try add("Z\u{FC}rich/a.jpg")
    #expect(
      try found(matches(record("/Volumes/M/Zu\u{308}rich/a.jpg"))) == ["Z\u{FC}rich/a.jpg pathEnd"])
  }

  @Test func `the longest common path end wins, and a tie is ambiguous`() throws {
    try add("2023/Trip/a.jpg")
    try add("2024/Trip/a.jpg")
    let longest = try matches(record("X:/2024/Trip/a.jpg"))
    #expect(found(longest) == ["2024/Trip/a.jpg pathEnd"])
    let tie = try matches(record("X:/Trip/a.jpg"))
    #expect(tie.matches.isEmpty && tie.ambiguous.count == 1)
    #expect(tie.ambiguous.examples == [Array("X:/Trip/a.jpg".utf8)])
  }

  @Test func `a tie is resolved by the time`() throws {
    try add("2023/Trip/a.jpg", "2023:06:01 10:00:00")
    try add("2024/Trip/a.jpg", "2024:06:01 10:00:00")
    let matches = try matches(record("X:/Trip/a.jpg", time: "2024-06-01T10:00:00.000"))
    #expect(found(matches) == ["2024/Trip/a.jpg pathEnd"])
  }

  @Test func `a path end with a different time or size does not match`() throws {
    try add("Trip/a.jpg", "2024:06:01 10:00:00")
    let time = try matches(record("X:/Trip/a.jpg", time: "2019-06-01T10:00:07"))
    #expect(time.matches.isEmpty && time.contradicted.count == 1)
    try add("Trip/b.jpg")
    let size = try matches(record("X:/Trip/b.jpg", size: 1))
    #expect(size.matches.isEmpty && size.contradicted.count == 1)
    // If the time agrees, an edited file may have another size.
    let edited = try matches(record("X:/Trip/a.jpg", size: 1, time: "2024-06-01T10:00:01"))
    #expect(found(edited) == ["Trip/a.jpg pathEnd"])
    // A clock of another time zone.
    let zone = try matches(record("X:/Trip/a.jpg", time: "2024-06-01T08:00:00"))
    #expect(found(zone) == ["Trip/a.jpg pathEnd"])
  }

  @Test func `a file name alone does not match, but does with a time or a size`() throws {
    try add("new/a.jpg", "2024:06:01 10:00:00")
    try add("new/b.jpg")
    let size = Int64(try folder.contents(of: photos.appending("new/b.jpg")).count)
    #expect(try matches(record("X:/old/a.jpg")).missing.count == 1)
    #expect(
      try found(
        matches(
          record("X:/old/a.jpg", time: "2024-06-01T10:00:00"), record("X:/old/b.jpg", size: size)))
        == ["new/a.jpg name", "new/b.jpg name"])
    #expect(try matches(record("X:/old/a.jpg", time: "2024-06-01T08:00:00")).missing.count == 1)
    #expect(try matches(record("X:/old/b.jpg", size: size + 1)).missing.count == 1)
  }

  @Test func `photos with the same name and time are ambiguous if their sizes differ`() throws {
    try add("a/x.jpg", "2024:06:01 10:00:00")
    let content = try folder.contents(of: photos.appending("a/x.jpg"))
    try folder.write(content + [0, 0, 0], to: photos.appending("b/x.jpg"))
    let tie = try matches(record("X:/old/x.jpg", time: "2024-06-01T10:00:00"))
    #expect(tie.matches.isEmpty && tie.ambiguous.count == 1)
    let matches = try matches(
      record("X:/old/x.jpg", size: Int64(content.count), time: "2024-06-01T10:00:00"))
    #expect(found(matches) == ["a/x.jpg name"])
  }

  /// A library with its backup inside got no position at all.
  @Test func `copies of one photo in several folders get the position together`() throws {
    try add("a/x.jpg", "2024:06:01 10:00:00")
    try add("backup/a/x.jpg", "2024:06:01 10:00:00")
    let copies = ["a/x.jpg", "backup/a/x.jpg"]
    let name = try matches(record("X:/old/x.jpg", time: "2024-06-01T10:00:00"))
    #expect(found(name).sorted() == copies.map { $0 + " name" } && name.ambiguous.count == 0)
    let end = try matches(record("X:/a/x.jpg", time: "2024-06-01T10:00:00"))
    #expect(found(end).sorted() == copies.map { $0 + " pathEnd" })
    #expect(end.matches.allSatisfy { $0.position.coordinate.latitude == 1 })
    // Two records with different positions for a photo and its copy are contested.
    let other = try matches(
      record("X:/old/x.jpg", time: "2024-06-01T10:00:00"),
      record("X:/new/x.jpg", time: "2024-06-01T10:00:00", latitude: 3))
    #expect(other.matches.isEmpty)
    // Only the time shows that files of equal size are copies, and it must be exact.
    try add("u/y.jpg")
    try add("v/y.jpg")
    let size = Int64(try folder.contents(of: photos.appending("u/y.jpg")).count)
    #expect(try matches(record("X:/old/y.jpg", size: size)).ambiguous.count == 1)
    try add("u/z.jpg", "2024:06:01 10:00:00")
    try add("v/z.jpg", "2024:06:01 10:00:01")
    #expect(
      try matches(record("X:/old/z.jpg", time: "2024-06-01T10:00:00")).ambiguous.count == 1)
  }

  @Test func `a photo with its own position keeps it, but can make a match ambiguous`() throws {
    try add("a/x.jpg", "2024:06:01 10:00:00", latitude: 10)
    let own = try matches(record("X:/a/x.jpg"))
    #expect(own.matches.isEmpty && own.ownCount == 1)
    try add("b/a/x.jpg", "2024:06:01 10:00:00")
    let tie = try matches(record("X:/a/x.jpg"))
    #expect(tie.matches.isEmpty && tie.ownCount == 0 && tie.ambiguous.count == 1)
  }

  @Test func `the better record of a photo wins, and equally good ones must agree`() throws {
    try add("a/x.jpg", "2024:06:01 10:00:00")
    let end = try record("X:/a/x.jpg", latitude: 1)
    let whole = try record(photos.string + "/a/x.jpg", latitude: 2)
    let copy = try record(photos.string + "/a/x.jpg", latitude: 3, isCopy: true)
    for records in [[end, whole, copy], [copy, whole, end]] {
      let matches = try matches(records[0], records[1], records[2])
      #expect(matches.matches.map(\.position.coordinate.latitude) == [2])
    }
    let other = try record(photos.string + "/a/x.jpg", latitude: 4)
    let contested = try matches(whole, other)
    #expect(contested.matches.isEmpty && contested.ambiguous.count == 1)
    #expect(try matches(whole, whole).matches.count == 1)
  }

  @Test func `a record's further files match by path only`() throws {
    try add("a/x.cr2.jpg", "2024:06:01 10:00:00")
    try add("a/x.jpg", "2024:06:01 10:00:00")
    let matches = try matches(
      record("X:/a/x.cr2", "X:/a/x.jpg", time: "2024-06-01T10:00:00"))
    #expect(found(matches) == ["a/x.jpg pathEnd"])
    #expect(matches.missing.count == 0)
    #expect(
      try self.matches(record("X:/b/y.cr2", "X:/b/x.jpg", time: "2024-06-01T10:00:00")).missing
        .count == 1)
  }

  @Test func `an exported photo matches by its original name`() throws {
    try add("export/IMG_1.jpg", "2024:06:01 10:00:00")
    let matches = try matches(
      record(
        "/Users/a/P.photoslibrary/originals/A/A-1.jpg", names: ["IMG_1.JPG"],
        time: "2024-06-01T10:00:00+02:00"))
    #expect(found(matches) == ["export/IMG_1.jpg name"])
  }

  @Test func `paths that differ only in case are distinguished by an exact match`() throws {
    try add("a/x.jpg")
    try add("A/X.jpg")
    let matches = try matches(record(photos.string + "/A/X.jpg"))
    #expect(found(matches) == ["A/X.jpg path"])
    #expect(try self.matches(record("/other/a/x.jpg")).ambiguous.count == 1)
  }

  @Test func `the suffix tree agrees with a comparison of every path`() throws {
    for seed in 1...300 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      func path() -> [Int32] {
        (0..<Int.random(in: 1...6, using: &generator)).map { _ in
          Int32.random(in: 1...3, using: &generator)
        }
      }
      let paths = (0..<Int.random(in: 1...25, using: &generator)).map { _ in path() + [0] }
      var tree = SuffixTree()
      for place in paths.indices {
        tree.insert(Int32(place)) { $1 < paths[Int($0)].count ? paths[Int($0)][$1] : nil }
      }
      for _ in 0..<40 {
        let wanted = Bool.random(using: &generator) ? path() + [0] : path()
        let depths = paths.map { zip($0, wanted).prefix { $0 == $1 }.count }
        let deepest = depths.max() ?? 0
        let best = depths.indices.filter { depths[$0] == deepest }
        let expected: SuffixTree.Found =
          deepest == 0 ? .none : best.count == 1 ? .one(Int32(best[0])) : .several(depth: deepest)
        #expect(tree.find(wanted) == expected, "seed \(seed): \(wanted) in \(paths)")
        if deepest == wanted.count, wanted.last == 0, best.count > 1 {
          #expect(tree.exactMatches(wanted).sorted() == best.map { Int32($0) }, "seed \(seed)")
        }
      }
    }
  }
}
