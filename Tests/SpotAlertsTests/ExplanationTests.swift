import CivilTime
import GoldenTraces
import LocationFeeds
import PhotoLibrary
import PhotoMetadata
import Spatial
import SpotAlerts
import Testing

@testable import SpotWatcher

/// Checks the figures in decisions against values computed only from the feed, the spots and the
/// settings.
@Suite struct ExplanationTests {
  @Test func `every figure of every kind of decision can be recomputed from the feed`() {
    var checked: Set<WatcherDecision.Kind> = []
    for trace in Trace.all { checked.formUnion(play(trace, WatcherSettings())) }
    for (kind, change) in Self.variants {
      var settings = WatcherSettings()
      change(&settings)
      for trace in Trace.all where trace.kind == kind { checked.formUnion(play(trace, settings)) }
    }
    checked.formUnion(playAged())
    let unseen = Set(WatcherDecision.Kind.allCases).subtracting(checked).map(\.rawValue).sorted()
    #expect(unseen == [], "no trace leads to these kinds of decisions")
  }

  /// Traces with settings that suppress alerts which fire by default.
  private static let variants: [(Trace.Kind, @Sendable (inout WatcherSettings) -> Void)] = [
    (.walk, { $0.dwellSeconds = 120 }), (.cafe, { $0.dwellSeconds = 600 }),
    (.walk, { $0.quietHours = QuietHours("06:00-22:00") }),
    (.town, { $0.dailyBudget = 2 }), (.town, { $0.dailyBudget = 4 }),
    (
      .town,
      {
        ($0.minimumIntervalSeconds, $0.townIntervalSeconds) = (0, 0)
        ($0.siblingDistanceMeters, $0.maximumAlertsPerMinute) = (0, 1)
        $0.rulesOff = Set(WatcherRule.allCases)
      }
    ),
    (.walk, { $0.areNotificationsEnabled = false }), (.walk, { $0.isFavoritesOnly = true }),
    (.walk, { $0.minimumPhotoAgeSeconds = 90 * 365.25 * 86_400 }),
    (.walk, { $0.maximumAccuracyMeters = 6 }), (.canyon, { $0.maximumAccuracyMeters = 12 }),
    (
      .walk,
      {
        let center = Coordinate(latitude: 43.4633, longitude: 11.8796)!
        $0.mutedZones = [MutedZone(center: center, radiusMeters: 400)]
      }
    ),
  ]

  private func play(_ trace: Trace, _ settings: WatcherSettings) -> Set<WatcherDecision.Kind> {
    var ledger = Ledger(
      trace.name, trace.spots, settings, isLive: !trace.isRecorded)
    for arrival in trace.arrivals(seed: 3) {
      ledger.take(arrival.fix, at: trace.isRecorded ? arrival.fix.time : arrival.time)
    }
    return ledger.checked
  }

  /// Plays a live feed with fixes from the future, and spots that share a notification.
  private func playAged() -> Set<WatcherDecision.Kind> {
    let spots = [0.0, 8, 16, 24].map { north in
      spot("s\(Int(saturating: north))", at: Coordinate.tower.offset(north: north, east: 0))
    }
    var settings = WatcherSettings()
    settings.mutedSpots = [MutedSpot(spotID: "s16", center: spots[2].coordinate, until: nil)]
    settings.clusterRadiusMeters = 5
    settings.recreationIntervalSeconds = 86_400
    settings.recreatedSpots = ["s24": noon.advanced(bySeconds: -3600)]
    var ledger = Ledger("aged", spots, settings, isLive: true)
    for (seconds, north, age) in [
      (0.0, -600.0, 0.0), (60, -500, -3600), (120, -400, 1), (200, -200, 1), (300, 0, 1),
    ] {
      let position = Coordinate.tower.offset(north: north, east: 0)
      let now = noon.advanced(bySeconds: seconds)
      let fix = LocationFix(
        time: now.advanced(bySeconds: -age), latitude: position.latitude,
        longitude: position.longitude)
      ledger.take(fix, at: now)
    }
    return ledger.checked
  }
}

/// A watcher with a log of its input and output, from which each figure is recomputed.
private struct Ledger {
  private let name: String
  private let spots: [String: PhotoSpot]
  private let settings: WatcherSettings
  private let isLive: Bool
  private var watcher: LocationWatcher
  private var devices: [String?: Device] = [:]
  private var latest: Instant?
  /// The notifications that fired, by device.
  private var fired: [(time: Instant, device: String?, spots: [String])] = []
  private(set) var checked: Set<WatcherDecision.Kind> = []

  private struct Device {
    var accepted: [LocationFix] = []
    /// The arrival time of the last of them.
    var arrived: Instant?
    /// The position of the device at its last evaluated fix.
    var evaluated: Coordinate?
    var entered: [String: Instant] = [:]
    /// The notifications taken over from another device.
    var shared: [(time: Instant, spot: String)] = []
    var waits: [String: WatcherDecision.Kind] = [:]
  }

