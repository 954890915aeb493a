import CLibrary
import CivilTime
import LocationFeeds
import PhotoLibrary
import Spatial
import SystemPackage
import TestSupport
import Testing
import WatchScenes

@testable import SpotWatcher

/// The decisions in typical situations, compared with manually reviewed logs.
///
/// After an intended change of the rules, `PHOTOSPOTS_WRITE_GOLDEN=1` rewrites the logs, and their
/// diff shows the effect for users.
@Suite struct GoldenDecisionTests {
  /// A situation: the fixes of a device, around spots.
  struct Situation: CustomTestStringConvertible {
    let name: String
    var spots = [spot("a")]
    var settings: @Sendable (inout WatcherSettings) -> Void = { _ in }
    var isLive = false
    let fixes: [Fix]

    var testDescription: String { name }
  }

  /// A fix, in seconds after noon and metres from the tower.
  struct Fix {
    let seconds: Double
    var north = 0.0
    var east = 0.0
    var accuracy: Double?
    var speed: Double?
    /// The time of the machine's clock, if it differs.
    var clock: Double?
  }

  static let situations: [Situation] = [
    jitter, boundaryWobble, outlier, tunnel, lateQueue, twoZones, driveBy, clockJump,
  ]

  /// A phone on a table, 95 m from a spot, with the scatter of fixes between houses.
  static let jitter: Situation = {
    var generator = SeededGenerator(seed: 11)
    return Situation(
      name: "jitter",
      fixes: (0..<60).map { step in
        Fix(
          seconds: Double(step) * 10, north: 95 + .random(in: -35...35, using: &generator),
          east: .random(in: -35...35, using: &generator), accuracy: 30)
      })
  }()

  /// A walk back and forth across the edge of the circle, for longer than the cooldown.
  static let boundaryWobble = Situation(
    name: "boundary-wobble",
    settings: {
      $0.cooldownSeconds = 600
      $0.minimumIntervalSeconds = 0
    },
    fixes: (0..<40).map { step in
      Fix(seconds: Double(step) * 60, north: step.isMultiple(of: 2) ? 92 : 128)
    })

  /// A single fix 50 km away, at another spot.
  static let outlier = Situation(
    name: "outlier",
    spots: [spot("a"), spot("b", at: Coordinate.tower.offset(north: 50_000, east: 0))],
    fixes: [
      Fix(seconds: 0, north: 300), Fix(seconds: 30, north: 260),
      Fix(seconds: 60, north: 50_000), Fix(seconds: 90, north: 190), Fix(seconds: 120, north: 130),
      Fix(seconds: 150, north: 80), Fix(seconds: 180, north: 40),
    ])

  /// A road tunnel of 3 km below a spot: three minutes without a fix, then inaccurate fixes.
  static let tunnel = Situation(
    name: "tunnel",
    fixes: [
      Fix(seconds: 0, north: -2000, accuracy: 5, speed: 20),
      Fix(seconds: 10, north: -1800, accuracy: 5, speed: 20),
      Fix(seconds: 20, north: -1600, accuracy: 60, speed: 20),
      Fix(seconds: 190, north: 1500, accuracy: 400, speed: 20),
      Fix(seconds: 192, north: 1560, accuracy: 90, speed: 20),
      Fix(seconds: 194, north: 1600, accuracy: 12, speed: 20),
      Fix(seconds: 204, north: 1800, accuracy: 5, speed: 20),
    ])

  /// A phone that was offline sends its stored fixes: the newest first, then the previous hour.
  static let lateQueue = Situation(
    name: "late-queue", isLive: true,
    fixes: [
      Fix(seconds: 3600, north: 5000), Fix(seconds: 0, north: 400, clock: 3601),
      Fix(seconds: 600, north: 20, clock: 3601), Fix(seconds: 1200, north: 400, clock: 3602),
      Fix(seconds: 3660, north: 4900),
    ])

  /// A street between two spots that are 72 m apart, walked along once.
  static let twoZones = Situation(
    name: "two-zones-72-m-apart",
    spots: [
      spot("a", photos: 3), spot("b", at: Coordinate.tower.offset(north: 72, east: 0), photos: 40),
    ],
    settings: { $0.proximityRadiusMeters = 50 },
    fixes: (0..<24).map { Fix(seconds: Double($0) * 12, north: -110 + Double($0) * 15, east: 5) })

