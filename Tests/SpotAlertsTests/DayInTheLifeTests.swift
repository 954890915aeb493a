import CivilTime
import LocationFeeds
import PhotoLibrary
import Spatial
import SystemPackage
import TestSupport
import Testing

@testable import SpotAlerts
@testable import SpotWatcher

/// Photos on a disk, their index, and a watch over it: changes of the photos, and the resulting
/// decisions.
private final class Day {
  let folder = TemporaryFolder()
  private var index = PhotoIndex()
  private var session: WatchSession?
  /// Seconds since noon.
  private var time = 0.0
  private var modified = 1_700_000_000

  init() throws {
    // Otherwise the folder would be empty after its only photo is deleted, like that of an
    // unmounted disk.
    try write("elsewhere.jpg", at: .tower.offset(north: 20_000, east: 0), year: 2015)
    try rescan()
  }

  var spots: [PhotoSpot] { index.spots(clusterRadius: 15) }

  /// The id of the spot near the tower.
  var spotID: String? {
    spots.first { $0.coordinate.distance(to: .tower) < 2000 }?.id
  }

  func path(_ name: String) -> FilePath { folder.path("photos").pushing(FilePath(name)) }

  /// Writes a photo with different content each time.
  func write(_ name: String, at position: Coordinate, year: Int) throws {
    let block = ExifBlock(
      image: [.init(0x10F, .ascii("Maker"))],
      exif: [.init(0x9003, .ascii("\(year):05:01 10:00:00"))],
      gps: ExifBlock.position(latitude: position.latitude, longitude: position.longitude))
    try folder.write(JPEGFile(block).bytes, to: path(name))
    modified += 1
    try folder.setModified(path(name), seconds: modified)
  }

  /// Updates the index and the running watch.
  @discardableResult
  func rescan() throws -> ScanReport {
    let (next, report) = try PhotoIndexer().update(
      index, with: [folder.path("photos")], now: noon.advanced(bySeconds: time))
    index = next
    session?.replace(spots: SpotIndex(spots: spots))
    return report
  }

  /// Stops the watch and starts another one.
  func restart() throws {
    session = nil
    session = try WatchSession(
      stateFolder: folder.path("state"), spots: SpotIndex(spots: spots), settings: .init(),
      localClock: .fixed(utcOffsetMinutes: 0), isLive: false, notifiers: [RecordingNotifier()])
  }

  func wait(hours: Double) { time += hours * 3600 }

  /// Approaches a position from a distance, and returns the decisions there.
  func approach(_ place: Coordinate = .tower) throws -> [WatcherDecision.Kind] {
    _ = try go(to: place.offset(north: 600, east: 0))
    _ = try go(to: place.offset(north: 650, east: 0))
    return try go(to: place.offset(north: 50, east: 0))
  }

  /// Approaches a position, and leaves it.
  func visit(_ place: Coordinate = .tower) throws -> [WatcherDecision.Kind] {
    let decisions = try approach(place)
    _ = try go(to: place.offset(north: 600, east: 0))
    _ = try go(to: place.offset(north: 650, east: 0))
    return decisions
  }

  /// Moves to a position, which takes ten minutes.
  func go(to position: Coordinate) throws -> [WatcherDecision.Kind] {
    if session == nil { try restart() }
    time += 600
    let fix = LocationFix(
      time: noon.advanced(bySeconds: time), latitude: position.latitude,
      longitude: position.longitude)
    return try session?.process(fix).map(\.kind) ?? []
  }
}

@Suite struct DayInTheLifeTests {
  @Test func `a photo that is added fires, and once a day`() throws {
    let day = try Day()
    #expect(try day.visit() == [.clear])
    try day.write("a.jpg", at: .tower, year: 2016)
    #expect(try day.rescan().new == 1)
    #expect(try day.visit() == [.notify])
    #expect(try day.visit() == [.cooldown])
    day.wait(hours: 24)
    #expect(try day.visit() == [.notify])
  }

  @Test func `a photo that is added where one stands fires there and then`() throws {
    let day = try Day()
    #expect(try day.approach() == [.clear])
    try day.write("a.jpg", at: .tower, year: 2016)
    try day.rescan()
    #expect(try day.go(to: .tower.offset(north: 30, east: 0)) == [.notify])
  }

