import Encodings
import Spatial
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

/// Shots of files on a disk, from scan to scan and through the index file.
@Suite struct ShotIndexingTests {
  /// A shot in all its forms, another shot, and copies of both elsewhere.
  private static let files: [(path: String, content: [UInt8])] = [
    ("a/IMG_1111.JPG", photoContent(1)), ("a/IMG_1111.DNG", raw(1)), ("a/IMG_1111.MOV", movie),
    ("a/IMG_E1111.JPG", photoContent(1) + [0]), ("a/IMG_1111 (1).JPG", photoContent(1)),
    ("a/IMG_2222.JPG", photoContent(2)), ("a/IMG_2222.NEF", photoWithoutPosition),
    ("b/IMG_1111.JPG", photoContent(1)), ("b/IMG_1111.DNG", raw(1)), ("b/x.JPG", photoContent(2)),
    ("README", Array("text".utf8)), ("a/README", Array("text".utf8)),
  ]

  private static func raw(_ number: Int) -> [UInt8] {
    ExifBlock(
      image: [.init(0x10F, .ascii("Maker")), .init(0x110, .ascii("RAW"))],
      exif: [.init(0x9003, .ascii("2024:04:13 20:34:30"))],
      gps: ExifBlock.position(latitude: 10 + Double(number) / 1000, longitude: 20)
    ).tiff
  }

  private static let movie = MovieFile([
    .metadata([
      ("com.apple.quicktime.location.ISO6709", "+10.0010+020.0000/"),
      ("com.apple.quicktime.creationdate", "2024-04-13T20:34:28Z"),
    ])
  ]).bytes

  private func add(_ file: (path: String, content: [UInt8]), to library: borrowing Library) throws {
    let path = library.photos.appending(file.path)
    try library.folder.write(file.content, to: path)
    try library.folder.setModified(path, seconds: 1_700_000_000)
  }

  private func paths(_ index: PhotoIndex, in library: borrowing Library) -> [[String]] {
    let start = library.photos.string.count + 1
    return index.shots.ids.map { shot in
      index.shots[shot].map { String(index.path(of: $0).string.dropFirst(start)) }
    }
  }

