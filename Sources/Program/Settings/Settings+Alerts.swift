import CLibrary
package import Spatial
package import SpotAlerts

extension Settings {
  /// The language of alerts, the schedule of digests, and the contents of notifications to phones.
  package var alerts: AlertSettings {
    get throws {
      var alerts = AlertSettings(
        language: try language(), digest: try digest(),
        sendsRegions: try isSet(.ownTracksRegions))
      alerts.units = try units
      return alerts
    }
  }

  /// The units of alerts and of the command's text.
  package var units: LengthUnits {
    get throws(SettingsError) {
      if case .units(let units) = try value(.units) { units } else { .metric }
    }
  }

  /// Returns the language of alerts, by default that of the environment.
  package func language() throws(SettingsError) -> AlertLanguage {
    if case .language(let language?) = try value(.language) { return language }
    let variables = ["LC_ALL", "LC_MESSAGES", "LANG"]
    return Self.language(of: variables.map { getenv($0).map { String(cString: $0) } })
  }

  /// Returns the language of the environment, which the first nonempty variable determines
  /// (POSIX.1-2024, section 8.2). English if alerts are not available in that language.
  package static func language(of variables: [String?]) -> AlertLanguage {
    let locale = variables.lazy.compactMap(\.self).first { !$0.isEmpty }
    return locale.flatMap(AlertLanguage.init(locale:)) ?? .english
  }

  private func digest() throws(SettingsError) -> DigestSchedule? {
    if case .schedule(let schedule) = try value(.digest) { schedule } else { nil }
  }
}
