import CLibrary
import PhotoMetadata
import Spatial
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

/// A folder of the index that is gone, and whose files are in several other folders.
@Suite struct SplitRootTests {
  private static let given = GivenPosition(
    Coordinate(latitude: 43, longitude: 1.5)!, source: .imported)

  /// A photo without a position, taken at a second of a minute.
  private static func content(_ second: Int, comment: String = "a") -> [UInt8] {
    let time = "2024:04:13 20:34:\(second < 10 ? "0" : "")\(second)"
    let exif = [ExifBlock.Entry(0x9003, .ascii(time))]
    return JPEGFile(ExifBlock(image: [.init(0x10F, .ascii(comment))], exif: exif)).bytes
  }

  /// A scanned library of photos whose positions are imported, in one folder or in several.
  private static func library(_ names: [String]) throws -> Library {
    var library = try Library()
    for (number, name) in names.enumerated() {
      try library.folder.write(content(number), to: "photos/\(name)")
    }
    try library.scan()
    #expect(library.index.assign(library.index.unlocatedPhotos.map { ($0, given) }) == names.count)
    return library
  }

  /// Moves files of the library to another folder.
  private static func move(
    _ names: some Sequence<String>, of library: borrowing Library, to folder: FilePath
  ) throws {
    for name in names {
      let new = folder.appending(name)
      try library.folder.createFolder(new.removingLastComponent())
      try library.folder.move(library.photos.appending(name), to: new)
    }
  }

  /// Adds photos, scans them, renames their folder, and removes the first of them.
  private static func rename(
    _ library: inout Library, photos count: Int, without removedCount: Int
  ) throws -> FilePath {
    for (number, name) in names(count).enumerated() { try library.add(name, number) }
    try library.scan()
    let new = library.folder.path("renamed")
    try library.folder.move(library.photos, to: new)
    for name in names(removedCount) { library.folder.remove(new.appending(name)) }
    return new
  }

  private static func names(_ count: Int) -> [String] {
    (0..<count).map { "\($0 < 10 ? "0" : "")\($0).jpg" }
  }

  @Test(arguments: [[20], [10, 10], [15, 5], [19, 1], [7, 7, 6], [2, 3, 4, 5, 6]])
  func `each part keeps its imported positions, whatever its share`(sizes: [Int]) throws {
    let names = Self.names(20)
    var library = try Self.library(names)
    var rest = names[...]
    let parts = sizes.indices.map { library.folder.path("part \($0)") }
    for (part, size) in zip(parts, sizes) {
      try Self.move(rest.prefix(size), of: library, to: part)
      rest = rest.dropFirst(size)
    }
    library.folder.remove(library.photos)
    var left = 20
    for (part, size) in zip(parts, sizes) {
      let report = try library.scan([part])
      left -= size
      #expect(report.changes == ["moved": size])
      #expect(report.lostPositions.isEmpty && library.index.givenCount == 20)
      #expect(report.movedRoots == (left == 0 ? [library.photos] : []))
      #expect(report.staleRoots == (left == 0 ? [] : [library.photos]))
      #expect(report.splitRoots[library.photos]?.left == (left == 0 ? nil : left))
      #expect(report.splitRoots[library.photos]?.moved == (left == 0 ? nil : size))
      #expect(library.index.staleRoots == report.staleRoots)
    }
    #expect(library.index.roots.map(\.path) == parts)
    #expect(library.index.fileCount == 20)
    #expect(library.index.allPhotos.allSatisfy { !$0.path.starts(with: library.photos) })
  }

  @Test func `the parts are found in one scan with the folder that is gone`() throws {
    let names = Self.names(12)
    var library = try Self.library(names)
    let parts = [library.folder.path("a"), library.folder.path("b")]
    try Self.move(names.prefix(4), of: library, to: parts[0])
    try Self.move(names.dropFirst(4), of: library, to: parts[1])
    library.folder.remove(library.photos)
    let report = try library.scan(parts + [library.photos])
    #expect(report.changes == ["moved": 12] && report.staleRoots.isEmpty)
    #expect(library.index.roots.map(\.path) == parts && library.index.givenCount == 12)
  }

