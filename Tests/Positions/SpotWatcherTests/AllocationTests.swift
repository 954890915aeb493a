import AllocationCounter
import CivilTime
import Encodings
import LocationFeeds
import PhotoLibrary
import Spatial
import SpotWatcher
import Testing
import WatchScenes

/// The allocations for a fix, after a watcher has processed a few.
@Suite struct AllocationTests {
  /// A watcher with a reused array of decisions and a count of allocations.
  private struct Watch {
    var watcher: LocationWatcher
    var decisions: [WatcherDecision] = []
    var isLive = false
    private(set) var allocations: UInt64 = 0
    private(set) var kinds: Set<WatcherDecision.Kind> = []

    private static let warmUpCount = 20
    static let fixCount = 200
    static let countedFixes = UInt64(fixCount - warmUpCount)

    init(_ spots: [PhotoSpot], _ settings: WatcherSettings) {
      watcher = LocationWatcher(spots: SpotIndex(spots: spots), settings: settings)
      decisions.reserveCapacity(64)
    }

    /// Plays one fix per second, and counts allocations from the 21st on: until then the device
    /// becomes known as present, and its state grows once.
    mutating func play(position: (Int) -> Coordinate, accuracy: Double = 5) {
      allocations = 0
      kinds = []
      for second in 0..<Self.fixCount {
        let (place, time) = (position(second), noon.advanced(bySeconds: Double(second)))
        let fix = LocationFix(
          time: time, latitude: place.latitude, longitude: place.longitude,
          horizontalAccuracyMeters: accuracy, speedMetersPerSecond: 1.2, device: "phone")
        decisions.removeAll(keepingCapacity: true)
        let before = allocation_count()
        watcher.evaluate(fix, now: time, isLive: isLive, into: &decisions)
        guard second >= Self.warmUpCount else { continue }
        allocations += allocation_count() - before
        kinds.formUnion(decisions.map(\.kind))
      }
    }
  }

  #if DEBUG
    /// Allocations in unspecialized generic code of the standard library, mostly of vectors.
    private static let (allowedUnmoved, allowedElse) = (UInt64(50), UInt64(50))
  #else
    private static let (allowedUnmoved, allowedElse) = (UInt64(0), UInt64(0))
  #endif

  private static let isCounted = allocation_count() != .max

  @Test(.enabled(if: isCounted)) func `allocations are counted`() {
    let before = allocation_count()
    var numbers = [1, 2, 3]
    numbers.reserveCapacity(1000)
    #expect(allocation_count() > before)
    #expect(numbers.count == 3)
  }

  @Test(.enabled(if: isCounted), arguments: [false, true])
  func `a fix that changes nothing allocates no memory in release builds`(isLive: Bool) {
    var settings = WatcherSettings()
    settings.rulesOff = [.coldStart]
    let spots = [spot("a"), spot("b", at: .tower.offset(north: 0, east: 130))]
    var watch = Watch(spots, settings)
    watch.isLive = isLive
    watch.play { _ in .tower.offset(north: 10, east: 0) }
    #expect(watch.kinds == [.unmoved])
    #expect(watch.allocations <= Watch.countedFixes * Self.allowedUnmoved)

    settings.distanceFilterMeters = 0
    watch = Watch(spots, settings)
    watch.isLive = isLive
    watch.play { .tower.offset(north: Double($0 % 7), east: 0) }
    #expect(watch.kinds == [.inside])
    #expect(watch.allocations <= Watch.countedFixes * Self.allowedElse)

    watch = Watch(spots, settings)
    watch.isLive = isLive
    watch.play { .tower.offset(north: 5000 + Double($0 % 7), east: 0) }
    #expect(watch.kinds == [.clear])
    #expect(watch.allocations <= Watch.countedFixes * Self.allowedUnmoved)

    guard !isLive else { return }
    watch.play(position: { _ in .tower }, accuracy: 5000)
    #expect(watch.kinds == [.late])
    #expect(watch.allocations <= Watch.countedFixes * Self.allowedUnmoved)
  }

  @Test(.enabled(if: isCounted))
  func `further fixes of a waiting visit allocate no memory in release builds`() {
    var settings = WatcherSettings()
    settings.coldStartSeconds = 3000
    settings.distanceFilterMeters = 0
    var watch = Watch([spot("a")], settings)
    watch.play { .tower.offset(north: Double($0 % 7), east: 0) }
    #expect(watch.kinds == [.inside])
    #expect(watch.decisions.last?.waiting?.kind == .settling)
    #expect(watch.allocations <= Watch.countedFixes * Self.allowedElse)
  }
}
