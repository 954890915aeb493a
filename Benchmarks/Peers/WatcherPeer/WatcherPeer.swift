import BenchmarkInputs
import Encodings
import LocationFeeds
import PhotoLibrary
import Spatial
import SpotAlerts
import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
  import CivilTime
  import SpotWatcher
#endif

/// Measures the watcher over a walk at 1 Hz past many spots, and writes both as input for its
/// peers. The files contain rows of latitude, longitude and a third number (float64), which for
/// fixes is the time in seconds.
///
/// - `watcher-peer write SPOTS FIXES`: 200,000 spots, a million fixes.
/// - `watcher-peer run SPOTS FIXES METERS`: measures with the given distance filter in metres.
/// - `watcher-peer digest SPOTS FIXES METERS`: prints a number that depends on every decision.
enum WatcherPeer {
  static func run(_ arguments: [String]) {
    switch (arguments.first, arguments.count) {
    case ("write", 3):
      let centers = SpotCenters.make(200_000)
      let steps = Walks.make(1_000_000, past: centers)
      RowFile.write(centers.map { [$0.latitude, $0.longitude, 0] }, to: arguments[1])
      RowFile.write(
        steps.map { [$0.position.latitude, $0.position.longitude, $0.seconds] }, to: arguments[2])
    case ("run", 4), ("digest", 4):
      guard let filterMeters = Double(arguments[3]) else { return usage() }
      let watcher = watcher(RowFile.read(arguments[1]), filterMeters: filterMeters)
      let fixes = fixes(RowFile.read(arguments[2]))
      if arguments[0] == "run" { time(watcher, fixes) } else { digest(watcher, fixes) }
    default: usage()
    }
  }

  private static func usage() {
    print(
      "usage: watcher-peer write SPOTS FIXES | run SPOTS FIXES METERS | digest SPOTS FIXES METERS")
  }

  private static func time(_ watcher: LocationWatcher, _ fixes: [LocationFix]) {
    var watcher = watcher
    var count = 0
    var decisions: [WatcherDecision] = []
    let begin = processorNanoseconds
    for fix in fixes {
      decisions.removeAll(keepingCapacity: true)
      watcher.evaluate(fix, now: fix.time ?? start, isLive: false, into: &decisions)
      count += decisions.count
    }
    let nanoseconds = (processorNanoseconds - begin) / Double(fixes.count)
    print("\((nanoseconds * 10).rounded() / 10) ns a fix, \(count) decisions")
  }

  /// The processor time used by the process, which does not depend on other load on the machine.
  private static var processorNanoseconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  private static func digest(_ watcher: LocationWatcher, _ fixes: [LocationFix]) {
    var watcher = watcher
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    var kinds: [String: Int] = [:]
    for fix in fixes {
      for decision in watcher.evaluate(fix, now: fix.time ?? start, isLive: false) {
        var writer = JSONWriter()
        decision.write(to: &writer)
        // FNV-1a: G. Fowler, L. C. Noll, K.-P. Vo.
        for byte in writer.bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        kinds[decision.kind.rawValue, default: 0] += 1
      }
    }
    print(
      String(digest, radix: 16), kinds.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
  }

  private static let start = Instant(secondsSince1970: 1_750_000_000)

  private static func watcher(_ rows: [[Double]], filterMeters: Double) -> LocationWatcher {
    var settings = WatcherSettings()
    settings.distanceFilterMeters = filterMeters
    let spots = rows.enumerated().map { number, row in
      guard let center = Coordinate(latitude: row[0], longitude: row[1]) else {
        fatalError("row \(number) is not on the globe")
      }
      let name = String(number)
      return PhotoSpot(
        id: "spot" + String(repeating: "0", count: 8 - name.utf8.count) + name, coordinate: center,
        anchor: center, radiusMeters: 0, photoCount: 1, undatedCount: 1, firstCaptured: nil,
        lastCaptured: nil, cover: "/photos/1.jpg")
    }
    return LocationWatcher(spots: SpotIndex(spots: spots), settings: settings)
  }

  private static func fixes(_ rows: [[Double]]) -> [LocationFix] {
    rows.map { row in
      LocationFix(
        time: start.advanced(bySeconds: row[2]), latitude: row[0], longitude: row[1],
        horizontalAccuracyMeters: 5, speedMetersPerSecond: 1.4, device: "phone")
    }
  }
}