  @Test func `a photo that was edited after its folder was renamed is still the same`() throws {
    let names = ["a/1.jpg", "a/2.jpg", "b/3.jpg"]
    var library = try Self.library(names)
    let new = library.folder.path("renamed")
    try library.folder.move(library.photos, to: new)
    try library.folder.write(Self.content(2, comment: "edited"), to: "renamed/b/3.jpg")
    let report = try library.scan([new])
    #expect(report.movedRoots == [library.photos] && report.splitRoots.isEmpty)
    #expect(report.moved == 3 && report.filesRead == 1 && report.removed == 0)
    #expect(library.index.roots.map(\.path) == [new] && library.index.givenCount == 3)
    #expect(library.index.givenPosition(ofFileAt: new.appending("b/3.jpg")) == Self.given)
  }

  @Test func `a few photos that were deleted when a folder was renamed are gone`() throws {
    var library = try Library()
    let new = try Self.rename(&library, photos: 20, without: 9)
    #expect(try library.scan([new]).changes == ["moved": 11, "removed": 9])
    #expect(library.index.roots.map(\.path) == [new])
  }

  @Test func `many photos that are not where the others are stay until they are forgotten`()
    throws
  {
    var library = try Library()
    let new = try Self.rename(&library, photos: 30, without: 10)
    let report = try library.scan([new])
    #expect(report.splitRoots == [library.photos: .init(moved: 20, left: 10)])
    #expect(library.index.photoCount == 30)
    // Nothing is found again by the next scan, and nothing is said anew.
    #expect(try library.scan([new]).changes == [:])
    let (index, removed) = PhotoIndexer().forget(
      [library.photos], in: library.index, now: library.now)
    #expect(removed == 10 && index.photoCount == 20)
  }

  @Test func `a photo moved from a disk that is away now is there once`() throws {
    let names = Self.names(12)
    var library = try Self.library(names)
    let inbox = library.folder.path("inbox")
    try Self.move(names.prefix(1), of: library, to: inbox)
    let away = library.folder.path("away")
    try library.folder.move(library.photos, to: away)
    try library.scan([inbox])
    #expect(library.index.fileCount == 12 && library.index.givenCount == 12)
    try library.folder.move(away, to: library.photos)
    #expect(try library.scan().changes == [:])
    #expect(library.index.staleRoots.isEmpty && library.index.fileCount == 12)
  }

  @Test func `a hard link that was known before takes no imported position away`() throws {
    var library = try Self.library(Self.names(4))
    let backup = library.folder.path("backup")
    try library.folder.createFolder(backup)
    for name in Self.names(4) {
      let (old, new) = (library.photos.appending(name), backup.appending(name))
      let isLinked = old.withPlatformString { old in new.withPlatformString { link(old, $0) } }
      #expect(isLinked == 0)
    }
    try library.scan([backup])
    library.folder.remove(library.photos)
    try library.scan([backup])
    #expect(library.index.fileCount == 8 && library.index.givenCount == 4)
  }

  @Test func `each part gets the options of the folder, but no folder with a life of its own`()
    throws
  {
    let names = Self.names(12)
    var library = try Library()
    let inbox = library.folder.path("inbox")
    try library.add(inbox.appending("Drafts/other.jpg"), 50)
    for (number, name) in names.enumerated() { try library.add(name, number) }
    var settings = PhotoIndexer.Settings()
    settings.options.excludes = ["Drafts"]
    settings.options.folders = [library.photos]
    try library.scan([library.photos, inbox], settings: settings)
    let parts = [library.folder.path("a"), library.folder.path("b")]
    try Self.move(names[0..<5], of: library, to: parts[0])
    try Self.move(names[5..<9], of: library, to: parts[1])
    try Self.move(names[9..<12], of: library, to: inbox)
    try library.add(parts[0].appending("Drafts/a.jpg"), 51)
    try library.add(parts[1].appending("Drafts/b.jpg"), 52)
    library.folder.remove(library.photos)
    for folder in parts + [inbox] { try library.scan([folder]) }
    let excludes = library.index.options.mapValues(\.excludes)
    #expect(excludes == [parts[0]: ["Drafts"], parts[1]: ["Drafts"]])
    #expect(library.index.photoCount == 13)
  }
}
