import SpotWatcher

extension SettingValue {
  /// Parses names of rules, separated by commas, or `none`.
  package init(rules written: WrittenValue) throws(SettingsError) {
    var rules: Set<WatcherRule> = []
    let names = written.folded == "none" ? "" : written.folded
    for name in names.split(separator: ",") {
      guard let rule = WatcherRule.allCases.first(where: { $0.rawValue.lowercased() == name })
      else {
        let names = WatcherRule.allCases.map(\.rawValue).joined(separator: ", ")
        throw written.invalidValue(expected: "\(names), with commas between, or none")
      }
      rules.insert(rule)
    }
    self = .rules(rules)
  }
}
