import FeedServer
import RemoteLibraries

extension SettingValue {
  /// Reads a secret as it is, or `off`: only what cannot be carried to where it is used is refused.
  init(secret written: WrittenValue) throws(SettingsError) {
    guard !Self.isOff(written.text) else {
      self = .off
      return
    }
    let bytes = written.text.utf8
    let (isCarried, expected): (Bool, String) =
      switch written.setting {
      // A token of a header has no spaces and nothing but ASCII (RFC 6750, section 2.1).
      case .ntfyToken, .gotifyToken:
        (
          bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F },
          "at most 1024 letters, digits and signs without a space, or off"
        )
      case .metricsToken:
        (
          bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F } && DeviceTokens.lengths.contains(bytes.count),
          "\(DeviceTokens.lengths.lowerBound) to \(DeviceTokens.lengths.upperBound) letters, digits "
            + "and signs without a space, or off"
        )
      // Headers of requests too, perhaps one for each host.
      case .immichKey, .photoprismKey:
        (
          RemoteKeys(written.text) != nil,
          "a key without spaces, or host=key with commas between, or off"
        )
      // A text of C, which ends at a zero.
      case .mqttPassword: (!bytes.contains(0), "at most 1024 bytes without a zero, or off")
      // The key of an HMAC is any bytes (RFC 2104, section 2).
      default: (true, "at most 1024 bytes, or off")
      }
    guard isCarried, bytes.count <= 1024 else { throw written.isNot(expected) }
    self = .secret(written.text)
  }
}
