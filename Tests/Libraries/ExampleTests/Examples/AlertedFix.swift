import LocationFeeds
import PhotoLibrary
import SpotAlerts
import SpotWatcher

/// Processes one fix, and waits until the alerts that follow from it are delivered. Usually a first
/// fix fires nothing, since nobody knows yet how fast the device moves.
func alert(of fix: LocationFix, near spots: SpotIndex, to notifier: some Notifier) async throws {
  var settings = WatcherSettings()
  settings.rulesOff = [.coldStart, .vehicles]
  let session = try WatchSession(
    stateFolder: nil, spots: spots, settings: settings, isLive: false,
    notifiers: [notifier])
  session.start()
  try session.process(fix)
  try session.finish()
  await session.drain()
  await session.stop()
}
