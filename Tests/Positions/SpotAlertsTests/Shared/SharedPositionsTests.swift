import LocationFeeds
import Spatial
import TestSupport
import Testing
import WatchScenes

@testable import SpotAlerts
@testable import SpotWatcher

@Suite struct SharedPositionsTests {
  private let positions = SharedPositions()
  private let seconds = 1800.0
  private let here = Standpoint(notification().fix.coordinate!)

  @Test func `a notification decided with a later fix keeps the position of that fix`() {
    var alerts = SharedAlerts(sharing: positions)
    var watcher = alerts.sharedFirings
    let key = DeviceState.key(of: "phone")
    let later = Standpoint(.tower.offset(north: 9000, east: 0))
    watcher.record(notification(), key: key, seconds: seconds)
    #expect(positions.position(of: key) == here)
    watcher.follow(key, to: later)
    alerts.record(notification(), seconds: seconds, isFollowed: true)
    #expect(positions.position(of: key) == later)
    // Another process decided the next one, so it is the latest known position of the device.
    alerts.record(notification(10), seconds: seconds)
    #expect(positions.position(of: key) == here)
  }

  @Test func `watchers keep the positions of devices whose notifications they do not know`() {
    var alerts = SharedAlerts(sharing: positions)
    var watcher = alerts.sharedFirings
    let tablet = DeviceState.key(of: "tablet")
    alerts.record(notification(), seconds: seconds)
    watcher.record(notification(10, device: "tablet"), key: tablet, seconds: seconds)
    #expect(positions.position(of: DeviceState.key(of: "phone")) == here)
    // A run records the notifications of several devices, one after another.
    let later = Standpoint(.tower.offset(north: 9000, east: 0))
    watcher.follow(tablet, to: later)
    alerts.record(notification(20), seconds: seconds, isFollowed: true)
    alerts.record(notification(10, device: "tablet"), seconds: seconds, isFollowed: true)
    #expect(positions.position(of: tablet) == later)
  }

  @Test func `the number of positions is limited`() {
    var alerts = SharedAlerts(sharing: positions)
    for number in 0..<5000 {
      alerts.record(notification(Double(number) / 10, device: "\(number)"), seconds: seconds)
    }
    #expect((1...2049).contains(positions.count))
    #expect(positions.position(of: DeviceState.key(of: "4999")) == here)
  }
}
