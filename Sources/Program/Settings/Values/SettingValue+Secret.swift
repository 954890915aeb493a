extension SettingValue {
  /// The maximum length of a secret in bytes.
  private static let maximumSecretLength = 1024

  /// Parses a secret, or `off`. Only values that cannot be transmitted where they are used are
  /// rejected.
  ///
  /// - Parameters:
  ///   - written: The written value.
  ///   - expected: The values that can be transmitted, for the error.
  ///   - isCarried: Returns whether a value can be transmitted.
  /// - Throws: A `SettingsError` if it cannot, or is too long.
  package init(
    secret written: WrittenValue, expected: String, _ isCarried: (String) -> Bool
  ) throws(SettingsError) {
    guard !Self.isOff(written.text) else {
      self = .off
      return
    }
    guard isCarried(written.text), written.text.utf8.count <= Self.maximumSecretLength else {
      throw written.invalidValue(expected: expected)
    }
    self = .secret(written.text)
  }
}
