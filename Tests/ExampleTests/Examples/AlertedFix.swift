import LocationFeeds
import PhotoLibrary
import SpotAlerts
import SpotWatcher

/// Processes one fix, and waits until the alerts that follow from it are delivered.
func alert(of fix: LocationFix, near spots: SpotIndex, to notifier: some Notifier) async throws {
  let session = try WatchSession(
    stateFolder: nil, spots: spots, settings: WatcherSettings(), isLive: false,
    notifiers: [notifier])
  session.start()
  try session.process(fix)
  try session.finish()
  await session.drain()
  await session.stop()
}
