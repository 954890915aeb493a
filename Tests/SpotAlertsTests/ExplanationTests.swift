import GoldenTraces
import Interchange
import LocationFeeds
import PhotoLibrary
import Spatial
import Testing

@testable import SpotAlerts

/// Holds what decisions say to what can be worked out from the feed alone.
@Suite struct ExplanationTests {
  /// What was seen and decided so far of one device.
  private struct Record {
    let spots: [String: PhotoSpot]
    var accepted: [LocationFix] = []
    var entered: [String: Instant] = [:]
    var notified: [(time: Instant, spots: [String])] = []
    /// Every time at which a fix was accepted.
    var times: Set<Instant> = []
  }

  @Test(
    arguments: [
      Trace.Kind.walk, .cafe, .train, .bus, .subway, .coldStart, .wireless, .town, .commute,
      .holiday,
    ])
  func `every figure of a decision can be worked out from the feed`(kind: Trace.Kind) throws {
    var checked: Set<WatcherDecision.Kind> = []
    for trace in Trace.all where trace.kind == kind {
      let spots = trace.spots
      var watcher = LocationWatcher(spots: SpotIndex(spots: spots), settings: WatcherSettings())
      var record = Record(
        spots: Dictionary(uniqueKeysWithValues: spots.map { ($0.id, $0) }))
      for arrival in trace.arrivals(seed: 3) {
        guard let time = arrival.fix.time else { continue }
        let decisions = watcher.evaluate(arrival.fix, now: time, isLive: false)
        let isAccepted = !decisions.contains {
          [.invalid, .late, .inaccurate, .jump].contains($0.kind)
        }
        for decision in decisions {
          try check(decision, record, "\(trace.name), \(decision.kind), \(decision.time.iso8601)")
          checked.insert(decision.kind)
          follow(decision, &record)
        }
        if isAccepted {
          record.accepted.append(arrival.fix)
          record.times.insert(time)
        }
      }
    }
    #expect(checked.contains(.inside) || checked.contains(.clear))
  }

  private func follow(_ decision: WatcherDecision, _ record: inout Record) {
    guard let id = decision.spotID, decision.kind != .inside else { return }
    switch decision.kind {
    case .exit, .lapsed: record.entered[id] = nil
    default: record.entered[id] = record.entered[id] ?? decision.time
    }
    if let notification = decision.notification {
      record.notified.append((decision.time, notification.spots.map(\.id)))
    }
  }

  private func check(_ decision: WatcherDecision, _ record: Record, _ place: String) throws {
    if let id = decision.spotID, let distance = decision.distanceMeters {
      let (spot, here) = (try #require(record.spots[id]), try #require(decision.fix.coordinate))
      #expect(abs(here.distance(to: spot.coordinate) - distance) < 0.001, "\(place)")
    }
    guard let figure = decision.figure, let limit = decision.limit else { return }
    let id = decision.spotID ?? ""
    func since(_ time: Instant) -> Bool {
      abs(decision.time.seconds(since: time) - figure) < 0.002
    }
    switch decision.kind {
    case .settling, .dwelling:
      #expect(since(record.entered[id] ?? decision.time), "\(place)")
    case .exit, .lapsed:
      #expect(since(try #require(record.entered[id])) && limit == 140, "\(place)")
    case .tooFast:
      #expect(figure > limit && limit == 25, "\(place)")
      if let speed = decision.fix.speedMetersPerSecond, speed * 3.6 > 25 {
        #expect(abs(speed * 3.6 - figure) < 0.001, "\(place)")
      }
    case .arriving:
      #expect(figure < limit && limit == 90, "\(place)")
      // Slow since a fix.
      #expect(figure == 0 || record.times.contains(where: since), "\(place)")
    case .paced:
      let last = try #require(record.notified.last { since($0.time) }, "\(place)")
      let center = try #require(record.spots[id]).coordinate
      let distance = try #require(record.spots[last.spots[0]]).coordinate.distance(to: center)
      #expect(limit == (distance <= 500 ? 900 : 300), "\(place)")
    case .sibling:
      let near = record.notified.filter { since($0.time) }.flatMap(\.spots)
      let center = try #require(record.spots[id]).coordinate
      #expect(
        near.contains { record.spots[$0]!.coordinate.distance(to: center) <= 100 }
          && limit == 86_400,
        "\(place)")
    case .cooldown:
      #expect(record.notified.contains { $0.spots.contains(id) }, "\(place)")
      #expect(limit.truncatingRemainder(dividingBy: 86_400) == 0 && figure < limit, "\(place)")
      // Since it fired, or since the device was there last, or it still is.
      #expect(
        figure == 0 || record.times.contains(where: since)
          || record.notified.contains { since($0.time) }, "\(place)")
    case .jump:
      let (last, here) = (try #require(record.accepted.last), try #require(decision.fix.coordinate))
      let meters = try #require(last.coordinate).distance(to: here)
      let seconds = try #require(decision.fix.time).seconds(since: try #require(last.time))
      #expect(abs(meters / seconds * 3.6 - figure) < 0.01 && limit == 250, "\(place)")
    case .unmoved: #expect(figure < limit && limit == 10, "\(place)")
    case .overBudget: #expect(limit == 20, "\(place)")
    default: break
    }
  }
}
