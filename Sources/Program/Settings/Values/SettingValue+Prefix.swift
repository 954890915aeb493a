import HomeAssistant

extension SettingValue {
  /// Parses the prefix of Home Assistant's discovery topics, `on` for the default prefix, or `off`.
  package init(prefix written: WrittenValue) throws(SettingsError) {
    switch written.folded {
    case "on", "true", "yes": self = .prefix(HomeTopics.usualPrefix)
    case "", "off", "false", "no": self = .off
    default:
      guard HomeTopics.isPrefix(written.trimmed) else {
        throw written.invalidValue(expected: "on, off, or a prefix of topics such as homeassistant")
      }
      self = .prefix(written.trimmed)
    }
  }
}
