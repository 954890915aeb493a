import CivilTime
import SpotAlerts

extension SettingValue {
  /// Parses the name of a time zone, or `machine`.
  package init(zone written: WrittenValue) throws(SettingsError) {
    let name = written.text.filter { !$0.isWhitespace }
    if written.folded == "machine" {
      self = .zone(written.folded, nil)
    } else if let zone = TimeZoneDatabase.rules(of: name) {
      self = .zone(name, zone)
    } else {
      throw written.invalidValue(
        expected:
          "machine, a time zone of this system such as Europe/Paris, or a rule as for TZ")
    }
  }
}
