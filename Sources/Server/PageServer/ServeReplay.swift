import CivilTime
import KeptPlaces
import LocationFeeds
import PhotoLibrary
import ProgramSettings
import SpotAlerts
import SpotService
import SpotWatcher
import Storage
import Synchronization

/// A replay of a track, requested by the page.
struct ServeReplay {
  /// The number of fixes between two checks for cancellation.
  static let fixesBetweenChecks = 4096
  /// The number of bytes of the track that are read between two checks.
  static let bytesBetweenChecks = 256 << 10

  /// The contents of the track file.
  let track: [UInt8]
  /// The settings to try besides the effective ones, for example `proximityRadius=50m,dwell=30s`.
  let variants: [String]

  /// Replays the track.
  ///
  /// - Parameters:
  ///   - library: The spots.
  ///   - places: The user's own places.
  ///   - inForce: The effective settings.
  ///   - mutedSpots: The muted spots.
  ///   - recreations: The times of the spots' last recreations.
  ///   - isCancelled: Returns whether the request was cancelled.
  /// - Returns: A run with the effective settings, and one with each variant.
  /// - Throws: A problem if a variant is invalid or the request was cancelled.
  func run(
    over library: ServedLibrary, _ places: ServedPlaces, _ inForce: Settings,
    mutedSpots: [MutedSpot],
    recreations: RecreationTimes, isCancelled: () -> Bool
  ) throws(Problem) -> ReplayAnswer {
    func check() throws(Problem) {
      if isCancelled() { throw Problem(.busy, "The replay was cancelled.") }
    }
    let variants = try self.variants.map(variant)
    let fixes = try fixes(check)
    var runs: [ReplayAnswer.Run] = []
    for (name, settings) in [("as set", inForce)] + variants {
      try check()
      var replay = try replay(
        library, places, ofRadius: try? inForce.clusterRadiusMeters, settings, mutedSpots,
        recreations)
      for (number, fix) in fixes.enumerated() {
        replay.process(fix)
        if number % Self.fixesBetweenChecks == 0 { try check() }
      }
      runs.append(ReplayAnswer.Run(settings: name, days: replay.days))
    }
    return ReplayAnswer(runs: runs, track: fixes)
  }

  /// Reads the track; `check` throws if the request was cancelled.
  private func fixes(_ check: () throws(Problem) -> Void) throws(Problem) -> [LocationFix] {
    var reader = FeedReader(isRecorded: true)
    reader.times = FeedReader.times(by: .now)
    var fixes: [LocationFix] = []
    var rest = track[...]
    while !rest.isEmpty {
      try check()
      fixes += reader.consume(Array(rest.prefix(Self.bytesBetweenChecks)))
      rest = rest.dropFirst(Self.bytesBetweenChecks)
    }
    try check()
    return fixes + reader.finish()
  }

  /// Performs blocking work on a thread of its own, which learns when its task is cancelled.
  static func cancellable<Value: Sendable>(
    _ work: @escaping @Sendable (_ isCancelled: () -> Bool) -> Value
  ) async -> Value {
    let cancellation = Cancellation()
    return await withTaskCancellationHandler {
      await onThread { work { cancellation.isRequested.load(ordering: .relaxed) } }
    } onCancel: {
      cancellation.isRequested.store(true, ordering: .relaxed)
    }
  }

  /// A flag that is set when the waiting task is cancelled.
  private final class Cancellation: Sendable {
    let isRequested = Atomic(false)
  }

  private func variant(_ text: String) throws(Problem) -> (String, Settings) {
    do throws(AssignmentError) {
      return (text, try Settings(assignments: text))
    } catch {
      throw Problem(.badParameter, "\(error)", parameter: "set")
    }
  }

  private func replay(
    _ library: ServedLibrary, _ places: ServedPlaces, ofRadius servedRadius: Double?,
    _ settings: Settings,
    _ mutedSpots: [MutedSpot], _ recreations: RecreationTimes
  ) throws(Problem) -> Replay {
    do {
      var watcher = try settings.watcher
      watcher.mutedSpots = mutedSpots
      let radius = try settings.clusterRadiusMeters
      let spots =
        servedRadius == radius
        ? places.spots
        : SpotIndex(library.index, clusterRadius: radius)
          .joined(
            with: places.document.places.map { OwnPlace($0) }, clusterRadius: radius)
      watcher.recreatedSpots = recreations.times(in: spots)
      return Replay(spots: spots, settings: watcher, localClock: .machine)
    } catch {
      throw Problem(.badSetting, "\(error)")
    }
  }
}
