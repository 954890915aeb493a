import FeedSources
import WebNotifiers
import WebRequests

extension SettingValue {
  /// Parses a URL, or `off`.
  init(address written: WrittenValue) throws(SettingsError) {
    guard !Self.isOff(written.text) else {
      self = .off
      return
    }
    let address = WebAddress(written.text)
    switch written.setting {
    case .ntfyURL:
      guard let address, NtfyNotifier(topic: address) != nil else {
        throw written.invalidValue(
          expected: "a server and a topic such as https://ntfy.sh/my-topic, or off")
      }
      self = .address(address)
    case .gotifyURL:
      guard let address, GotifyNotifier(server: address, token: "") != nil else {
        throw written.invalidValue(
          expected:
            "the address of a Gotify server such as https://gotify.example.org, or off")
      }
      self = .address(address)
    case .appriseURL:
      guard let address, AppriseNotifier(address: address) != nil else {
        throw written.invalidValue(
          expected:
            "an address that ends in /notify/KEY or /notify, such as http://apprise.local:8000/notify/me, or off"
        )
      }
      self = .address(address)
    default:
      guard let address else {
        throw written.invalidValue(expected: "an address such as https://example.org/spots, or off")
      }
      self = .address(address)
    }
  }

  /// Parses a topic of an MQTT broker, or `off`.
  init(broker written: WrittenValue) throws(SettingsError) {
    guard !Self.isOff(written.text) else {
      self = .off
      return
    }
    guard case .mqtt(let address) = try? FeedAddress(written.text), !address.hasWildcards else {
      throw written.invalidValue(
        expected:
          "a broker and a topic such as mqtt://user@host:1883/photospots, or off")
    }
    self = .broker(address)
  }
}
