import CivilTime
import LocationFeeds
import SpotAlerts
import Synchronization
import SystemPackage

/// The last positions and the trails of devices for the page, read from the state folder and kept
/// current with each fix.
final class LiveDevices: Sendable {
  /// The maximum number of fixes of a trail in memory.
  private static let maximumTrailLength = 2048
  /// The maximum number of trails in memory.
  private static let maximumTrailCount = 32

  private struct Known {
    /// The latest comes last.
    var positions: [LocationFix] = []
    /// The fixes since the start of the program, oldest first.
    var trails: [String?: [LocationFix]] = [:]
  }

  private let known: Mutex<Known>
  private let stateFolder: FilePath

  /// Reads what is known of devices.
  init(stateFolder: FilePath) {
    self.stateFolder = stateFolder
    // What is wrong with the file is told by the watch, which writes it.
    let reports = (try? DeviceLog.reports(in: stateFolder)) ?? []
    known = Mutex(Known(positions: reports.reversed().map(\.fix)))
  }

  /// The last positions, the latest first.
  var positions: [LocationFix] { known.withLock { $0.positions.reversed() } }

  /// Takes a fix.
  ///
  /// A fix that the watch does not believe is shown too.
  ///
  /// - Returns: Whether it is now the last position of its device.
  func take(_ fix: LocationFix) -> Bool {
    guard fix.coordinate != nil else { return false }
    var fix = fix
    let time = fix.time ?? .now
    fix.time = time
    return known.withLock { known in
      let last = known.positions.first { $0.device == fix.device }?.time
      guard last.map({ $0 <= time }) ?? true else { return false }
      known.positions.removeAll { $0.device == fix.device }
      known.positions.append(fix)
      if known.positions.count > DeviceLog.maximumDeviceCount { known.positions.removeFirst() }
      var trail = known.trails.removeValue(forKey: fix.device) ?? []
      if trail.count >= Self.maximumTrailLength { trail.removeFirst(trail.count / 2) }
      trail.append(fix)
      known.trails[fix.device] = trail
      if known.trails.count > Self.maximumTrailCount,
        let oldest = known.positions.first(where: { known.trails[$0.device] != nil })
      {
        known.trails[oldest.device] = nil
      }
      return true
    }
  }

  /// The trail of a device, the oldest first; `nil` where the device is not known.
  ///
  /// - Throws: `DeviceLogError` where the trail that was kept cannot be read.
  func trail(of device: String?) throws(DeviceLogError) -> [LocationFix]? {
    let (isKnown, recent) = known.withLock { known in
      (known.positions.contains { $0.device == device }, known.trails[device] ?? [])
    }
    guard isKnown else { return nil }
    let kept = try DeviceLog.trail(of: device, in: stateFolder) ?? []
    // The last fixes of a trail that is kept may not be in its file yet.
    guard let last = kept.last?.time else { return recent }
    return kept + recent.filter { $0.time.map { $0 > last } ?? false }
  }
}
