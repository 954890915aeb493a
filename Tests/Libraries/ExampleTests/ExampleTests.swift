import Foundation
import PhotoSpots
import PhotoSpotsFoundation
import Synchronization
import TestSupport
import Testing

/// Runs the examples of the documentation on the sample photos and the sample walk.
@Suite struct ExampleTests {
  private static let samples = Repository.samples
  private static let photoFolder = samples.appending("photos")
  private static let trocadero = Coordinate(latitude: 48.86194, longitude: 2.2883)!

  private static func spots() throws -> SpotIndex {
    let now = Instant(iso8601: "2026-05-16T08:00:00Z")!
    let (photos, _) = try PhotoIndexer().update(PhotoIndex(), with: [photoFolder], now: now)
    return SpotIndex(photos, clusterRadius: 15)
  }

  private static func walk() throws -> [LocationFix] {
    FeedReader.fixes(in: try Corpus.contents(of: samples.appending("walk.ndjson"))).fixes
  }

  @Test func `finds the photos near a position in an indexed folder`() throws {
    let found = try photos(near: Self.trocadero, in: Self.photoFolder)
    #expect(found.count == 6)
    #expect(found.allSatisfy { $0.coordinate.distance(to: Self.trocadero) < 100 })
    #expect(found.first?.path.lastComponent?.string == "IMG_0412.jpg")
    #expect(
      try photos(near: Coordinate(latitude: 0, longitude: 20)!, in: Self.photoFolder).isEmpty)
  }

  @Test func `fixes of a custom source reach a custom notifier`() async throws {
    let fixes = try Self.walk()
    let source = AsyncStream { continuation in
      for fix in fixes { continuation.yield(fix) }
      continuation.finish()
    }
    let list = AlertList()
    try await watch(source, for: try Self.spots(), notifying: list)
    let texts = list.texts.withLock { $0 }
    #expect(texts.count == 2)
    #expect(texts.first?.contains("6 photos") == true, "\(texts)")
  }

  @Test func `a fix near a spot is delivered to a notifier`() async throws {
    let list = AlertList()
    let here = LocationFix(
      time: Instant(iso8601: "2026-05-16T08:35:30Z"), latitude: 48.8622, longitude: 2.2883)
    try await alert(of: here, near: try Self.spots(), to: list)
    #expect(list.texts.withLock { $0.count } == 1)
  }

  @Test func `a second update of an index file reads no photo again`() throws {
    let folder = TemporaryFolder()
    let cache = PhotoIndexCache(path: folder.path("index.json"))
    let now = Instant(iso8601: "2026-05-16T08:00:00Z")!
    #expect(try update(cache, with: Self.photoFolder, now: now).filesRead > 30)
    #expect(try update(cache, with: Self.photoFolder, now: now).filesRead == 0)
    #expect(try cache.load()?.photoCount == 30)
  }

  @Test func `reads a photo's position, or nil if it has none`() throws {
    let album = Self.photoFolder.appending("2016 Paris")
    let tower = try #require(try position(ofPhotoAt: album.appending("IMG_0412.jpg")))
    #expect(tower.distance(to: Self.trocadero) < 1)
    #expect(try position(ofPhotoAt: album.appending("IMG_0420.jpg")) == nil)
    #expect(try position(ofPhotoAt: Self.samples.appending("walk.nmea")) == nil)
    #expect(throws: PhotoFileError.system(.noSuchFileOrDirectory)) {
      try position(ofPhotoAt: album.appending("missing.jpg"))
    }
  }

  @Test func `finds the cities within a radius, nearest first`() throws {
    let all = [
      City(name: "Lyon", coordinate: Coordinate(latitude: 45.76, longitude: 4.84)!),
      City(name: "Versailles", coordinate: Coordinate(latitude: 48.80, longitude: 2.13)!),
      City(name: "Paris", coordinate: Coordinate(latitude: 48.86, longitude: 2.35)!),
    ]
    let found = cities(all, within: 50_000, of: Self.trocadero)
    #expect(found.map(\.name) == ["Paris", "Versailles"])
  }

  @Test func `parses a feed that arrives in pieces`() throws {
    let bytes = try Corpus.contents(of: Self.samples.appending("walk.nmea"))
    let pieces = stride(from: 0, to: bytes.count, by: 100).map { start in
      Array(bytes[start..<min(start + 100, bytes.count)])
    }
    let (found, badLines) = fixes(in: pieces)
    #expect(found == FeedReader.fixes(in: bytes).fixes)
    #expect(found.count > 600 && badLines == 0)
  }

  @Test func `a recorded track gives its notifications`() throws {
    let found = notifications(along: try Self.walk(), past: try Self.spots())
    #expect(found.map(\.spot.photoCount).first == 6)
    #expect(found.count == 2)
  }

  @Test func `counts the whole years between two times`() {
    #expect(years(from: "2016-04-17T09:05:00Z", to: "2026-05-16T08:35:30+02:00") == 10)
    #expect(years(from: "2016-04-17", to: "soon") == nil)
  }

  @Test func `accepts Foundation's URL and Date`() throws {
    let folder = URL(filePath: Self.photoFolder.string, directoryHint: .isDirectory)
    let date = Date(timeIntervalSince1970: 1_778_918_400)
    let photos = try index(folder, at: date)
    #expect(photos.photoCount == 30 && photos.updated == Instant(date))
    #expect(throws: URLError.self) { try index(URL(string: "https://example.org/")!, at: date) }
    #expect(fixes(of: [PhoneLocation]()).isEmpty)
  }
}

private struct PhoneLocation: DeviceLocation {
  struct Position: LatitudeLongitude { let latitude, longitude: Double }
  let coordinate: Position
  let horizontalAccuracy, altitude, verticalAccuracy, speed, course: Double
  let timestamp: Date
}
