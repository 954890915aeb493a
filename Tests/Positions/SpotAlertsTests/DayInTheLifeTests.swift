import CivilTime
import LocationFeeds
import PhotoLibrary
import Spatial
import SystemPackage
import TestSupport
import Testing
import WatchScenes

@testable import SpotAlerts
@testable import SpotWatcher

/// Photos on a disk, their index, and a watch over it, to test decisions after changes of the
/// photos.
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
  @Test func `an added photo fires once per cooldown of a day`() throws {
    let day = try Day()
    #expect(try day.visit() == [.clear])
    try day.write("a.jpg", at: .tower, year: 2016)
    #expect(try day.rescan().new == 1)
    #expect(try day.visit() == [.notify])
    #expect(try day.visit() == [.cooldown])
    day.wait(hours: 24)
    #expect(try day.visit() == [.notify])
  }

  @Test func `a photo added at the current position fires at the next fix`() throws {
    let day = try Day()
    #expect(try day.approach() == [.clear])
    try day.write("a.jpg", at: .tower, year: 2016)
    try day.rescan()
    #expect(try day.go(to: .tower.offset(north: 30, east: 0)) == [.notify])
  }

  @Test
  func `moving a photo by 12 m keeps its spot's cooldown, moving it by 1,500 m does not`()
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
    // Moved back, the photo restores the first spot with its cooldown.
    try day.write("a.jpg", at: .tower, year: 2016)
    try day.rescan()
    #expect(day.spotID == id)
    #expect(try day.visit(away) == [.clear])
    #expect(try day.visit() == [.cooldown])
  }

  @Test func `rewriting a photo or moving its file keeps the spot and the visit`() throws {
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

  @Test func `a deleted photo stops firing, and a restored one keeps its cooldown`() throws {
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
  func `an older photo changes the spot's id, and the place keeps its cooldown`(
    restarts: Bool
  ) throws {
    let day = try Day()
    try day.write("a.jpg", at: .tower, year: 2016)
    try day.rescan()
    let id = day.spotID
    #expect(try day.approach() == [.notify])
    // The spot's centre moves by half this distance.
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

  @Test func `photos on an unmounted disk still fire`() throws {
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
