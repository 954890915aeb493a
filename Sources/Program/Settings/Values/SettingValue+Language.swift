import SpotAlerts

extension SettingValue {
  /// Parses a language code, or `auto`.
  package init(language written: WrittenValue) throws(SettingsError) {
    if written.folded == "auto" {
      self = .language(nil)
    } else if let language = AlertLanguage(rawValue: written.folded) {
      self = .language(language)
    } else {
      let codes = AlertLanguage.allCases.map(\.rawValue).joined(separator: ", ")
      throw written.invalidValue(expected: "\(codes), or auto")
    }
  }
}