  init(_ name: String, _ spots: [PhotoSpot], _ settings: WatcherSettings, isLive: Bool) {
    self.name = name
    self.spots = Dictionary(uniqueKeysWithValues: spots.map { ($0.id, $0) })
    self.settings = settings
    self.isLive = isLive
    watcher = LocationWatcher(spots: SpotIndex(spots: spots), settings: settings)
  }

  mutating func take(_ fix: LocationFix, at time: Instant?) {
    guard let time else { return }
    if isLive { look(at: watcher.tick(now: max(time.advanced(bySeconds: -0.5), latest ?? time))) }
    latest = time
    let decisions = watcher.evaluate(fix, now: time, isLive: isLive)
    let untouched: Set<WatcherDecision.Kind> = [.invalid, .late, .inaccurate, .jump]
    let about = decisions.filter { $0.time == time && $0.fix == fix }
    guard !about.contains(where: { untouched.contains($0.kind) }) else {
      look(at: decisions)
      return
    }
    // Decisions due to the clock concern the previous fix.
    look(at: decisions.filter { $0.time != time || $0.fix != fix })
    if about.contains(where: { $0.kind == .stale }) { enterUnheard(fix, at: time) }
    var device = devices[fix.device] ?? Device()
    let isMoved = !about.contains { $0.kind == .unmoved }
    if isMoved, !about.contains(where: { $0.kind == .stale && !moves(fix, device) }) {
      device.evaluated = fix.coordinate
    }
    device.accepted.append(fix)
    device.arrived = time
    devices[fix.device] = device
    // An unmoved fix reports the waiting visit after its other decisions.
    look(at: about.filter { $0.kind != .unmoved } + about.filter { $0.kind == .unmoved })
  }

  /// Enters spots without a notification, for a fix that is too old.
  private mutating func enterUnheard(_ fix: LocationFix, at time: Instant) {
    guard let here = fix.coordinate, moves(fix, devices[fix.device] ?? Device()) else { return }
    for (id, spot) in spots where devices[fix.device]?.entered[id] == nil {
      let last = devices[fix.device]?.accepted.last
      let seconds = fix.time?.seconds(since: last?.time ?? noon) ?? .nan
      let meters = min(
        here.distance(to: spot.coordinate),
        last?.coordinate.flatMap {
          seconds <= 120 && $0.distance(to: here) <= 1000 ? passing(spot, from: $0, to: here) : nil
        } ?? .infinity)
      guard meters <= settings.proximityRadiusMeters else { continue }
      devices[fix.device, default: Device()].entered[id] = time
    }
  }

  /// Returns the smallest distance of a path of at most a kilometre from a spot, on a plane, which
  /// is accurate enough.
  private func passing(_ spot: PhotoSpot, from first: Coordinate, to last: Coordinate) -> Double {
    (0...1000).compactMap { step -> Double? in
      let share = Double(step) / 1000
      return Coordinate(
        latitude: first.latitude + (last.latitude - first.latitude) * share,
        longitude: first.longitude + (last.longitude - first.longitude) * share
      )?.distance(to: spot.coordinate)
    }.min() ?? .infinity
  }

  private func moves(_ fix: LocationFix, _ device: Device) -> Bool {
    guard let before = device.evaluated, let here = fix.coordinate else { return true }
    return before.distance(to: here) >= settings.distanceFilterMeters
  }

  private mutating func look(at decisions: [WatcherDecision]) {
    for decision in decisions {
      check(decision)
      checked.insert(decision.kind)
      follow(decision)
    }
  }

  private mutating func follow(_ decision: WatcherDecision) {
    guard let id = decision.spotID else { return }
    let name = decision.fix.device
    switch decision.kind {
    case .inside, .leaving: return
    case .exit, .lapsed:
      devices[name]?.entered[id] = nil
      devices[name]?.waits[id] = nil
    default:
      let entered = devices[name]?.entered[id] ?? decision.time
      devices[name, default: Device()].entered[id] = entered
      devices[name]?.waits[id] = decision.kind.isWaiting ? decision.kind : nil
    }
    if decision.kind == .shared { devices[name]?.shared.append((decision.time, id)) }
    if let notification = decision.notification {
      fired.append((decision.time, name, notification.spots.map(\.id)))
    }
  }

  // MARK: - Checking

