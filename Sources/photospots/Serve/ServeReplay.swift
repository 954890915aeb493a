import CivilTime
import KeptPlaces
import LocationFeeds
import PhotoLibrary
import SpotAlerts
import SpotService
import SpotWatcher

/// A replay of a track, requested by the page.
struct ServeReplay {
  /// The number of fixes between two checks for cancellation.
  private static let fixesBetweenChecks = 4096

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
    let fixes = self.fixes
    var runs: [ReplayAnswer.Run] = []
    for (name, settings) in try [("as set", inForce)] + variants.map(variant) {
      var replay = try replay(
        library, places, ofRadius: try? inForce.clusterRadiusMeters, settings, mutedSpots,
        recreations)
      for (number, fix) in fixes.enumerated() {
        replay.process(fix)
        guard number % Self.fixesBetweenChecks == 0 else { continue }
        if isCancelled() { throw Problem(.busy, "The replay was cancelled.") }
      }
      replay.finish()
      runs.append(ReplayAnswer.Run(settings: name, days: replay.days))
    }
    return ReplayAnswer(runs: runs, track: fixes)
  }

  private var fixes: [LocationFix] {
    var reader = FeedReader(isRecorded: true)
    reader.times = FeedReader.earliestTime...Instant.now.advanced(bySeconds: 86_400)
    return reader.consume(track) + reader.finish()
  }

  private func variant(_ text: String) throws(Problem) -> (String, Settings) {
    do {
      return (text, try SettingsArguments.settings(with: text))
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
