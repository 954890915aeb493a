import SpotWatcher

extension SettingValue {
  /// Parses hours of the day such as `22:00-07:00`, or `off`.
  package init(hours written: WrittenValue) throws(SettingsError) {
    if written.folded == "off" {
      self = .off
    } else if let hours = QuietHours(written.folded) {
      self = .hours(hours)
    } else {
      throw written.invalidValue(expected: "hours such as 22:00-07:00, or off")
    }
  }
}
