import FeedSources
package import HTTPClient

extension SettingValue {
  /// Parses a URL, or `off`.
  ///
  /// - Parameters:
  ///   - written: The written value.
  ///   - expected: The addresses that can be used, for the error.
  ///   - isUsable: Returns whether an address can be used.
  /// - Throws: A `SettingsError` if it cannot.
  package init(
    address written: WrittenValue, expected: String, _ isUsable: (WebAddress) -> Bool
  ) throws(SettingsError) {
    guard !Self.isOff(written.text) else {
      self = .off
      return
    }
    guard let address = WebAddress(written.text), isUsable(address) else {
      throw written.invalidValue(expected: expected + ", or off")
    }
    self = .address(address)
  }

  /// Parses a topic of an MQTT broker, or `off`.
  package init(broker written: WrittenValue) throws(SettingsError) {
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