  /// A car passing three spots, with a maximum speed for alerts.
  static let driveBy = Situation(
    name: "drive-by",
    spots: [0, 1, 2].map {
      spot(
        "abc".map(String.init)[$0], at: Coordinate.tower.offset(north: Double($0) * 900, east: 60))
    },
    settings: {
      $0.maximumSpeedKilometersPerHour = 60
      $0.minimumIntervalSeconds = 30
    },
    // Fast past the first spot, slowly past the second, and without a reported speed at the third.
    fixes: (0..<32).map { step in
      let seconds = Double(step) * 5
      return step < 12
        ? Fix(seconds: seconds, north: -400 + Double(step) * 75, speed: 25 - Double(step) * 0.5)
        : Fix(
          seconds: seconds, north: 425 + Double(step - 11) * 75,
          speed: step < 20 ? 15 : nil)
    })

  /// The machine's clock is an hour ahead, and is corrected during a stay at a spot. A return to
  /// the spot fires only the next day.
  static let clockJump = Situation(
    name: "clock-jump", isLive: true,
    fixes: [
      Fix(seconds: 3600, north: 400, clock: 3600), Fix(seconds: 3660, north: 60, clock: 3660),
      Fix(seconds: 120, north: 45, clock: 120), Fix(seconds: 180, north: 300, clock: 180),
      Fix(seconds: 240, north: 320, clock: 240), Fix(seconds: 300, north: 50, clock: 300),
      Fix(seconds: 360, north: 300, clock: 360), Fix(seconds: 420, north: 330, clock: 420),
      Fix(seconds: 5500, north: 300, clock: 5500), Fix(seconds: 5560, north: 50, clock: 5560),
      Fix(seconds: 9000, north: 300, clock: 9000), Fix(seconds: 9060, north: 340, clock: 9060),
      Fix(seconds: 90_120, north: 50, clock: 90_120),
    ])

  @Test(arguments: situations) func `the decisions in each situation equal its golden log`(
    _ situation: Situation
  )
    throws
  {
    let log = Self.log(of: situation)
    let path = FilePath(#filePath).removingLastComponent().appending("Golden")
      .appending(situation.name + ".txt")
    if getenv("PHOTOSPOTS_WRITE_GOLDEN") != nil { try writeFile(path, log.utf8) }
    #expect(log == String(decoding: readFile(path), as: UTF8.self))
  }

  /// Returns lines such as `  60 s  notify a  95.0 m  figure/limit`. Numbers are rounded, so that
  /// differences between machines' sine functions do not matter.
  private static func log(of situation: Situation) -> String {
    var settings = WatcherSettings()
    situation.settings(&settings)
    var watcher = LocationWatcher(spots: SpotIndex(spots: situation.spots), settings: settings)
    return situation.fixes.map { fix in
      let position = Coordinate.tower.offset(north: fix.north, east: fix.east)
      let decisions = watcher.evaluate(
        LocationFix(
          time: noon.advanced(bySeconds: fix.seconds), latitude: position.latitude,
          longitude: position.longitude, horizontalAccuracyMeters: fix.accuracy,
          speedMetersPerSecond: fix.speed),
        now: noon.advanced(bySeconds: fix.clock ?? fix.seconds), isLive: situation.isLive)
      return decisions.map { line($0, fix) }.joined()
    }.joined()
  }

  private static func line(_ decision: WatcherDecision, _ fix: Fix) -> String {
    let clock = fix.clock.map { " by \(rounded($0)) s" } ?? ""
    var line = "\(rounded(fix.seconds)) s\(clock)  \(decision.kind.rawValue)"
    if let spotID = decision.spotID { line += " \(spotID)" }
    if let distance = decision.distanceMeters { line += "  \(rounded(distance)) m" }
    if let figure = decision.figure { line += "  \(rounded(figure))" }
    if let limit = decision.limit { line += " / \(rounded(limit))" }
    if let notification = decision.notification {
      line += "  also near: \(notification.alsoNear.map(\.id).joined(separator: " "))"
    }
    return line + "\n"
  }

  private static func rounded(_ number: Double) -> String {
    let tenths = Int(saturating: (number * 10).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
  }
}
