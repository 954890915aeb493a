import CLibrary
import CivilTime
import Encodings
import Storage
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

/// Options that are kept with folders.
@Suite struct FolderOptionsTests {
  private static func change(
    excludes: [String]? = nil, includes: [String]? = nil
  ) -> PhotoIndexer.Settings {
    var settings = PhotoIndexer.Settings()
    (settings.options.excludes, settings.options.includes) = (excludes, includes)
    return settings
  }

  private static func add(_ names: [String], to library: borrowing Library) throws {
    for (number, name) in names.enumerated() { try library.add(name, number + 1) }
  }

  @Test func `what is excluded stays out of later scans until it is said anew`() throws {
    var library = try Library()
    try Self.add(["a.jpg", "b.png.jpg", "Drafts/c.jpg", "in/Drafts/d.jpg"], to: library)
    try library.scan(settings: Self.change(excludes: ["Drafts", "b.*"]))
    try library.scan()
    #expect(library.located.sorted() == ["a.jpg"])
    try library.scan(settings: Self.change(excludes: ["in"]))
    #expect(library.located.sorted() == ["Drafts/c.jpg", "a.jpg", "b.png.jpg"])
    try library.scan(settings: Self.change(excludes: []))
    #expect(library.located.count == 4)
    #expect(library.index.options.isEmpty)
  }

  /// A path from the root of the file system or from the working folder skipped nothing.
  @Test(arguments: ["sub/x", "/sub/x", "./sub/x", "././sub/x/", "<root>/sub/x", "<root>/sub/x/"])
  func `a path to skip may be written in several ways`(exclude: String) throws {
    var library = try Library()
    try Self.add(["x/a.jpg", "sub/x/b.jpg", "sub/c.jpg"], to: library)
    let pattern = exclude.replacing("<root>", with: library.photos.string)
    try library.scan(settings: Self.change(excludes: [pattern]))
    #expect(library.located.sorted() == ["sub/c.jpg", "x/a.jpg"])
  }

  @Test(arguments: ["<root>", "<root>x/a.jpg", "..", "/"])
  func `a path outside the folder skips nothing`(exclude: String) throws {
    var library = try Library()
    try Self.add(["x/a.jpg", "b.jpg"], to: library)
    let pattern = exclude.replacing("<root>", with: library.photos.string)
    try library.scan(settings: Self.change(excludes: [pattern]))
    #expect(library.located.sorted() == ["b.jpg", "x/a.jpg"])
  }

  @Test func `photos that are excluded now are removed, however many they are`() throws {
    var library = try Library()
    try Self.add((1...20).map { "\($0).jpg" } + ["keep/a.jpg"], to: library)
    try library.scan()
    let report = try library.scan(settings: Self.change(excludes: ["[0-9]*.jpg"]))
    #expect(report.removed == 20 && report.heldBack.isEmpty)
    #expect(library.located.sorted() == ["keep/a.jpg"])
  }

  @Test(arguments: [
    (["#recycle"], ["#recycle/a.jpg", "e.jpg"]), (["#Recycle"], ["#recycle/a.jpg", "e.jpg"]),
    ([".thumbnails"], [".thumbnails/c.jpg", "e.jpg"]),
    (["sub/@eaDir"], ["e.jpg", "sub/@eaDir/b.jpg"]),
    (["/@eaDir"], ["e.jpg"]), (["."], ["e.jpg"]), ([".."], ["e.jpg"]), (["*"], nil),
  ])
  func `an included name brings a skipped folder back`(
    includes: [String], expected: [String]?
  ) throws {
    var library = try Library()
    let names = ["#recycle/a.jpg", "sub/@eaDir/b.jpg", ".thumbnails/c.jpg", ".hidden.jpg", "e.jpg"]
    try Self.add(names, to: library)
    try library.scan()
    #expect(library.located.sorted() == ["e.jpg"])
    try library.scan(settings: Self.change(includes: includes))
    try library.scan()
    #expect(library.located.sorted() == (expected ?? names.filter { $0 != ".hidden.jpg" }.sorted()))
    try library.scan(settings: Self.change(includes: []))
    #expect(library.located.sorted() == ["e.jpg"])
  }

  @Test func `what is excluded is not brought back by an included name`() throws {
    var library = try Library()
    try Self.add(["#recycle/a.jpg", "#recycle/old/b.jpg"], to: library)
    try library.scan(settings: Self.change(excludes: ["old"], includes: ["#recycle"]))
    #expect(library.located.sorted() == ["#recycle/a.jpg"])
  }

  @Test func `a folder inside a root has options of its own`() throws {
    var library = try Library()
    try Self.add(["x/a.jpg", "sub/x/b.jpg", "sub/c.jpg"], to: library)
    try library.scan()
    try library.scan([library.photos.appending("sub")], settings: Self.change(excludes: ["x"]))
    try library.scan()
    #expect(library.located.sorted() == ["sub/c.jpg", "x/a.jpg"])
    // What is said about the root replaces it.
    try library.scan(settings: Self.change(excludes: []))
    #expect(library.located.count == 3)
  }

  @Test func `a root keeps the options of a root that becomes a part of it`() throws {
    var library = try Library()
    try Self.add(["sub/x/b.jpg", "sub/c.jpg", "a.jpg"], to: library)
    let sub = library.photos.appending("sub")
    try library.scan([sub], settings: Self.change(excludes: ["/x"]))
    try library.scan()
    #expect(library.located.sorted() == ["a.jpg", "sub/c.jpg"])
    #expect(library.index.options[sub]?.excludes == ["/x"])
  }

  @Test func `a renamed root keeps its options`() throws {
    var library = try Library()
    try Self.add(["one/a.jpg", "one/Drafts/b.jpg", "one/#recycle/c.jpg"], to: library)
    let (old, new) = (library.photos.appending("one"), library.photos.appending("two"))
    try library.scan([old], settings: Self.change(excludes: ["Drafts"], includes: ["#recycle"]))
    #expect(library.located.sorted() == ["one/#recycle/c.jpg", "one/a.jpg"])
    #expect(old.withPlatformString { old in new.withPlatformString { rename(old, $0) } } == 0)
    let report = try library.scan([new])
    #expect(report.movedRoots == [old] && report.moved == 2 && report.new == 0)
    #expect(library.located.sorted() == ["two/#recycle/c.jpg", "two/a.jpg"])
    #expect(library.index.options.keys.map(\.self) == [new])
  }

  @Test func `options are in the index file`() throws {
    var library = try Library()
    try Self.add(["a.jpg"], to: library)
    var settings = Self.change(excludes: ["D\"rafts"], includes: ["#recycle"])
    settings.options.tracks = [TrackRoot("/tracks"), TrackRoot("/a=b/c", name: "anna")]
    settings.options.trackOwner = "anna"
    settings.options.cameraClocks = ["m1=+02:00"]
    try library.scan(settings: settings)
    var bytes: [UInt8] = []
    try library.index.writeJSON { bytes += $0 }
    var reader = JSONReader(bytes)
    let read = try PhotoIndex(json: &reader)
    #expect(read.roots == library.index.roots)
    #expect(read.options[library.photos]?.tracks == settings.options.tracks)
    #expect(read.options[library.photos]?.trackOwner == "anna")
  }

  @Test func `a forgotten folder's options are forgotten`() throws {
    var library = try Library()
    try Self.add(["a.jpg"], to: library)
    try library.scan(settings: Self.change(excludes: ["x"]))
    let (index, _) = PhotoIndexer().forget([library.photos], in: library.index, now: .now)
    #expect(index.options.isEmpty)
  }
}
