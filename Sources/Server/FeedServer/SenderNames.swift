import CivilTime
import LocationFeeds
import Synchronization

/// The device names in use, with a limit for each sender.
final class SenderNames: Sendable {
  /// The names in use, by the device of the sender's token; `nil` is the key of all senders without
  /// a token.
  private let bounds = Mutex<[String?: DeviceNameBound]>([:])

  /// Returns a message with the device names that its sender may use. Any other name is replaced by
  /// the token's own device, or removed for a sender without a token.
  ///
  /// A token that lists devices permits these names only. Any other token permits a few names that
  /// belong to no other token. All senders without a token share a number of names. All reports of
  /// a phone are those of one device.
  func admitted(
    _ message: FeedServer.Message, of holder: DeviceTokens.Holder?, _ tokens: DeviceTokens,
    phones: Set<String> = [], at now: ContinuousClock.Instant = .now
  ) -> FeedServer.Message {
    if let phone = holder?.phone { return message.assigned(to: phone.name) }
    let taken = tokens.devices.union(phones)
    return bounds.withLock { bounds in
      let limit =
        holder == nil ? DeviceNameBound.unknownSenders : DeviceNameBound.tokenHolder
      var bound = bounds.removeValue(forKey: holder?.device) ?? DeviceNameBound(limit)
      defer { bounds[holder?.device] = bound }
      return message.named { name in
        guard let name, holder?.devices.contains(name) != true else {
          return name ?? holder?.device
        }
        let isOpen = holder?.isListed != true && !taken.contains(name)
        return isOpen && bound.admits(name, at: now) ? name : holder?.device
      }
    }
  }
}
