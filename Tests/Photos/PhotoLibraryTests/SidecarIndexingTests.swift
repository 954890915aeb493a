import CLibrary
import CivilTime
import PhotoLibrary
import PhotoMetadata
import Spatial
import Storage
import SystemPackage
import TestSupport
import Testing

@Suite struct SidecarIndexingTests {
  private let folder = TemporaryFolder()
  private let now = Instant(iso8601: "2026-11-20T12:00:00Z")!

  private func scan(_ index: PhotoIndex) throws -> (index: PhotoIndex, report: ScanReport) {
    try PhotoIndexer().update(index, with: [folder.path("photos")], now: now)
  }

  private func write(_ latitude: Double) throws {
    try folder.write(
      #"{"geoData": {"latitude": \#(latitude), "longitude": 2.0}}"#, to: "photos/a.jpg.json")
  }

  @Test func `adding, changing or removing a sidecar changes its photo`() throws {
    try folder.write(JPEGFile().bytes, to: "photos/a.jpg")
    try folder.write(JPEGFile().bytes, to: "photos/b.jpg")
    var (index, report) = try scan(PhotoIndex())
    #expect(report.files.photos == 2 && report.files.located == 0)

    try write(48)
    (index, report) = try scan(index)
    #expect(report.changed == 1 && report.filesRead == 1 && report.files.located == 1)
    #expect(index.photo(at: 0).coordinate == Coordinate(latitude: 48, longitude: 2))
    #expect(index.photo(at: 0).positionSource == .takeout)

    (index, report) = try scan(index)
    #expect(report.filesRead == 0 && report.files.located == 1)

    try write(49.125)
    (index, report) = try scan(index)
    #expect(report.changed == 1 && report.filesRead == 1)
    #expect(index.photo(at: 0).coordinate.latitude == 49.125)

    folder.remove(folder.path("photos/a.jpg.json"))
    (index, report) = try scan(index)
    #expect(report.changed == 1 && report.files.located == 0)
  }

  @Test func `a sidecar gives the position of a photo with unreadable content`() throws {
    for (name, content) in [("empty", []), ("unknown", Array("text".utf8))] as [(String, [UInt8])] {
      try folder.write(content, to: "photos/\(name).jpg")
      try folder.write(
        #"{"geoData": {"latitude": 48, "longitude": 2.0}}"#, to: "photos/\(name).jpg.json")
    }
    try folder.write([], to: "photos/nowhere.jpg")
    try folder.write(
      #"{"geoData": {"latitude": 0, "longitude": 0}}"#, to: "photos/nowhere.jpg.json")
    let (index, report) = try scan(PhotoIndex())
    #expect(report.files.located == 2 && report.files.malformed == 1)
    #expect(index.photo(at: 0).coordinate == Coordinate(latitude: 48, longitude: 2))
    #expect(report.problems.map(\.reason) == ["the file is empty"])
  }

  @Test func `a photo's own position does not depend on unreadable sidecars`() throws {
    try folder.write(photoContent(), to: "photos/a.jpg")
    // The path is too long to be opened: permissions are no obstacle if the tests run as root.
    let long = (0..<25).map { _ in String(repeating: "x", count: 200) }.joined(separator: "/")
    let unreadable = Sidecar(kind: .xmp, path: folder.root.appending(long))
    let broken = Sidecar(kind: .takeout, path: folder.path("photos/a.jpg.json"))
    let gone = Sidecar(kind: .xmp, path: folder.path("photos/a.xmp"))
    try folder.write(#"{"geoData": {"latitude": 48"#, to: broken.path)
    var properties = PhotoProperties()
    properties.coordinate = Coordinate(latitude: 1, longitude: 2)
    let problems = properties.complete(with: [unreadable, gone, broken])
    #expect(problems.map(\.path) == [unreadable.path, broken.path])
    #expect(problems.map(\.isUnreadable) == [true, false])
    #expect(properties.coordinate == Coordinate(latitude: 1, longitude: 2))
  }

  /// Returns a path of a length in bytes, below the folder, and creates its parents.
  ///
  /// In builds without optimization, the functions of `FilePath` need seconds for such a path.
  private func path(ofLength length: Int) throws -> FilePath {
    try folder.createFolder(folder.path("photos"))
    var path = folder.path("photos").string
    while length - path.utf8.count > 210 {
      path += "/" + String(repeating: "x", count: 100)
      try #require(mkdir(path, 0o755) == 0)
    }
    return FilePath(path + "/" + String(repeating: "y", count: length - path.utf8.count - 1))
  }

  /// The paths of the sidecars are too long to be opened, since permissions are no obstacle for
  /// root. The photos are opened by their names relative to their folder.
  @Test func `an unreadable sidecar is reported and read again, and its photo keeps its position`()
    throws
  {
    let (short, long) = (folder.path("short"), try path(ofLength: 4088))
    for name in ["a", "b"] { try folder.write(photoContent(), to: short.appending("\(name).jpg")) }
    try folder.write(JPEGFile().bytes, to: short.appending("none.jpg"))
    for name in ["a.jpg.xmp", "b.jpg.json", "none.jpg.xmp"] {
      try folder.write("{}", to: short.appending(name))
    }
    try folder.move(short, to: long)
    defer { try? folder.move(long, to: short) }
    var (index, report) = try scan(PhotoIndex())
    #expect(report.files.located == 2 && index.photoCount == 2)
    #expect(report.unreadable == 3 && report.problems.allSatisfy(\.isUnreadable))
    let names = report.problems.map { $0.path.lastComponent?.string }
    #expect(names == ["a.jpg.xmp", "b.jpg.json", "none.jpg"])
    (index, report) = try scan(index)
    #expect(report.filesRead == 3 && report.changed == 0 && report.unreadable == 3)
  }

  @Test func `a broken sidecar is reported, and the photo's own values are used`() throws {
    for name in ["a", "b"] { try folder.write(photoContent(), to: "photos/\(name).jpg") }
    try folder.write(JPEGFile().bytes, to: "photos/none.jpg")
    try folder.write("<x", to: "photos/a.xmp")
    try folder.write(#"{"geoData": {"latitude": 48"#, to: "photos/b.jpg.json")
    try folder.write("text", to: "photos/none.jpg.xmp")
    let (index, report) = try scan(PhotoIndex())
    #expect(report.files.located == 2 && report.files.withoutPosition == 1 && index.photoCount == 2)
    #expect(report.unreadable == 0 && report.files.malformed == 0)
    let names = report.problems.map { $0.path.lastComponent?.string }
    #expect(names == ["a.xmp", "b.jpg.json", "none.jpg.xmp"])
    #expect(report.problems.allSatisfy { !$0.isUnreadable && $0.reason.contains("sidecar") })
    #expect(try scan(index).report.filesRead == 0)
  }

  @Test func `a photo moved with its sidecar is not read again`() throws {
    try folder.write(JPEGFile().bytes, to: "photos/old/a.jpg")
    try folder.write(
      #"{"geoData": {"latitude": 48, "longitude": 2.0}}"#, to: "photos/old/a.jpg.json")
    var (index, report) = try scan(PhotoIndex())
    try folder.move(folder.path("photos/old"), to: folder.path("photos/new"))
    (index, report) = try scan(index)
    #expect(report.moved == 1 && report.filesRead == 0 && report.files.located == 1)
    #expect(index.photo(at: 0).positionSource == .takeout)
  }

  @Test func `sidecars are stored in the index file`() throws {
    try folder.write(JPEGFile().bytes, to: "photos/a.jpg")
    try write(48)
    let cache = PhotoIndexCache(path: folder.path("index.json"))
    try cache.save(try scan(PhotoIndex()).index)
    let loaded = try #require(try cache.load())
    let (_, report) = try scan(loaded)
    #expect(report.filesRead == 0 && report.files.located == 1)
  }
}
