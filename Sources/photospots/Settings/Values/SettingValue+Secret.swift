import FeedServer
import RemoteLibraries

extension SettingValue {
  /// Parses a secret, or `off`. Only values that cannot be transmitted where they are used are
  /// rejected.
  init(secret written: WrittenValue) throws(SettingsError) {
    guard !Self.isOff(written.text) else {
      self = .off
      return
    }
    let bytes = written.text.utf8
    let (isCarried, expected): (Bool, String) =
      switch written.setting {
      // A token in a header consists of ASCII characters without spaces (RFC 6750, section 2.1).
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
      // These are used in headers too, and there may be one per host.
      case .immichKey, .photoprismKey:
        (
          RemoteKeys(written.text) != nil,
          "a key without spaces, or host=key with commas between, or off"
        )
      // The MQTT library takes it as a C string, which ends at a zero byte.
      case .mqttPassword: (!bytes.contains(0), "at most 1024 bytes without a zero, or off")
      // An HMAC key can be any bytes (RFC 2104, section 2).
      default: (true, "at most 1024 bytes, or off")
      }
    guard isCarried, bytes.count <= 1024 else { throw written.invalidValue(expected: expected) }
    self = .secret(written.text)
  }
}