  @Test
  func
    `an edit that moves a photo a little keeps the place silent, one that moves it away does not`()
    throws
  {
    let day = try Day()
    try day.write("a.jpg", at: .tower, year: 2016)
    try day.rescan()
    #expect(try day.visit() == [.notify])
    let id = day.spotID
    try day.write("a.jpg", at: .tower.offset(north: 0, east: 12), year: 2016)
    #expect(try day.rescan().changed == 1)
    #expect(day.spotID != id)
    #expect(try day.visit() == [.cooldown])

    let away = Coordinate.tower.offset(north: 0, east: 1500)
    try day.write("a.jpg", at: away, year: 2016)
    #expect(try day.rescan().changed == 1)
    #expect(try day.visit() == [.clear])
    #expect(try day.visit(away) == [.notify])
    // Back where it was, it is the place of this morning.
    try day.write("a.jpg", at: .tower, year: 2016)
    try day.rescan()
    #expect(day.spotID == id)
    #expect(try day.visit(away) == [.clear])
    #expect(try day.visit() == [.cooldown])
  }

  @Test func `a photo that is touched, or moved to another folder, changes nothing`() throws {
    let day = try Day()
    try day.write("a.jpg", at: .tower, year: 2016)
    try day.rescan()
    let id = try #require(day.spotID)
    #expect(try day.approach() == [.notify])
    try day.write("a.jpg", at: .tower, year: 2016)
    #expect(try day.rescan().changed == 1)
    #expect(try day.go(to: .tower.offset(north: 20, east: 0)) == [.inside])
    try day.folder.createFolder(day.path("album"))
    try day.folder.move(day.path("a.jpg"), to: day.path("album/b.jpg"))
    let report = try day.rescan()
    #expect(report.moved == 1 && report.filesRead == 0)
    #expect(day.spotID == id)
    #expect(day.spots.contains { $0.cover == day.path("album/b.jpg") })
    #expect(try day.go(to: .tower.offset(north: 50, east: 0)) == [.inside])
    #expect(try day.go(to: .tower.offset(north: 600, east: 0)) == [.leaving])
    #expect(try day.go(to: .tower.offset(north: 650, east: 0)) == [.exit])
    #expect(try day.visit() == [.cooldown])
  }

  @Test func `a photo that is deleted fires no more, and as before when it is there again`() throws
  {
    let day = try Day()
    try day.write("a.jpg", at: .tower, year: 2016)
    try day.rescan()
    let id = try #require(day.spotID)
    #expect(try day.visit() == [.notify])
    day.folder.remove(day.path("a.jpg"))
    #expect(try day.rescan().removed == 1)
    #expect(day.spotID == nil)
    #expect(try day.visit() == [.clear])
    try day.write("restored/a.jpg", at: .tower, year: 2016)
    try day.rescan()
    #expect(day.spotID == id)
    #expect(try day.visit() == [.cooldown])
    // If it is deleted and restored during a visit, it does not fire again either.
    #expect(try day.approach() == [.cooldown])
    day.folder.remove(day.path("restored/a.jpg"))
    try day.rescan()
    #expect(try day.go(to: .tower.offset(north: 30, east: 0)) == [.clear])
    try day.write("a.jpg", at: .tower, year: 2016)
    try day.rescan()
    #expect(try day.go(to: .tower.offset(north: 50, east: 0)) == [.cooldown])
    #expect(try day.go(to: .tower.offset(north: 600, east: 0)) == [.leaving])
    #expect(try day.go(to: .tower.offset(north: 650, east: 0)) == [.exit])
    day.wait(hours: 24)
    #expect(try day.visit() == [.notify])
  }

  @Test(arguments: [false, true])
  func `an earlier photo gives the spot another id, and the place keeps its silence`(
    restarts: Bool
  ) throws {
    let day = try Day()
    try day.write("a.jpg", at: .tower, year: 2016)
    try day.rescan()
    let id = day.spotID
    #expect(try day.approach() == [.notify])
    // Its centre moves by half of this.
    try day.write("scan of a print.jpg", at: .tower.offset(north: 10, east: 0), year: 1998)
    try day.rescan()
    #expect(day.spots.count == 2)
    #expect(day.spotID != id && day.spotID != nil)
    if restarts { try day.restart() }
    #expect(try day.go(to: .tower.offset(north: 20, east: 0)) == [.inside])
    #expect(try day.go(to: .tower.offset(north: 600, east: 0)) == [.leaving])
    #expect(try day.go(to: .tower.offset(north: 650, east: 0)) == [.exit])
    #expect(try day.visit() == [.cooldown])
    day.wait(hours: 24)
    #expect(try day.visit() == [.notify])
    #expect(try day.visit() == [.cooldown])
  }

  @Test func `the photos of a disk that is not mounted fire all the same`() throws {
    let day = try Day()
    try day.write("a.jpg", at: .tower, year: 2016)
    try day.rescan()
    try day.folder.move(day.folder.path("photos"), to: day.folder.path("away"))
    #expect(try day.rescan().staleRoots == [day.folder.path("photos")])
    #expect(try day.visit() == [.notify])
    try day.folder.move(day.folder.path("away"), to: day.folder.path("photos"))
    #expect(try day.rescan().staleRoots.isEmpty)
    #expect(try day.visit() == [.cooldown])
  }
}
