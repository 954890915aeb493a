import CLibrary
import CivilTime
import GoldenTraces
import LocationFeeds
import PhotoLibrary
import Spatial
import TestSupport
import Testing
import WatchScenes

@testable import SpotAlerts
@testable import SpotWatcher

/// The regions monitored by a phone.
@Suite struct RollingRegionsTests {
  private let settings = WatcherSettings()

  private func fix(
    _ seconds: Double, at here: Coordinate, course: Double? = nil, speed: Double? = nil,
    accuracy: Double? = nil
  ) -> LocationFix {
    LocationFix(
      time: noon.advanced(bySeconds: seconds), latitude: here.latitude, longitude: here.longitude,
      horizontalAccuracyMeters: accuracy, speedMetersPerSecond: speed, courseDegrees: course)
  }

  /// Returns spots in a row to the north, at equal distances in metres.
  private func row(_ count: Int, every meters: Double) -> SpotIndex {
    SpotIndex(
      spots: (0..<count).map {
        spot("s\($0 < 10 ? "0" : "")\($0)", at: .tower.offset(north: Double($0) * meters, east: 0))
      })
  }

  private func follow(
    _ regions: inout RollingRegions, _ fix: LocationFix, _ spots: SpotIndex,
    _ change: (inout WatcherSettings) -> Void = { _ in }
  ) -> [RollingRegions.Region]? {
    var settings = settings
    change(&settings)
    return regions.follow(fix, among: spots, settings: settings, now: fix.time ?? noon)
  }

  // MARK: - Choice of regions

  @Test func `a phone gets the twelve nearest spots, each with a distinct number`() throws {
    var regions = RollingRegions()
    let update = try #require(follow(&regions, fix(0, at: .tower), row(30, every: 300)))
    #expect(update.map(\.number) == Array(1...12))
    #expect(Set(update.map(\.spotID)) == Set((0..<12).map { "s\($0 < 10 ? "0" : "")\($0)" }))
    #expect(update.allSatisfy { $0.radiusMeters == 100 })
    #expect(regions.regions == update)
  }

  @Test(arguments: [(10, 50), (50, 50), (50.5, 51), (100, 100), (5000, 5000)])
  func `a region has the alert radius, but at least 50 m`(
    radius: Double, expected: Int
  ) throws {
    var regions = RollingRegions()
    let update = follow(&regions, fix(0, at: .tower), row(1, every: 1)) {
      $0.proximityRadiusMeters = radius
    }
    #expect(try #require(update).map(\.radiusMeters) == [expected])
  }

