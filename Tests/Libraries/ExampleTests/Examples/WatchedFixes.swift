import PhotoSpots

/// Watches recorded fixes, and delivers an alert for each spot that they come near.
func watch(
  _ fixes: some AsyncSequence<LocationFix, Never>, for spots: SpotIndex,
  notifying notifier: some Notifier
) async throws {
  let session = try WatchSession(
    stateFolder: nil, spots: spots, settings: WatcherSettings(), isLive: false,
    notifiers: [notifier])
  session.start()
  for await fix in fixes { try session.process(fix) }
  try session.finish()
  await session.drain()
  await session.stop()
}
