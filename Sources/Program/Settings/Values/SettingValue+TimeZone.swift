import CivilTime
import SpotAlerts

extension SettingValue {
  /// Parses the name of a time zone, or `machine`.
  package init(zone written: WrittenValue) throws(SettingsError) {
    let name = written.text.filter { !$0.isWhitespace }
    if written.folded == "machine" {
      self = .zone(written.folded, nil)
    } else if name.uppercased().prefixMatch(of: /(UTC|GMT)[+-][0-9]/) != nil {
      // As a rule for TZ (POSIX, 8.3) `UTC+2` is two hours behind UTC; people, and the times that
      // this program prints, mean ahead.
      throw written.invalidValue(
        expected:
          "a time zone such as Europe/Paris: an offset after \(name.prefix(3)) may mean ahead of "
          + "UTC, or behind as for TZ; <+02>-2 is a zone that is two hours ahead")
    } else if let zone = TimeZoneDatabase.rules(of: name) {
      self = .zone(name, zone)
    } else {
      throw written.invalidValue(
        expected:
          "machine, a time zone of this system such as Europe/Paris, or a rule as for TZ")
    }
  }
}