  @Test func `places get regions with their own radius`() throws {
    func far(_ east: Double) -> Coordinate { .tower.offset(north: 900, east: east) }
    let places = [
      OwnPlace(id: "p2345672abcdefgh", name: "Oak", coordinate: far(0), alertRadiusMeters: 400),
      OwnPlace(id: "p2345673abcdefgh", name: "Bench", coordinate: far(50), alertRadiusMeters: 10),
      OwnPlace(id: "p2345674abcdefgh", name: "Well", coordinate: far(100)),
    ]
    var regions = RollingRegions()
    let update = try #require(
      follow(
        &regions, fix(0, at: .tower),
        row(1, every: 1).joined(with: places, clusterRadius: settings.clusterRadiusMeters)))
    #expect(
      Dictionary(uniqueKeysWithValues: update.map { ($0.spotID, $0.radiusMeters) })
        == ["s00": 100, places[0].id: 400, places[1].id: 50, places[2].id: 100])
  }

  @Test func `spots ahead count as nearer`() throws {
    // Twelve spots behind, a little nearer than twelve ahead.
    let spots = SpotIndex(
      spots: (1...12).flatMap {
        [
          spot("ahead\($0)", at: .tower.offset(north: 1400 + Double($0) * 40, east: 0)),
          spot("behind\($0)", at: .tower.offset(north: -900 - Double($0) * 40, east: 0)),
        ]
      })
    func chosen(_ fixes: [LocationFix]) -> Set<String> {
      var regions = RollingRegions()
      for fix in fixes { _ = follow(&regions, fix, spots) }
      return Set(regions.regions.map { String($0.spotID.prefix(5)) })
    }
    #expect(chosen([fix(0, at: .tower)]) == ["behin"])
    #expect(chosen([fix(0, at: .tower, course: 0, speed: 2)]) == ["ahead"])
    #expect(chosen([fix(0, at: .tower, course: 0, speed: 0.2)]) == ["behin"], "standing still")
    // Without a reported course, the direction from the previous position counts.
    let before = fix(0, at: .tower.offset(north: -600, east: 0))
    #expect(chosen([before, fix(300, at: .tower)]) == ["ahead"])
    #expect(
      chosen([before, fix(3000, at: .tower)]) == ["behin"], "the previous position is too old")
  }

  @Test func `filtered and muted spots get no region`() throws {
    let spots = SpotIndex(spots: [
      spot("a"), spot("b", at: .tower.offset(north: 500, east: 0), favorites: 1),
      spot("c", at: .tower.offset(north: 1000, east: 0)),
    ])
    func update(_ change: (inout WatcherSettings) -> Void) -> [String] {
      var regions = RollingRegions()
      return (follow(&regions, fix(0, at: .tower), spots, change) ?? []).map(\.spotID)
    }
    #expect(update { $0.isFavoritesOnly = true } == ["b"])
    #expect(update { $0.mutedSpots = [MutedSpot(spotID: "a", center: .tower)] } == ["b", "c"])
    #expect(
      update { $0.mutedSpots = [MutedSpot(spotID: "a", center: .tower, until: noon)] }
        == ["a", "b", "c"], "the time is over")
    #expect(
      update { $0.mutedZones = [MutedZone(center: .tower, radiusMeters: 600)] } == ["c"])
  }

  @Test func `the spots of a viewpoint have one region around the one with most photos`() throws {
    // As many spots within 30 m as there are regions, and a row of others.
    let crumbs = (0..<12).map { number in
      spot(
        "crumb\(number)", at: .tower.offset(north: 100 + Double(number), east: 12),
        photos: number == 7 ? 34 : 1)
    }
    let others = (0..<11).map { number in
      spot("other\(number)", at: .tower.offset(north: 400 + 300 * Double(number), east: 0))
    }
    let spots = SpotIndex(spots: crumbs + others)
    var regions = RollingRegions()
    let update = try #require(follow(&regions, fix(0, at: .tower), spots))
    #expect(Set(update.map(\.spotID)) == Set(["crumb7"] + others.map(\.id)))
    let viewpoint = try #require(update.first { $0.spotID == "crumb7" })
    #expect(viewpoint.radiusMeters == 107, "the farthest spot is 7 m away, and alerts from 100 m")
    // A muted spot stands for nobody.
    var phone = RollingRegions()
    let muted = follow(&phone, fix(0, at: .tower), spots) {
      $0.mutedSpots = [MutedSpot(spotID: "crumb7", center: crumbs[7].coordinate)]
      $0.clusterRadiusMeters = 5
    }
    let ids = Set(try #require(muted).map(\.spotID))
    #expect(!ids.contains("crumb7"))
    #expect(ids.count { $0.hasPrefix("crumb") } == 1)
  }

  /// Returns the spot that stands for each spot, by comparing all pairs.
  private func heads(of spots: [PhotoSpot]) -> [String: String] {
    var heads: [String: String] = [:]
    for head in spots.sorted(by: { ($1.photoCount, $0.id) < ($0.photoCount, $1.id) })
    where heads[head.id] == nil {
      for other in spots
      where heads[other.id] == nil && other.coordinate.distance(to: head.coordinate) <= 30 {
        heads[other.id] = head.id
      }
    }
    return heads
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `the chosen spots equal those of a full scan`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let spread = [200.0, 3000, 40_000][Int(seed % 3)]
    let spots = (0..<200).map { number in
      spot(
        "s\(number)",
        at: .tower.offset(
          north: .random(in: -spread...spread, using: &generator),
          east: .random(in: -spread...spread, using: &generator)),
        photos: .random(in: 1...9, using: &generator), favorites: number % 3)
    }
    let index = SpotIndex(spots: spots)
    for step in 0..<20 {
      let here = Coordinate.tower.offset(
        north: .random(in: -spread...spread, using: &generator),
        east: .random(in: -spread...spread, using: &generator))
      let course = step % 4 == 0 ? nil : Double.random(in: 0..<360, using: &generator)
      var regions = RollingRegions()
      _ = follow(&regions, fix(0, at: here, course: course, speed: 3), index) {
        $0.isFavoritesOnly = step % 2 == 0
      }
      func weighted(_ spot: PhotoSpot) -> Double {
        let distance = here.distance(to: spot.coordinate)
        guard let course else { return distance }
        let angle = (here.bearing(to: spot.coordinate) - course) * .pi / 180
        return distance * (1 - 0.5 * cos(angle))
      }
      let watched = spots.filter { step % 2 == 1 || $0.favoriteCount > 0 }
      let heads = heads(of: watched)
      var scan: [String] = []
      for spot in watched.sorted(by: { (weighted($0), $0.id) < (weighted($1), $1.id) }) {
        if let head = heads[spot.id], !scan.contains(head) { scan.append(head) }
      }
      #expect(
        Set(regions.regions.map(\.spotID)) == Set(scan.prefix(12)), "seed \(seed), step \(step)")
    }
  }

  // MARK: - Updates

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `on a walk updates are rare, and every spot has a region before it is near`(
    seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    let spots = SpotIndex(
      spots: (0..<300).map { number in
        spot(
          "s\(number)",
          at: .tower.offset(
            north: .random(in: -4000...4000, using: &generator),
            east: .random(in: -4000...4000, using: &generator)))
      })
    var regions = RollingRegions()
    var held: [Int: RollingRegions.Region] = [:]
    var (here, course, last, sent) = (Coordinate.tower, 0.0, -1e9, 0)
    for step in 0..<1500 {
      course += .random(in: -25...25, using: &generator)
      let angle = course * .pi / 180
      here = here.offset(north: 7 * cos(angle), east: 7 * sin(angle))
      let seconds = Double(step) * 5
      if let update = follow(&regions, fix(seconds, at: here, course: course, speed: 1.4), spots) {
        #expect(seconds - last >= 60, "seed \(seed), step \(step)")
        #expect(update.allSatisfy { held[$0.number] != $0 }, "only changes are sent")
        for region in update { held[region.number] = region }
        (last, sent) = (seconds, sent + 1)
      }
      #expect(held.keys.allSatisfy { (1...12).contains($0) })
      #expect(Set(regions.regions).isSubset(of: held.values))
      for found in spots.spots(within: 120, of: here) {
        let isCovered = held.values.contains {
          $0.center.distance(to: found.spot.coordinate) + 100 <= Double($0.radiusMeters)
        }
        #expect(isCovered, "seed \(seed), step \(step)")
      }
    }
    #expect((2...150).contains(sent), "\(sent) sets in 10 km")
  }

  @Test func `a device that stays or moves little gets one update`() {
    let spots = row(40, every: 120)
    var regions = RollingRegions()
    var generator = SeededGenerator(seed: 9)
    var sent = 0
    for step in 0..<500 {
      let here = Coordinate.tower.offset(
        north: 2400 + .random(in: -20...20, using: &generator),
        east: .random(in: -20...20, using: &generator))
      if follow(&regions, fix(Double(step) * 60, at: here), spots) != nil { sent += 1 }
    }
    #expect(sent == 1)
  }

  @Test func `regions that remain keep their numbers, and only the others are sent`() throws {
    let spots = row(30, every: 300)
    var regions = RollingRegions()
    _ = follow(&regions, fix(0, at: .tower), spots)
    let before = regions.regions
    let there = Coordinate.tower.offset(north: 2700, east: 0)
    let update = try #require(follow(&regions, fix(3600, at: there), spots))
    let kept = Set(before).intersection(regions.regions)
    #expect(kept.count >= 6)
    #expect(update.count == 12 - kept.count)
    #expect(Set(update.map(\.number)).isDisjoint(with: kept.map(\.number)))
  }

  @Test func `an update is sent again when the same position is sent again`() throws {
    let spots = row(30, every: 300)
    var regions = RollingRegions()
    let first = fix(0, at: .tower)
    let update = try #require(follow(&regions, first, spots))
    #expect(follow(&regions, first, spots) == update)
    #expect(follow(&regions, fix(0, at: .tower, accuracy: 20), spots) == nil, "another message")
    #expect(follow(&regions, fix(-60, at: .tower), spots) == nil, "an older position")
    #expect(follow(&regions, fix(60, at: .tower), spots) == nil)
    #expect(follow(&regions, first, spots) == update, "sent again later, from a queue")
  }

  @Test func `an invalid or inaccurate fix, or an empty index, causes no update`() {
    let spots = row(3, every: 300)
    var regions = RollingRegions()
    #expect(follow(&regions, fix(0, at: .tower, accuracy: 101), spots) == nil)
    #expect(
      follow(&regions, LocationFix(time: nil, latitude: 48, longitude: 2), spots) == nil)
    #expect(follow(&regions, LocationFix(time: noon, latitude: 0, longitude: 0), spots) == nil)
    #expect(follow(&regions, LocationFix(time: noon, latitude: 99, longitude: 0), spots) == nil)
    #expect(follow(&regions, fix(0, at: .tower), SpotIndex(spots: [])) == nil)
  }

  @Test func `changes of the index or radius are sent without movement`() throws {
    var regions = RollingRegions()
    _ = follow(&regions, fix(0, at: .tower), row(3, every: 300))
    #expect(follow(&regions, fix(30, at: .tower), row(4, every: 300)) == nil, "too soon")
    let grown = try #require(follow(&regions, fix(120, at: .tower), row(4, every: 300)))
    #expect(grown.map(\.spotID) == ["s03"])
    let wider = try #require(
      follow(&regions, fix(240, at: .tower), row(4, every: 300)) { $0.proximityRadiusMeters = 150 })
    #expect(wider.map(\.radiusMeters) == [150, 150, 150, 150])
    #expect(
      follow(&regions, fix(360, at: .tower), row(3, every: 300)) { $0.proximityRadiusMeters = 150 }
        == nil, "what is gone stays on the phone")
    #expect(regions.regions.count == 3)
    #expect(
      follow(&regions, fix(480, at: .tower), row(4, every: 300)) { $0.proximityRadiusMeters = 150 }
        == nil, "and is not sent again when it is back")
    #expect(regions.regions.count == 4)
  }

  @Test func `the region of a spot muted later goes to another spot without movement`() throws {
    let spots = row(13, every: 300)
    var regions = RollingRegions()
    _ = follow(&regions, fix(0, at: .tower), spots)
    #expect(follow(&regions, fix(120, at: .tower), spots) == nil)
    let update = try #require(
      follow(&regions, fix(240, at: .tower), spots) {
        $0.mutedSpots = [MutedSpot(spotID: "s00", center: .tower)]
      })
    #expect(update.map(\.spotID) == ["s12"])
    #expect(!regions.regions.contains { $0.spotID == "s00" })
  }

  @Test func `an area of muted spots leads to no regions`() {
    let spots = row(12_000, every: 1)
    let mutes = [MutedZone(center: .tower, radiusMeters: 20_000)]
    var regions = RollingRegions()
    #expect(follow(&regions, fix(0, at: .tower), spots) { $0.mutedZones = mutes } == nil)
  }
}

