import Interchange
import PhotoLibrary
import PhotoMetadata
import Spatial
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

  @Test func `a sidecar that is added, changed or removed makes its photo changed`() throws {
    try folder.write(JPEGFile().bytes, to: "photos/a.jpg")
    try folder.write(JPEGFile().bytes, to: "photos/b.jpg")
    var (index, report) = try scan(PhotoIndex())
    #expect(report.scanned == 2 && report.located == 0)

    try write(48)
    (index, report) = try scan(index)
    #expect(report.changed == 1 && report.filesRead == 1 && report.located == 1)
    #expect(index.photo(at: 0).coordinate == Coordinate(latitude: 48, longitude: 2))
    #expect(index.photo(at: 0).positionSource == .takeout)

    (index, report) = try scan(index)
    #expect(report.filesRead == 0 && report.located == 1)

    try write(49.125)
    (index, report) = try scan(index)
    #expect(report.changed == 1 && report.filesRead == 1)
    #expect(index.photo(at: 0).coordinate.latitude == 49.125)

    folder.remove(folder.path("photos/a.jpg.json"))
    (index, report) = try scan(index)
    #expect(report.changed == 1 && report.located == 0)
  }

  @Test func `a sidecar knows where a photo was taken that makes no sense itself`() throws {
    for (name, content) in [("empty", []), ("unknown", Array("text".utf8))] as [(String, [UInt8])] {
      try folder.write(content, to: "photos/\(name).jpg")
      try folder.write(
        #"{"geoData": {"latitude": 48, "longitude": 2.0}}"#, to: "photos/\(name).jpg.json")
    }
    try folder.write([], to: "photos/nowhere.jpg")
    try folder.write(
      #"{"geoData": {"latitude": 0, "longitude": 0}}"#, to: "photos/nowhere.jpg.json")
    let (index, report) = try scan(PhotoIndex())
    #expect(report.located == 2 && report.malformed == 1)
    #expect(index.photo(at: 0).coordinate == Coordinate(latitude: 48, longitude: 2))
    #expect(report.problems.map(\.reason) == ["the file is empty"])
  }

  @Test func `a photo that moves with its sidecar is not read again`() throws {
    try folder.write(JPEGFile().bytes, to: "photos/old/a.jpg")
    try folder.write(
      #"{"geoData": {"latitude": 48, "longitude": 2.0}}"#, to: "photos/old/a.jpg.json")
    var (index, report) = try scan(PhotoIndex())
    try folder.move(folder.path("photos/old"), to: folder.path("photos/new"))
    (index, report) = try scan(index)
    #expect(report.moved == 1 && report.filesRead == 0 && report.located == 1)
    #expect(index.photo(at: 0).positionSource == .takeout)
  }

  @Test func `sidecars are remembered in the index file`() throws {
    try folder.write(JPEGFile().bytes, to: "photos/a.jpg")
    try write(48)
    let cache = PhotoIndexCache(path: folder.path("index.json"))
    try cache.save(try scan(PhotoIndex()).index)
    let loaded = try #require(try cache.load())
    let (_, report) = try scan(loaded)
    #expect(report.filesRead == 0 && report.located == 1)
  }
}
