import CivilTime
import PhotoMetadata
import Spatial
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite struct GivenPositionTests {
  private let here = GivenPosition(
    Coordinate(latitude: 48, longitude: 2)!, horizontalAccuracyMeters: 12, source: .inferred)

  /// Two photos with a position and two without, of which one has a time.
  private func library() throws -> Library {
    var library = try Library()
    try library.add("b/1.jpg", 1)
    try library.add("d/2.jpg", 2)
    try library.folder.write(dated(), to: library.photos.appending("c/dated.jpg"))
    try library.folder.write(photoWithoutPosition, to: library.photos.appending("e/undated.jpg"))
    try library.scan()
    return library
  }

  private func dated(_ time: String = "2024:04:13 20:34:30") -> [UInt8] {
    let entries = [
      ExifBlock.Entry(0x9003, .ascii(time)), ExifBlock.Entry(0x9011, .ascii("+02:00")),
    ]
    return JPEGFile(
      ExifBlock(image: [.init(0x10F, .ascii("Maker")), .init(0x110, .ascii("M1"))], exif: entries)
    ).bytes
  }

  /// The names of the photos without their own position.
  private func names(_ photos: [UnlocatedPhoto]) -> [String] {
    photos.map { $0.path.lastComponent?.string ?? "" }
  }

  private func give(_ position: GivenPosition?, to name: String, in index: inout PhotoIndex) -> Int
  {
    let photo = index.unlocatedPhotos.first { $0.path.lastComponent?.string == name }
    return photo.map { index.assign([(photo: $0, position: position)]) } ?? -1
  }

  private func reloaded(_ index: PhotoIndex, _ folder: borrowing TemporaryFolder) throws
    -> PhotoIndex
  {
    let cache = PhotoIndexCache(path: folder.path("index.json"))
    try cache.save(index)
    return try #require(try cache.load())
  }

  @Test("a photo without a position keeps its time and camera across saving and rescans")
  func facts() throws {
    var library = try library()
    for index in [library.index, try reloaded(library.index, library.folder)] {
      #expect(names(index.unlocatedPhotos) == ["dated.jpg", "undated.jpg"])
      let photo = index.unlocatedPhotos[0]
      #expect(photo.captured?.iso8601 == "2024-04-13T20:34:30.000+02:00")
      #expect(photo.camera == Camera(make: "Maker", model: "M1"))
      #expect(photo.size == Int64(dated().count) && photo.given == nil)
      #expect(index.unlocatedPhotos[1].captured == nil)
    }
    let report = try library.scan()
    #expect(report.filesRead == 0)
    #expect(names(library.index.unlocatedPhotos) == ["dated.jpg", "undated.jpg"])
  }

  @Test("a given position makes a photo part of a spot, marked with its source and accuracy")
  func given() throws {
    let library = try library()
    var index = library.index
    #expect(give(here, to: "dated.jpg", in: &index) == 1)
    #expect(give(here, to: "dated.jpg", in: &index) == 0)
    for index in [index, try reloaded(index, library.folder)] {
      #expect(index.photoCount == 3)
      let photo = try #require(index.allPhotos.first { $0.positionSource == .inferred })
      #expect(photo.coordinate == here.coordinate && photo.horizontalAccuracyMeters == 12)
      #expect(photo.captured?.iso8601 == "2024-04-13T20:34:30.000+02:00")
      #expect(photo.path == library.photos.appending("c/dated.jpg"))
      let spots = SpotIndex(index, clusterRadius: 15)
      #expect(spots.spots(within: 1, of: here.coordinate).count == 1)
      #expect(index.unlocatedPhotos.map(\.given) == [here, nil])
    }
  }

  @Test("a given position survives rereading and moving the file, until it is removed")
  func persistence() throws {
    var library = try library()
    #expect(give(here, to: "dated.jpg", in: &library.index) == 1)
    var full = PhotoIndexer.Settings()
    full.isFull = true
    let report = try library.scan(settings: full)
    #expect(report.files.located == 3 && report.files.withoutPosition == 1)
    #expect(library.index.unlocatedPhotos.map(\.given) == [here, nil])
    try library.folder.move(
      library.photos.appending("c/dated.jpg"), to: library.photos.appending("d/moved.jpg"))
    #expect(try library.scan().moved == 1)
    #expect(names(library.index.unlocatedPhotos) == ["moved.jpg", "undated.jpg"])
    #expect(library.index.unlocatedPhotos.map(\.given) == [here, nil])
    #expect(give(nil, to: "moved.jpg", in: &library.index) == 1)
    #expect(library.index.photoCount == 2)
    #expect(names(library.index.unlocatedPhotos) == ["moved.jpg", "undated.jpg"])
  }

  @Test("a given position stays with an edited photo, but not with another in its place")
  func replaced() throws {
    var library = try library()
    #expect(give(here, to: "dated.jpg", in: &library.index) == 1)
    #expect(give(here, to: "undated.jpg", in: &library.index) == 1)
    try library.folder.write(dated() + [0, 0], to: library.photos.appending("c/dated.jpg"))
    try library.scan()
    #expect(library.index.unlocatedPhotos.map(\.given) == [here, here])
    try library.folder.write(
      dated("2025:01:01 00:00:00"), to: library.photos.appending("c/dated.jpg"))
    try library.folder.write(
      photoWithoutPosition + [0, 0, 0], to: library.photos.appending("e/undated.jpg"))
    try library.scan()
    #expect(library.index.unlocatedPhotos.map(\.given) == [nil, nil])
  }

  @Test("a file that gains its own position loses the given one")
  func ownPosition() throws {
    var library = try library()
    #expect(give(here, to: "dated.jpg", in: &library.index) == 1)
    try library.add("c/dated.jpg", 7, modified: 1_700_000_100)
    try library.scan()
    #expect(library.index.allPhotos.allSatisfy { $0.positionSource == .exif })
    #expect(names(library.index.unlocatedPhotos) == ["undated.jpg"])
  }

  @Test("photos read by an earlier version are read again if their times are needed")
  func migration() throws {
    var library = try library()
    library.index.unlocated = UnlocatedTable()
    #expect(try library.scan().filesRead == 0)
    #expect(library.index.unlocatedPhotos.isEmpty)
    var settings = PhotoIndexer.Settings()
    settings.readsUnlocated = true
    #expect(try library.scan(settings: settings).filesRead == 2)
    #expect(names(library.index.unlocatedPhotos) == ["dated.jpg", "undated.jpg"])
    #expect(try library.scan(settings: settings).filesRead == 0)
  }

  @Test("rows that refer to no file without a position are damage")
  func damage() throws {
    let library = try library()
    let cache = PhotoIndexCache(path: library.folder.path("index.json"))
    try cache.save(library.index)
    let text = String(decoding: try library.folder.contents(of: cache.path), as: UTF8.self)
    let sound = #""unlocated":{"file":[1,3]"#
    #expect(text.contains(sound))
    for broken in [#"[3,1]"#, "[0,3]", "[1,4]", "[1,1]", "[1]"] {
      let damaged = text.replacing(sound, with: #""unlocated":{"file":"# + broken)
      try library.folder.write(Array(damaged.utf8), to: "damaged.json")
      #expect(throws: PhotoIndexCacheError.self, "\(broken)") {
        try PhotoIndexCache(path: library.folder.path("damaged.json")).load()
      }
    }
  }

  @Test("giving positions to random photos keeps the tables in the order of files")
  func order() throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      var library = try Library()
      for number in 0..<30 {
        let path = library.photos.appending("\(number).jpg")
        if Bool.random(using: &generator) {
          try library.add(path, number)
        } else {
          try library.folder.write(dated("2024:04:13 20:34:\(10 + number)"), to: path)
        }
      }
      try library.scan()
      for _ in 0..<5 {
        let changes = library.index.unlocatedPhotos.shuffled(using: &generator).prefix(6).map {
          (photo: $0, position: Bool.random(using: &generator) ? here : nil)
        }
        let expected = Dictionary(
          uniqueKeysWithValues: library.index.unlocatedPhotos.map { ($0.path, $0.given) }
        ).merging(changes.map { ($0.photo.path, $0.position) }) { $1 }
        _ = library.index.assign(Array(changes))
        let found = library.index.unlocatedPhotos
        #expect(
          Dictionary(uniqueKeysWithValues: found.map { ($0.path, $0.given) }) == expected,
          "seed \(seed)")
        let reloaded = try reloaded(library.index, library.folder)
        #expect(reloaded.unlocatedPhotos == found, "seed \(seed)")
        #expect(reloaded.allPhotos == library.index.allPhotos, "seed \(seed)")
      }
    }
  }
}
