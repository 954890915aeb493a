import CivilTime
import GoldenTraces
import LocationFeeds
import PhotoLibrary
import PhotoMetadata
import Spatial
import SpotAlerts
import Testing
import WatchScenes

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
    // Kinds that only journals of earlier versions contain.
    checked.formUnion([.arriving, .reserved])
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
    settings.mutedSpots = [MutedSpot(spotID: "s8", center: spots[1].coordinate, until: nil)]
    settings.clusterRadiusMeters = 5
    settings.recreationIntervalSeconds = 86_400
    settings.recreatedSpots = ["s0": noon.advanced(bySeconds: -3600)]
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
      // The estimated position is near the fix.
      hold(abs(here.distance(to: spot.coordinate) - distance) < 100, "distance")
      checkDistance(decision, distance, hold)
    } else {
      hold(decision.spotID == nil, "without a distance")
    }
    if let waiting = decision.waiting {
      hold(
        device.entered[waiting.spotID].map { waiting.since <= $0 } ?? true, "waiting since")
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
      // Since the last fix, also if that was rejected.
      hold(figure >= 0)
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
      hold(abs(meters / seconds * 3.6 - figure) < 0.01 && decision.limit == nil)
    case .unmoved:
      hold(abs((device.evaluated.flatMap { here?.distance(to: $0) } ?? .nan) - figure) < 0.001)
      hold(figure < limit && limit == settings.distanceFilterMeters)
    case .settling:
      let seconds = device.accepted.last?.time?.seconds(since: device.accepted[0].time ?? noon)
      hold(figure < limit && limit == settings.coldStartSeconds)
      hold(seconds.map { figure <= $0 } ?? false, "longer than the feed")
    case .uncertain: hold(figure >= 0 && figure < limit && limit == 85)
    case .halted: hold(figure >= 0 && figure < limit && limit == 80)
    case .unconfirmed: hold(decision.figure == nil && decision.limit == nil)
    case .dwelling: hold(since(entered) && figure < limit && limit == settings.dwellSeconds)
    case .exit, .lapsed:
      // A stale fix enters without a decision.
      hold(figure > decision.time.seconds(since: entered) - 0.002)
      hold(limit == radius + max(20, 0.4 * radius))
    case .leaving: hold(limit == radius + max(20, 0.4 * radius))
    case .tooFast:
      hold(figure > limit)
      hold(settings.maximumSpeedKilometersPerHour.map { abs($0 - limit) < 0.001 } ?? false)
      hold(isSpeed(figure, device), "no such speed")
    case .paced:
      hold(
        fired.contains { since($0.time) && $0.device == decision.fix.device }, "since nothing")
      let (usual, town) = (settings.minimumIntervalSeconds, settings.townIntervalSeconds)
      // The interval grows with the alerts of the day.
      let times = [usual, usual / 3, town].map { limit / $0 }
      hold(limit >= usual && times.contains { abs($0 - $0.rounded()) < 1e-9 })
    case .sibling:
      let near = fired.filter { since($0.time) && $0.device == decision.fix.device }
      let meters = near.flatMap(\.spots).compactMap {
        spot.flatMap { spots[$0.id] }?.coordinate.distance(to: spots[$0]!.coordinate)
      }
      let shared = device.shared.contains { since($0.time) }
      hold(shared || meters.contains { $0 <= settings.siblingDistanceMeters }, "none near")
      hold(limit == settings.cooldownSeconds)
    case .familiar:
      let days = Double(decision.days ?? 0)
      hold(days >= 0 && limit == max(days * days, 1) * settings.cooldownSeconds && figure < limit)
    case .shared:
      hold(
        fired.contains { since($0.time) && $0.device != decision.fix.device }
          && limit == settings.sharedIntervalSeconds)
    case .cooldown:
      let near = fired.filter { since($0.time) && $0.device == decision.fix.device }
      let meters = near.compactMap { spots[$0.spots[0]] }.map {
        spot?.coordinate.distance(to: $0.coordinate) ?? .infinity
      }
      hold(
        meters.contains { $0 <= 30 }
          || device.shared.contains { since($0.time) }, "never fired")
      hold(limit == settings.cooldownSeconds && figure < limit)
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
      // All of the budget, or the quarter for what is walked past.
      let budgets = settings.dailyBudget.map { [$0, max($0 / 4, 1)] } ?? []
      hold(budgets.map(Double.init).contains(limit))
    case .arriving, .reserved: hold(false, "of an earlier version")
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

  /// Checks whether a spot is within the radius or beyond it.
  private func checkDistance(
    _ decision: WatcherDecision, _ distance: Double, _ hold: (Bool, String) -> Void
  ) {
    let radius = settings.proximityRadiusMeters
    switch decision.kind {
    case .leaving, .exit, .lapsed: hold(distance > radius, "\(decision.kind) within the radius")
    case .alsoNear: hold(distance <= radius + 40, "too far for one viewpoint")
    default: hold(distance <= radius, "too far")
    }
  }

  /// Returns whether some of the last fixes report or imply about a speed in km/h, or more.
  private func isSpeed(_ figure: Double, _ device: Device) -> Bool {
    let fixes = device.accepted.suffix(10)
    return zip(fixes, fixes.dropFirst()).contains { earlier, later in
      guard let a = earlier.coordinate, let b = later.coordinate, let start = earlier.time,
        let end = later.time
      else { return false }
      return a.distance(to: b) / end.seconds(since: start) * 3.6 > figure * 0.5
        || (later.speedMetersPerSecond ?? 0) * 3.6 > figure * 0.8
    }
  }
}