  private func check(_ decision: WatcherDecision) {
    func hold(_ isTrue: Bool, _ what: String = "") {
      guard !isTrue else { return }
      Issue.record(
        """
        \(name), \(decision.kind) \(decision.spotID ?? "") at \(decision.time.iso8601): \
        \(decision.figure ?? .nan) of \(decision.limit ?? .nan) \(what)
        """)
    }
    let device = devices[decision.fix.device] ?? Device()
    let here = decision.fix.coordinate
    let spot = decision.spotID.flatMap { spots[$0] }
    let radius = settings.proximityRadiusMeters
    if let spot, let here, let distance = decision.distanceMeters {
      hold(abs(here.distance(to: spot.coordinate) - distance) < 0.001, "distance")
      checkDistance(decision, distance, spot, device, hold)
    } else {
      hold(decision.spotID == nil, "without a distance")
    }
    if let waiting = decision.waiting {
      hold(device.entered[waiting.spotID] == waiting.since, "waiting since")
      hold((device.waits[waiting.spotID] ?? .stale) == waiting.kind, "waiting for \(waiting.kind)")
    }
    let (figure, limit) = (decision.figure ?? .nan, decision.limit ?? .nan)
    func since(_ time: Instant) -> Bool { abs(decision.time.seconds(since: time) - figure) < 0.002 }
    let entered = decision.spotID.flatMap { device.entered[$0] } ?? decision.time
    let today = fired.filter {
      $0.device == decision.fix.device
        && $0.time.millisecondsSince1970 / 86_400_000
          == decision.time.millisecondsSince1970 / 86_400_000
    }
    switch decision.kind {
    case .invalid:
      hold(decision.fix.time.map { figure == $0.seconds(since: decision.time) } ?? true)
    case .late:
      let last = device.accepted.last?.time ?? decision.time
      hold(decision.fix.time.map { abs(last.seconds(since: $0) - figure) < 0.002 } ?? false)
    case .stale:
      hold(since(decision.fix.time ?? noon) && figure > limit)
      hold(limit == settings.maximumFixAgeSeconds)
    case .burst:
      hold(since(decision.fix.time ?? noon) && figure > limit && limit == settings.burstAgeSeconds)
    case .inaccurate:
      hold(decision.fix.horizontalAccuracyMeters == figure && figure > limit)
      hold(limit == settings.maximumAccuracyMeters)
    case .jump:
      let last = device.accepted.last
      let meters = here.flatMap { last?.coordinate?.distance(to: $0) } ?? .nan
      let seconds = decision.fix.time?.seconds(since: last?.time ?? noon) ?? .nan
      hold(abs(meters / seconds * 3.6 - figure) < 0.01 && figure > 250 && limit == 250)
    case .unmoved:
      hold(abs((device.evaluated.flatMap { here?.distance(to: $0) } ?? .nan) - figure) < 0.001)
      hold(figure < limit && limit == settings.distanceFilterMeters)
    case .settling:
      hold(since(entered) && figure < limit && limit == settings.coldStartSeconds)
      hold(isAfterGap(entered, device), "no gap before")
    case .dwelling: hold(since(entered) && figure < limit && limit == settings.dwellSeconds)
    case .exit, .lapsed: hold(since(entered) && limit == radius + max(20, 0.4 * radius))
    case .leaving: hold(limit == radius + max(20, 0.4 * radius))
    case .tooFast:
      hold(figure > limit && limit == settings.maximumSpeedKilometersPerHour)
      hold(isSpeed(figure, device), "no such speed")
    case .arriving:
      hold(figure < limit && limit == 90)
      let past = decision.time.seconds(since: device.arrived ?? decision.time)
      let now = (device.accepted.last?.time ?? decision.time).advanced(
        bySeconds: min(max(past, 0), 30))
      hold(
        device.accepted.contains { abs(now.seconds(since: $0.time ?? noon) - figure) < 0.002 },
        "slow since no fix")
    case .paced:
      let last = fired.last { since($0.time) && $0.device == decision.fix.device }
      let meters =
        last.flatMap { spots[$0.spots[0]] }.flatMap { spot?.coordinate.distance(to: $0.coordinate) }
      let (usual, town) = (settings.minimumIntervalSeconds, settings.townIntervalSeconds)
      hold(meters.map { limit == ($0 <= 500 ? max(town, usual) : usual) } ?? false)
    case .sibling:
      let near = fired.filter { since($0.time) && $0.device == decision.fix.device }
      let meters = near.flatMap(\.spots).compactMap {
        spot.flatMap { spots[$0.id] }?.coordinate.distance(to: spots[$0]!.coordinate)
      }
      let shared = device.shared.contains { since($0.time) }
      hold(shared || meters.contains { $0 <= settings.siblingDistanceMeters }, "none near")
      hold(limit == settings.cooldownSeconds)
    case .shared:
      hold(
        fired.contains { since($0.time) && $0.device != decision.fix.device }
          && limit == settings.sharedIntervalSeconds)
    case .cooldown:
      let id = decision.spotID ?? ""
      hold(
        fired.contains { $0.spots.contains(id) && $0.device == decision.fix.device }
          || device.shared.contains { $0.spot == id }, "never fired")
      hold(limit.truncatingRemainder(dividingBy: settings.cooldownSeconds) == 0 && figure < limit)
      hold(
        figure == 0 || device.accepted.contains { since($0.time ?? noon) }
          || fired.contains { since($0.time) } || device.shared.contains { since($0.time) },
        "since nothing")
    case .muted:
      guard decision.limit != nil else { return hold(!settings.mutedSpots.isEmpty) }
      let zone = settings.mutedZones[0]
      let meters = [spot?.coordinate, here].compactMap { $0?.distance(to: zone.center) }.min()
      hold(abs((meters ?? .nan) - figure) < 0.001 && figure <= limit && limit == zone.radiusMeters)
    case .quiet:
      hold(figure == Double(decision.time.millisecondsSince1970 / 60_000 % 1440))
      hold(limit == settings.quietHours.map { Double($0.endMinute) })
    case .tooRecent:
      hold(since(spot?.firstCaptured?.instant ?? noon) && figure < limit)
      hold(limit == settings.minimumPhotoAgeSeconds)
    case .filtered: hold(figure == 0 && limit == 1 && spot?.favoriteCount == 0)
    case .recreated:
      hold(settings.recreatedSpots[decision.spotID ?? ""].map(since) ?? false)
      hold(limit == settings.recreationIntervalSeconds && figure < limit)
    case .overBudget:
      hold(figure == Double(today.count) && figure >= limit)
      hold(limit == settings.dailyBudget.map { Double($0) })
    case .reserved:
      let counts = today.compactMap { spots[$0.spots[0]]?.photoCount }.sorted()
      hold(!counts.isEmpty && limit == Double(counts[counts.count / 2]) && figure < limit)
      hold(spot.map { figure == Double($0.photoCount) } ?? false)
      hold(Double(counts.count) >= Double(settings.dailyBudget ?? 0) / 2)
    case .overRate:
      let minute = fired.filter { abs(decision.time.seconds(since: $0.time)) < 60 }
      let own = minute.count { $0.device == decision.fix.device }
      let allowed = settings.maximumAlertsPerMinute ?? 0
      // The limit for all devices together, or half of it for a single device.
      hold(
        figure == Double(minute.count) && limit == Double(allowed)
          || figure == Double(own) && limit == Double((allowed + 1) / 2))
      hold(figure >= limit)
    case .inside, .clear, .notify, .alsoNear, .disabled:
      hold(decision.figure == nil && decision.limit == nil)
    }
  }

