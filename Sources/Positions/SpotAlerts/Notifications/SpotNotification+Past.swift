package import CivilTime
package import PhotoLibrary
package import SpotWatcher

extension SpotNotification {
  /// Returns the notification with the past of its spot, as seen from the local day of its time.
  package func remembering(_ past: SpotPast?, by clock: LocalClock) -> SpotNotification {
    var notification = self
    let today = CivilDay(time, utcOffsetMinutes: clock.utcOffsetMinutes(time))
    notification.memory = past.map { SpotMemory(of: $0, on: today) }
    return notification
  }
}
