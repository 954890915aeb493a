import WebRequests

extension SettingValue {
  /// Reads the address of the page, or `off`: a scheme and a host, and a port where there is one.
  init(page written: WrittenValue) throws(SettingsError) {
    guard !Self.isOff(written.text) else {
      self = .off
      return
    }
    guard let address = WebAddress(written.text), address.path == "/", address.authorization == nil
    else {
      throw written.isNot("an address without a path such as https://home.example:8090, or off")
    }
    self = .page("\(address.scheme)://\(address.host)")
  }
}
