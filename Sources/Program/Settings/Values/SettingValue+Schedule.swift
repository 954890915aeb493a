import SpotAlerts

extension SettingValue {
  /// Parses the schedule of digests, for example `daily 21:00` or `sunday 18:00`, or `off`.
  package init(schedule written: WrittenValue) throws(SettingsError) {
    if written.folded == "off" {
      self = .off
    } else if let schedule = DigestSchedule(written.text) {
      self = .schedule(schedule)
    } else {
      throw written.invalidValue(
        expected: "daily or a day of the week, and a time: daily 21:00, or off")
    }
  }
}