  /// Checks whether a spot is within the radius, beyond it, or was passed on the way.
  private func checkDistance(
    _ decision: WatcherDecision, _ distance: Double, _ spot: PhotoSpot, _ device: Device,
    _ hold: (Bool, String) -> Void
  ) {
    let radius = settings.proximityRadiusMeters
    switch decision.kind {
    case .inside: hold(distance <= radius, "inside beyond the radius")
    case .leaving, .exit, .lapsed: hold(distance > radius, "\(decision.kind) within the radius")
    default:
      guard let pass = decision.passMeters else { return hold(distance <= radius, "too far") }
      hold(pass <= radius && distance > radius, "pass")
      let way = device.accepted.suffix(2).compactMap(\.coordinate)
      guard let first = way.first, let last = way.last else { return hold(false, "no way") }
      let nearest = passing(spot, from: first, to: last)
      hold(abs(nearest - pass) < 1, "passed at \(pass), not \(nearest)")
    }
  }

  /// Returns whether a first fix, or one after a gap, was within the cold-start period before a
  /// time.
  private func isAfterGap(_ time: Instant, _ device: Device) -> Bool {
    let times = device.accepted.compactMap(\.time)
    return times.indices.reversed().contains { index in
      guard index == 0 || times[index].seconds(since: times[index - 1]) > 600 else { return false }
      return abs(time.seconds(since: times[index])) < settings.coldStartSeconds + 1 || isLive
    }
  }

  /// Returns whether a fix reports a speed, or two fixes imply it, in km/h.
  private func isSpeed(_ figure: Double, _ device: Device) -> Bool {
    device.accepted.suffix(100).contains {
      $0.speedMetersPerSecond.map { abs($0 * 3.6 - figure) < 0.001 } ?? false
    }
      || device.accepted.suffix(100).indices.contains { later in
        let fix = device.accepted[later]
        return device.accepted[max(0, later - 100)..<later].contains { earlier in
          guard let a = earlier.coordinate, let b = fix.coordinate, let start = earlier.time,
            let end = fix.time
          else { return false }
          return abs(a.distance(to: b) / end.seconds(since: start) * 3.6 - figure) < 0.01
        }
      }
  }
}
