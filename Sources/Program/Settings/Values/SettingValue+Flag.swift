extension SettingValue {
  /// Parses `true`, `false` or a synonym.
  package init(flag written: WrittenValue) throws(SettingsError) {
    switch written.folded {
    case "true", "yes", "on", "1": self = .flag(true)
    case "false", "no", "off", "0": self = .flag(false)
    default: throw written.invalidValue(expected: "true or false")
    }
  }
}
