import LocationFeeds
import Synchronization

/// The names of devices that senders may use, each as many as it is allowed.
final class SenderNames: Sendable {
  /// The names that were used, by the device of the token that was shown; `nil` for those who need
  /// none.
  private let bounds = Mutex<[String?: DeviceNameBound]>([:])

  /// Gives fixes the names that their sender may use; those under any other name are of the token's
  /// own device, or of no named one.
  ///
  /// The holder of a token that lists devices may name those. Any other holder may name a few, but
  /// none that is of another token. Senders without a token share a number of names.
  func admitted(
    _ fixes: [LocationFix], of holder: DeviceTokens.Holder?, _ tokens: DeviceTokens,
    at now: ContinuousClock.Instant = .now
  ) -> [LocationFix] {
    let taken = tokens.devices
    return bounds.withLock { bounds in
      let limit =
        holder == nil ? DeviceNameBound.unknownSenders : DeviceNameBound.tokenHolder
      var bound = bounds.removeValue(forKey: holder?.device) ?? DeviceNameBound(limit)
      defer { bounds[holder?.device] = bound }
      return fixes.map { fix in
        guard let name = fix.device, holder?.devices.contains(name) != true else { return fix }
        let isOpen = holder?.isListed != true && !taken.contains(name)
        if isOpen, bound.admits(name, at: now) { return fix }
        var fix = fix
        fix.device = holder?.device
        return fix
      }
    }
  }
}
