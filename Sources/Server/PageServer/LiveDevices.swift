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
    /// The last position of each device, most recent last.
    var positions: [LocationFix] = []
    /// The fixes since the start of the program, oldest first.
    var trails: [String?: [LocationFix]] = [:]
  }

  private let known: Mutex<Known>
  private let stateFolder: FilePath

  /// Reads the stored positions of devices.
  init(stateFolder: FilePath) {
    self.stateFolder = stateFolder
    // The watch, which writes the file, reports its problems.
    let reports = (try? DeviceLog.reports(in: stateFolder)) ?? []
    known = Mutex(Known(positions: reports.reversed().compactMap(\.fix)))
  }

  /// The last position of each device, most recent first.
  var positions: [LocationFix] { known.withLock { $0.positions.reversed() } }

  /// Records a fix.
  ///
  /// Fixes that the watch rejects as implausible are recorded too. A fix without a position, or
  /// older than the last one of its device, is not.
  ///
  /// - Returns: Whether the fix is now the last position of its device.
  func record(_ fix: LocationFix) -> Bool {
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

  /// Returns the trail of a device, oldest first; `nil` if the device is unknown.
  ///
  /// - Throws: `DeviceLogError` if the stored trail cannot be read.
  func trail(of device: String?) throws(DeviceLogError) -> [LocationFix]? {
    let (isKnown, recent) = known.withLock { known in
      (known.positions.contains { $0.device == device }, known.trails[device] ?? [])
    }
    guard isKnown else { return nil }
    let kept = try DeviceLog.trail(of: device, in: stateFolder) ?? []
    // The last fixes of a stored trail may not be in its file yet.
    guard let last = kept.last?.time else { return recent }
    return kept + recent.filter { $0.time.map { $0 > last } ?? false }
  }
}
