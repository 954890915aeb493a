import LocationFeeds
import PhotoLibrary
import SpotWatcher

/// Returns the notifications that a recorded track leads to.
func notifications(along track: [LocationFix], past spots: SpotIndex) -> [SpotNotification] {
  var watcher = LocationWatcher(spots: spots, settings: WatcherSettings())
  return track.flatMap { fix in
    guard let time = fix.time else { return [SpotNotification]() }
    return watcher.evaluate(fix, now: time, isLive: false).compactMap(\.notification)
  }
}