/// A simulation of a phone that monitors regions on modelled days.
///
/// The phone reports its position only when it enters or leaves one of its regions, or has moved
/// 500 m from its last report, as OwnTracks does in its mode *significant*. The regions sent to it
/// depend on these reports alone. The test prints for each trace the reports, the sets of regions
/// sent, the spots for which the phone woke up, and for comparison the spots for which the watch
/// fired with all positions of the trace.
@Suite struct RegionDayTests {
  private struct Row {
    let name: String
    var positions = 0
    var reports = 0
    var updates = 0
    var woken: Set<String> = []
    var fired: Set<String> = []
  }

  private func row(_ trace: Trace) -> Row {
    let spots = SpotIndex(spots: trace.spots)
    let settings = WatcherSettings()
    var watcher = LocationWatcher(spots: spots, settings: settings)
    var row = Row(name: trace.name)
    var regions = RollingRegions()
    var held: [Int: RollingRegions.Region] = [:]
    var inside: Set<Int> = []
    var reported: Coordinate?
    for arrival in trace.arrivals(seed: 1) where arrival.fix.device == "phone" {
      let fix = arrival.fix
      for decision in watcher.evaluate(fix, now: arrival.time, isLive: false) {
        guard let notification = decision.notification else { continue }
        row.fired.formUnion([notification.spot.id] + notification.alsoNear.map(\.id))
      }
      guard let here = fix.coordinate else { continue }
      row.positions += 1
      var isAwake = reported.map { $0.distance(to: here) >= 500 } ?? true
      for region in held.values {
        let isInside = region.center.distance(to: here) <= Double(region.radiusMeters)
        guard isInside != inside.contains(region.number) else { continue }
        isAwake = true
        if isInside {
          inside.insert(region.number)
          row.woken.insert(region.spotID)
        } else {
          inside.remove(region.number)
        }
      }
      guard isAwake else { continue }
      row.reports += 1
      reported = here
      let update = regions.follow(fix, among: spots, settings: settings, now: arrival.time)
      guard let update else { continue }
      row.updates += 1
      for region in update {
        held[region.number] = region
        inside.remove(region.number)
        // A phone reports immediately that it is inside a new region.
        if region.center.distance(to: here) <= Double(region.radiusMeters) {
          inside.insert(region.number)
          row.woken.insert(region.spotID)
        }
      }
    }
    return row
  }

  @Test func `a phone that reports only at regions wakes for 97 % of the spots that fire`() {
    var rows: [Row] = []
    for trace in Trace.all where !trace.isRecorded && trace.restarts.isEmpty {
      rows.append(row(trace))
    }
    print("positions reports  sets  woken  fired  of these woken   trace")
    for row in rows {
      let both = row.fired.intersection(row.woken).count
      print(
        [row.positions, row.reports, row.updates, row.woken.count, row.fired.count, both]
          .map { String(repeating: " ", count: max(1, 7 - "\($0)".count)) + "\($0)" }.joined()
          + "   " + row.name)
    }
    func sum(_ value: (Row) -> Int) -> Int { rows.map(value).reduce(0, +) }
    let fired = sum { $0.fired.count }
    #expect(fired > 100)
    #expect(sum { $0.fired.intersection($0.woken).count } >= fired * 97 / 100)
    #expect(sum(\.reports) < sum(\.positions) / 10)
    #expect(sum(\.updates) < sum(\.reports))
  }
}
