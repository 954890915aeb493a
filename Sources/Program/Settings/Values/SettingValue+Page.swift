import HTTPClient

extension SettingValue {
  /// Parses the URL of the page, which consists of a scheme, a host and an optional port, or `off`.
  package init(page written: WrittenValue) throws(SettingsError) {
    guard !Self.isOff(written.text) else {
      self = .off
      return
    }
    guard let address = WebAddress(written.text), address.path == "/", address.authorization == nil
    else {
      throw written.invalidValue(
        expected: "an address without a path such as https://home.example:8090, or off")
    }
    self = .page("\(address.scheme)://\(address.host)")
  }
}
