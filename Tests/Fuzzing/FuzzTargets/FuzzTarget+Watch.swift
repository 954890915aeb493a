import CivilTime
import Encodings
import LocationFeeds
import PhotoLibrary
import PhotoMetadata
import Spatial
import SpotAlerts
import SpotWatcher
import SystemPackage

extension FuzzTarget {
  /// Fixes of any feed, the decisions of a watcher about them, and all their text and JSON forms.
  static let watch = FuzzTarget("watch", seeds: Seeds.watch) { content in
    var reader = FeedReader()
    let fixes = (reader.consume(content) + reader.finish()).prefix(300)
    var scene = WatchScene(rules: content.reduce(0) { $0 &* 31 &+ Int($1) })
    return scene.fault(of: Array(fixes))
  }
}

/// A watcher over spots of all kinds, with checks of its decisions.
struct WatchScene {
  private var live: LocationWatcher
  private var recorded: LocationWatcher

  /// Spots around a tower, at a pole and on the antimeridian.
  private static let spots = SpotIndex(
    spots: [
      (48.8584, 2.2945, 14, 1), (48.8585, 2.2946, 1, 0), (48.8600, 2.2960, 3, 3),
      (89.9999, 0, 1, 0), (-16.8, 180, 2, 1), (-16.8, -180, 1, 0), (0.0001, 0.0001, 1, 0),
    ].enumerated().compactMap { number, spot in
      let (latitude, longitude, photos, favorites) = spot
      guard let place = Coordinate(latitude: latitude, longitude: longitude) else { return nil }
      let captured = CaptureTime(
        instant: Instant(secondsSince1970: 1_400_000_000), utcOffsetMinutes: 120)
      return PhotoSpot(
        id: "spot\(number)", coordinate: place, anchor: place, radiusMeters: 5, photoCount: photos,
        favoriteCount: favorites, undatedCount: number % 2,
        firstCaptured: number == 1 ? nil : captured, lastCaptured: number == 1 ? nil : captured,
        cover: FilePath("/photos/\(number).jpg"))
    })

  /// A track past the tower.
  static let visit: [LocationFix] = (0..<8).map { step in
    LocationFix(
      time: Instant(secondsSince1970: 1_795_176_000 + Int64(step) * 20),
      latitude: 48.8570 + Double(step) * 0.0004, longitude: 2.2945,
      horizontalAccuracyMeters: 5, speedMetersPerSecond: 1.4, device: "phone")
  }

  init(
    settings: WatcherSettings = WatcherSettings(), state: WatcherState = WatcherState(),
    mutes: [MutedSpot] = []
  ) {
    var settings = settings
    settings.mutedSpots = mutes
    live = LocationWatcher(spots: Self.spots, settings: settings, state: state)
    recorded = live
  }

  /// Creates a watcher with rules selected by a number.
  init(rules: Int) {
    var settings = WatcherSettings()
    func chooses(_ bit: Int) -> Bool { rules >> bit & 1 == 1 }
    if chooses(0) { settings.maximumSpeedKilometersPerHour = 100 }
    if chooses(1) { settings.dwellSeconds = 30 }
    if chooses(2) { settings.quietHours = QuietHours("22:00-07:00") }
    if chooses(3) { settings.dailyBudget = 2 }
    if chooses(4) { settings.isFavoritesOnly = true }
    if chooses(5) { settings.cooldownSeconds = 0 }
    if chooses(6) { settings.minimumIntervalSeconds = 0 }
    if chooses(7) { settings.proximityRadiusMeters = 5000 }
    if chooses(8) { settings.distanceFilterMeters = 0 }
    if chooses(9) { settings.maximumAccuracyMeters = 5000 }
    self.init(settings: settings)
  }

  /// Passes fixes to both watchers, of which the live one has a clock that is some seconds ahead,
  /// and checks all decisions.
  mutating func fault(of fixes: [LocationFix]) -> String? {
    for fix in fixes {
      let time = fix.time ?? Instant(secondsSince1970: 1_795_176_000)
      let clock = time.advanced(bySeconds: 2)
      let decided =
        live.evaluate(fix, now: clock, isLive: true)
        + live.tick(now: clock.advanced(bySeconds: 1))
        + recorded.evaluate(fix, now: time, isLive: false)
      for decision in decided {
        if let fault = decision.fault { return fault }
      }
    }
    return nil
  }
}

extension WatcherDecision {
  fileprivate var fault: String? {
    if let fault = FuzzTarget.faultOfJSON({ write(to: &$0) }) { return fault }
    if let fault = reason.faultOfText { return fault }
    let numbers = [distanceMeters, figure, limit].compactMap { $0 }
    guard numbers.allSatisfy(\.isFinite) else { return "\(kind) with a number that is none" }
    guard (notification != nil) == (kind == .notify) else { return "\(kind) with a notification" }
    return notification?.fault
  }
}

extension SpotNotification {
  /// The violated invariant of the notification; `nil` if there is none and a round trip through
  /// writing and reading does not change it.
  var fault: String? {
    if let fault = FuzzTarget.faultOfJSON({ write(to: &$0) }) { return fault }
    let texts = AlertLanguage.allCases.flatMap { [text(in: $0), title(in: $0)] }
    for text in texts + [text, compassPoint] {
      if let fault = text.faultOfText { return fault }
    }
    guard ndjson.last == 0x0A, !ndjson.dropLast().contains(0x0A) else { return "not one line" }
    var reader = JSONReader(ndjson)
    guard let again = try? SpotNotification(from: &reader) else { return "it cannot be read again" }
    return again.ndjson == ndjson ? nil : "another notification after writing it"
  }
}

extension String {
  /// The fault of a text that should consist only of numbers and words, if it contains control
  /// characters.
  fileprivate var faultOfText: String? {
    guard !isEmpty, utf8.count < 1000 else { return "a text that is empty, or has no end" }
    return unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
      ? "a text with control characters" : nil
  }
}
