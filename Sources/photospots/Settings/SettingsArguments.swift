import ArgumentParser

/// The flags of every command that settings matter to.
struct SettingsArguments: ParsableArguments {
  @Option(
    name: .customLong("set"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Change a setting for this run; 'photospots config' lists them.", valueName: "name=value"))
  var assignments: [String] = []

  /// Returns the settings in force, those given by special flags of a command above all.
  func resolve(overrides: [Setting: Settings.Source] = [:]) throws -> Settings {
    try Self.settings(assignments, overrides: overrides)
  }

  /// Returns the settings in force with others that are written as `radius=50,dwell=30s`.
  ///
  /// A comma that no name follows belongs to the value before it.
  static func settings(with text: String) throws -> Settings {
    var assignments: [String] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      if part.contains("=") || assignments.isEmpty {
        assignments.append(String(part))
      } else {
        assignments[assignments.count - 1] += "," + part
      }
    }
    return try settings(assignments)
  }

  /// Returns the settings in force with assignments such as `dwell=30s`, and others above all.
  static func settings(
    _ assignments: [String], overrides: [Setting: Settings.Source] = [:]
  ) throws -> Settings {
    var flags: [Setting: Settings.Source] = [:]
    for assignment in assignments {
      let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let setting = setting(parts[0]) else {
        throw ValidationError(
          "--set '\(parts.first ?? "")': write name=value with one of "
            + Setting.allCases.filter { !$0.isSecret }.map(\.rawValue).joined(separator: ", "))
      }
      guard !setting.isSecret else {
        throw ValidationError(
          """
          --set \(setting.rawValue): others can read the arguments of a program; write it to \
          \(Places.settingsFile.escaped) or set \(setting.environmentName)
          """)
      }
      flags[setting] = Settings.Source(text: String(parts[1]), origin: .flag("--set \(parts[0])"))
    }
    flags.merge(overrides) { _, special in special }
    do {
      return try Settings(flags: flags)
    } catch let error as SettingsError where error.isUsage {
      throw ValidationError(error.description)
    }
  }

  /// The setting of a name; that of the flag `--radius` is one too.
  private static func setting(_ name: Substring) -> Setting? {
    name == "radius" ? .proximityRadius : Setting(rawValue: String(name))
  }
}
