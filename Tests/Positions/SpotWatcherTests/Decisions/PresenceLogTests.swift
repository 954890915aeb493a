import CivilTime
import Spatial
import TestSupport
import Testing
import WatchScenes

@testable import SpotWatcher

@Suite struct PresenceLogTests {
  private let tower = Coordinate.tower

  private func presence(
    _ log: PresenceLog, at center: Coordinate, day: Int = 100, hours: Double = 0
  ) -> PresenceLog.Presence {
    log.presence(
      within: 140, of: center, until: noon.advanced(bySeconds: hours * 3600), day: day,
      dayCount: 14)
  }

  @Test func `presence is known nearby, and not farther away`() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<500 {
      let center = Coordinate(
        latitude: .random(in: -89.9...89.9, using: &generator),
        longitude: .random(in: -180...180, using: &generator))!
      let here = center.offset(
        north: .random(in: -200...200, using: &generator),
        east: .random(in: -200...200, using: &generator))
      var log = PresenceLog()
      log.note(here, at: noon, day: 100)
      let (meters, isKnown) = (
        here.distance(to: center), presence(log, at: center, hours: 1).last != nil
      )
      #expect(isKnown ? meters <= 140 : meters > 80, "\(center) \(here)")
    }
  }

  @Test func `days are counted once, and forgotten after two weeks`() {
    var log = PresenceLog()
    for day in [80, 88, 88, 90, 97, 100] { log.note(tower, at: noon, day: day) }
    log.note(tower.offset(north: 50, east: 0), at: noon, day: 97)
    #expect(presence(log, at: tower).dayCount == 4)
    #expect(presence(log, at: tower, day: 103).dayCount == 3)
    #expect(presence(log, at: tower, day: 150).dayCount == 0)
  }

  @Test func `the antimeridian does not part a stretch of ground`() throws {
    let east = try #require(Coordinate(latitude: -16.8, longitude: 179.9999))
    let west = try #require(Coordinate(latitude: -16.8, longitude: -179.9999))
    var log = PresenceLog()
    log.note(east, at: noon, day: 100)
    #expect(presence(log, at: west).last == noon)
  }

  @Test func `later presence, of a log that is read again, counts as presence now`() {
    var log = PresenceLog()
    log.note(tower, at: noon.advanced(bySeconds: 86_400), day: 101)
    #expect(presence(log, at: tower).last == noon)
  }

  @Test func `a month later the cells of a journey are dropped`() {
    var log = PresenceLog()
    for step in 0..<10_000 {
      log.note(tower.offset(north: Double(step) * 100, east: 0), at: noon, day: step / 100)
    }
    #expect(presence(log, at: tower, day: 20).last == nil)
    #expect(presence(log, at: tower.offset(north: 999_900, east: 0), day: 99).last != nil)
  }
}
