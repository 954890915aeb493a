extension SettingValue {
  /// Reads `true` or `false`, and what else means that.
  init(flag written: WrittenValue) throws(SettingsError) {
    switch written.folded {
    case "true", "yes", "on", "1": self = .flag(true)
    case "false", "no", "off", "0": self = .flag(false)
    default: throw written.isNot("true or false")
    }
  }
}