  @Test func `the files of a shot are grouped by content and name`() throws {
    var library = try Library()
    for file in Self.files { try add(file, to: library) }
    let report = try library.scan()
    #expect(report.files.located == 9 && report.files.withoutPosition == 1)
    #expect(
      paths(library.index, in: library) == [
        [
          "a/IMG_1111 (1).JPG", "a/IMG_1111.JPG", "b/IMG_1111.JPG", "a/IMG_1111.DNG",
          "b/IMG_1111.DNG", "a/IMG_E1111.JPG", "a/IMG_1111.MOV",
        ],
        ["a/IMG_2222.JPG", "b/x.JPG", "a/IMG_2222.NEF"],
      ])
    #expect(library.index.shotCount == 2 && library.index.furtherFileCount == 8)
    #expect(library.index.spots(clusterRadius: 15).map(\.photoCount) == [1, 1])
  }

  @Test func `the movie of a Pixel motion photo belongs to its shot`() throws {
    var library = try Library()
    try add(("PXL_1.MP.jpg", photoContent(1)), to: library)
    try add(("PXL_1.MP", Self.movie), to: library)
    let report = try library.scan()
    #expect(report.files.located == 2)
    #expect(paths(library.index, in: library) == [["PXL_1.MP.jpg", "PXL_1.MP"]])
  }

  @Test(arguments: [71, 72, 73] as [UInt64])
  func `shots after any changes equal those of a fresh scan`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var library = try Library()
    var present: Set<Int> = []
    var shots = 0
    for _ in 0..<25 {
      for _ in 0...Int.random(in: 0..<3, using: &generator) {
        let number = Int.random(in: 0..<Self.files.count, using: &generator)
        if present.remove(number) != nil {
          library.folder.remove(library.photos.appending(Self.files[number].path))
        } else {
          try add(Self.files[number], to: library)
          present.insert(number)
        }
      }
      // A folder that is empty counts as not mounted.
      guard !present.isEmpty else { continue }
      try library.scan()
      let (fresh, _) = try PhotoIndexer().update(
        PhotoIndex(), with: [library.photos], now: library.now)
      #expect(library.index.shots == fresh.shots, "seed \(seed)")
      #expect(library.index.files.shot == fresh.files.shot, "seed \(seed)")
      shots += fresh.shots.count
      let report = try library.scan()
      #expect(report.filesRead == 0 && library.index.shots == fresh.shots, "seed \(seed)")
      #expect(library.index.files.shot == fresh.files.shot, "seed \(seed)")
    }
    #expect(shots > 10, "seed \(seed)")
  }

  @Test func `a moved or renamed file leaves its shot without being read again`() throws {
    var library = try Library()
    for number in [0, 1, 2] { try add(Self.files[number], to: library) }
    try library.scan()
    let whole = ["a/IMG_1111.JPG", "a/IMG_1111.DNG", "a/IMG_1111.MOV"]
    #expect(paths(library.index, in: library) == [whole])
    for (old, new, left) in [
      ("a/IMG_1111.DNG", "c/IMG_1111.DNG", ["a/IMG_1111.JPG", "a/IMG_1111.MOV"]),
      ("c/IMG_1111.DNG", "a/IMG_1111.DNG", whole),
      ("a/IMG_1111.MOV", "a/IMG_1112.MOV", ["a/IMG_1111.JPG", "a/IMG_1111.DNG"]),
    ] {
      try library.folder.createFolder(library.photos.appending("c"))
      try library.folder.move(library.photos.appending(old), to: library.photos.appending(new))
      let report = try library.scan()
      #expect(report.filesRead == 0 && report.moved == 1)
      #expect(paths(library.index, in: library) == [left])
    }
  }

  // MARK: - The index file

  private func text(of index: PhotoIndex) throws -> String {
    var text: [UInt8] = []
    try index.writeJSON { text += $0 }
    return String(decoding: text, as: UTF8.self)
  }

  private func load(_ text: String) throws(IndexFormatError) -> PhotoIndex {
    var reader = JSONReader(Array(text.utf8))
    return try PhotoIndex(json: &reader)
  }

  private let index = PhotoIndex([
    ShotRow("a/1.JPG"), ShotRow("a/1.NEF"), ShotRow("a/2.JPG", size: 5).later(60),
    ShotRow("b/2.JPG", size: 5).later(60), ShotRow("a/2.NEF").unlocated,
    ShotRow("a/3.JPG").later(120),
  ])

  @Test func `shots round-trip through the index file`() throws {
    let text = try text(of: index)
    #expect(text.contains(#""shots":[[0,1],[2,5,3]]"#))
    let loaded = try load(text)
    #expect(loaded.shots == index.shots)
    #expect(loaded.files.shot == index.files.shot)
    #expect(try self.text(of: loaded) == text)
  }

  @Test func `an index of an earlier version gets its shots when loaded`() throws {
    let text = try text(of: index)
    let old = text.replacing(#","shots":[[0,1],[2,5,3]]"#, with: "")
    #expect(old != text)
    #expect(try load(old).shots == index.shots)
    // Shots in the file take precedence, even if there are none.
    let none = text.replacing("[[0,1],[2,5,3]]", with: "[]")
    #expect(try load(none).shotCount == 5)
  }

  @Test(arguments: [
    "[[0]]", "[[]]", "[[0,6]]", "[[-1,0]]", "[[3,2]]", "[[0,1],[1,2]]", "[[0,0]]", "[[0,1],[1,0]]",
    "[0,1]", "[[0,99999999999]]", "[[0,1.5]]", "{}", "[[0,null]]",
  ])
  func `shots with invalid references are damage`(shots: String) throws {
    let damaged = try text(of: index).replacing("[[0,1],[2,5,3]]", with: shots)
    #expect {
      _ = try load(damaged)
    } throws: { error in
      if case .damaged(let reason)? = error as? IndexFormatError { !reason.isEmpty } else { false }
    }
  }
}
