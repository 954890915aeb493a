import Spatial

extension SettingValue {
  /// Parses `metric` or `imperial`.
  package init(units written: WrittenValue) throws(SettingsError) {
    guard let units = LengthUnits(rawValue: written.folded) else {
      let names = LengthUnits.allCases.map(\.rawValue).joined(separator: " or ")
      throw written.invalidValue(expected: names)
    }
    self = .units(units)
  }
}
