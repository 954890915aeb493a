import CLibrary
import PhotoMetadata
import Spatial
import Storage
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

/// Libraries that were moved or restored to another path.
@Suite struct RelocationTests {
  private static let given = GivenPosition(
    Coordinate(latitude: 43, longitude: 1.5)!, source: .imported)

  /// A library of four photos and a scan with a given position in `old`, and its copy in `new`.
  private struct Restored: ~Copyable {
    var library: Library
    let old: FilePath
    let new: FilePath

    static func make(
      _ change: (borrowing Library) throws -> Void = { _ in }
    ) throws -> Restored {
      var library = try Library()
      let (old, new) = (library.photos.appending("old"), library.photos.appending("new"))
      for folder in ["old", "new"] {
        for number in 1...4 { try library.add("\(folder)/\(number / 3)/\(number).jpg", number) }
        let scan = library.photos.appending("\(folder)/scan.jpg")
        try library.folder.write(JPEGFile().bytes + [1, 2, 3], to: scan)
        try library.folder.setModified(scan, seconds: 1_700_000_000)
      }
      var settings = PhotoIndexer.Settings()
      settings.options.excludes = ["x"]
      settings.options.tracks = [TrackRoot(old.appending("tracks"), name: "anna")]
      try library.scan([old], settings: settings)
      let photo = try #require(library.index.unlocatedPhotos.first)
      #expect(library.index.assign([(photo, RelocationTests.given)]) == 1)
      library.folder.remove(old)
      try change(library)
      return Restored(library: library, old: old, new: new)
    }

    mutating func relocate() throws -> Relocation {
      let found = try PhotoIndexer().compare(old, with: new, in: library.index)
      library.index = PhotoIndexer().relocate(found, in: library.index, now: library.now)
      return found
    }
  }

  @Test func `a restored library keeps its given positions and options`() throws {
    var restored = try Restored.make()
    let new = restored.new
    let ids = Set(SpotIndex(restored.library.index, clusterRadius: 50).spots.map(\.id))
    let found = try restored.relocate()
    #expect(found.isConvincing && found.knownCount == 5 && found.foundCount == 5)
    #expect(found.comparedCount == 5 && found.differing.isEmpty)
    let index = restored.library.index
    #expect(index.roots.map(\.path) == [new])
    #expect(index.options[new]?.excludes == ["x"])
    #expect(index.options[new]?.tracks == [TrackRoot(new.appending("tracks"), name: "anna")])
    #expect(index.givenPosition(ofFileAt: new.appending("scan.jpg")) == Self.given)
    #expect(Set(SpotIndex(index, clusterRadius: 50).spots.map(\.id)) == ids)
    let report = try restored.library.scan([new])
    #expect(report.filesRead == 0 && report.new == 0 && report.removed == 0)
  }

  @Test func `the given position goes along if the new path is indexed already`() throws {
    var restored = try Restored.make()
    let new = restored.new
    try restored.library.scan([new])
    _ = try restored.relocate()
    let index = restored.library.index
    #expect(index.roots.map(\.path) == [new] && index.fileCount == 5)
    #expect(index.givenPosition(ofFileAt: new.appending("scan.jpg")) == Self.given)
    let report = try restored.library.scan([new])
    #expect(report.removed == 0 && restored.library.index.photoCount == 5)
  }

  @Test func `a relocation is taken back without the folders`() throws {
    var restored = try Restored.make()
    let (old, new) = (restored.old, restored.new)
    let before = restored.library.located
    _ = try restored.relocate()
    let now = restored.library.now
    restored.library.index = PhotoIndexer().relocate(
      .takingBack(old, new), in: restored.library.index, now: now)
    let index = restored.library.index
    #expect(restored.library.located == before && index.roots.map(\.path) == [old])
    #expect(index.options[old]?.tracks.map(\.path) == [old.appending("tracks")])
  }

