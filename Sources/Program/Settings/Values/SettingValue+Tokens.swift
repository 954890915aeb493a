import Encodings
import FeedServer

extension SettingValue {
  /// Parses devices and their tokens as `phone=token`, separated by commas, or `off`.
  package init(tokens written: WrittenValue) throws(SettingsError) {
    guard !Self.isOff(written.text) else {
      self = .off
      return
    }
    var tokens = DeviceTokens()
    // Pairs from the settings file are separated by line ends, since the name of a device may
    // contain a comma.
    for pair in written.text.split(separator: written.text.hasSuffix("\n") ? "\n" : ",") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw written.invalidValue(expected: "device=token, several with commas between, or off")
      }
      guard tokens.add(device: String(parts[0]), token: String(parts[1])) else {
        let lengths = DeviceTokens.lengths
        throw written.invalidValue(
          expected:
            """
            device=token; that of '\(String(parts[0]).escaped)' must be \(lengths.lowerBound) to \
            \(lengths.upperBound) characters of ASCII, without spaces and commas; 'openssl rand -hex 16' makes one
            """)
      }
    }
    self = .tokens(tokens)
  }
}
