import LocationFeeds
import Spatial
import TestSupport
import Testing

@testable import SpotAlerts
@testable import SpotWatcher

@Suite struct SharedPositionsTests {
  private let positions = SharedPositions()
  private let seconds = 1800.0
  private let here = Standpoint(notification().fix.coordinate!)

  @Test func `a notification decided with a later fix keeps the position of that fix`() {
    var alerts = SharedAlerts(sharing: positions)
    var watcher = alerts.sharedFirings
    let key = SharedAlerts.key(of: "phone")
    let later = Standpoint(.tower.offset(north: 9000, east: 0))
    watcher.record(notification(), slot: key, seconds: seconds)
    #expect(positions.position(ofSlot: key) == here)
    watcher.follow(slot: key, to: later)
    alerts.record(notification(), seconds: seconds, isFollowed: true)
    #expect(positions.position(ofSlot: key) == later)
    // Another process decided the next one, so it is the latest known position of the device.
    alerts.record(notification(10), seconds: seconds)
    #expect(positions.position(ofSlot: key) == here)
  }

  @Test func `a watcher without the latest notifications keeps the positions of their devices`() {
    var alerts = SharedAlerts(sharing: positions)
    var watcher = alerts.sharedFirings
    let tablet = SharedAlerts.key(of: "tablet")
    alerts.record(notification(), seconds: seconds)
    watcher.record(notification(10, device: "tablet"), slot: tablet, seconds: seconds)
    #expect(positions.position(ofSlot: SharedAlerts.key(of: "phone")) == here)
    #expect(positions.position(ofSlot: tablet) == here)
    // The tablet's notification was not recorded for all, so its position is no longer needed.
    alerts.record(notification(20), seconds: seconds)
    #expect(positions.position(ofSlot: tablet) == nil)
  }
}