  @Test func `a folder with other photos, or few of them, is not the library`() throws {
    let other = try Restored.make { library in
      for number in 1...4 {
        try library.add("new/\(number / 3)/\(number).jpg", number + 10)
      }
    }
    let found = try PhotoIndexer().compare(other.old, with: other.new, in: other.library.index)
    #expect(!found.isConvincing && found.foundCount == 5 && found.differing.count == 4)
    let few = try Restored.make { library in
      library.folder.remove(library.photos.appending("new/0"))
      library.folder.remove(library.photos.appending("new/1/3.jpg"))
    }
    let (index, old, new) = (few.library.index, few.old, few.new)
    let left = try PhotoIndexer().compare(old, with: new, in: index)
    #expect(!left.isConvincing && left.foundCount == 2)
    #expect(throws: PhotoIndexerError.self) {
      try PhotoIndexer().compare(old, with: new.appending("none"), in: index)
    }
  }

  @Test func `a library that is away is found in a new root`() throws {
    var restored = try Restored.make { library in
      library.folder.remove(library.photos.appending("new/1/4.jpg"))
    }
    let (old, new) = (restored.old, restored.new)
    try restored.library.scan([new])
    let found = restored.library.index.counterpart(of: old, in: [new])
    #expect(found?.new == new && found?.foundCount == 4 && found?.knownCount == 5)
  }

  @Test(arguments: [true, false])
  func `a copy without the modification times is found by its sizes, and then read again`(
    hasOwnSizes: Bool
  ) throws {
    var library = try Library()
    let (old, new) = (library.photos.appending("old"), library.photos.appending("new"))
    for (folder, modified) in [("old", 1_700_000_000), ("new", 1_750_000_000)] {
      for number in 1...5 {
        let photo = library.photos.appending("\(folder)/\(number / 3)/\(number).jpg")
        let end = [UInt8](repeating: 0, count: hasOwnSizes ? number : 1)
        let content = number == 5 ? photoWithoutPosition : photoContent(number)
        try library.folder.write(content + end, to: photo)
        try library.folder.setModified(photo, seconds: modified)
      }
    }
    try library.scan([old])
    let photo = try #require(library.index.unlocatedPhotos.first)
    #expect(library.index.assign([(photo, Self.given)]) == 1)
    library.folder.remove(old)
    try library.scan([new])
    let offered = library.index.counterpart(of: old, in: [new])
    guard hasOwnSizes else {
      #expect(offered == nil)
      return
    }
    #expect(offered?.new == new && offered?.foundCount == 5 && offered?.knownCount == 5)
    let found = try PhotoIndexer().compare(old, with: new, in: library.index)
    #expect(found.isConvincing && found.differing.isEmpty)
    library.index = PhotoIndexer().relocate(found, in: library.index, now: library.now)
    #expect(library.index.givenPosition(ofFileAt: new.appending("1/5.jpg")) == Self.given)
    // The entry with the given position came along from a file with another time.
    #expect(try library.scan([new]).filesRead == 1)
    #expect(library.index.givenPosition(ofFileAt: new.appending("1/5.jpg")) == Self.given)
    #expect(try library.scan([new]).filesRead == 0 && library.index.photoCount == 5)
  }

  @Test func `an unseen copy without the modification times is read again after a relocation`()
    throws
  {
    var restored = try Restored.make { library in
      for number in 1...4 {
        let content = photoContent(number == 4 ? 40 : number)
        let photo = library.photos.appending("new/\(number / 3)/\(number).jpg")
        try library.folder.write(content, to: photo)
        try library.folder.setModified(photo, seconds: 1_750_000_000)
      }
    }
    let new = restored.new
    let found = try restored.relocate()
    #expect(found.isConvincing && found.differing == [new.appending("1/4.jpg")])
    let report = try restored.library.scan([new])
    #expect(report.filesRead == 4 && restored.library.index.fileCount == 5)
    let moved = restored.library.index.allPhotos.first { $0.path == new.appending("1/4.jpg") }
    #expect(abs((moved?.coordinate.latitude ?? 0) - 10.04) < 1e-6)
  }

  @Test func `a copy beside the library is no counterpart`() throws {
    var restored = try Restored.make()
    let (old, new) = (restored.old, restored.new)
    try restored.library.add("old/0/1.jpg", 1)
    try restored.library.scan([new])
    #expect(restored.library.index.counterpart(of: old, in: [new]) == nil)
  }
}
