import ArgumentParser

/// The options of every command that uses settings.
struct SettingsArguments: ParsableArguments {
  @Option(
    name: .customLong("set"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Change a setting for this run; 'photospots config' lists them.", valueName: "name=value"),
    completion: Completions.settings)
  var assignments: [String] = []

  /// Returns the effective settings for a command that uses some of them, and reports unknown
  /// names.
  func resolve() throws -> Settings {
    let settings = try Self.settings(assignments)
    for problem in settings.unknownNames { StandardError.writeLine("photospots: \(problem)") }
    return settings
  }

  /// Returns the effective settings overridden by assignments such as `radius=50,dwell=30s`.
  ///
  /// A comma that is not followed by a name belongs to the value before it.
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

  /// Returns the effective settings with assignments such as `dwell=30s`. The overrides take
  /// precedence over these.
  static func settings(
    _ assignments: [String], overrides: [Setting: Settings.Source] = [:]
  ) throws -> Settings {
    var flags: [Setting: Settings.Source] = [:]
    for assignment in assignments {
      let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let setting = Setting.named(parts[0]) else {
        throw ValidationError("--set '\(String(parts[0]).escaped)': " + unknown(parts[0]))
      }
      guard parts.count == 2 else {
        throw ValidationError("--set '\(setting.rawValue)': write \(setting.rawValue)=value")
      }
      guard !setting.isSecret else {
        throw ValidationError(
          """
          --set \(setting.rawValue): other users can read the arguments of a program; set it in \
          \(Paths.settingsFile.escaped) or in the environment variable \(setting.environmentName)
          """)
      }
      flags[setting] = Settings.Source(text: String(parts[1]), origin: .flag("--set \(parts[0])"))
    }
    flags.merge(overrides) { _, special in special }
    // An invalid value on the command line is a usage error, whether or not the command uses it.
    for (setting, source) in flags.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      do throws(SettingsError) { _ = try SettingValue(setting, source) } catch {
        throw ValidationError(error.description)
      }
    }
    SettingsEnvironment.reportUnknownVariables()
    return Settings(flags: flags)
  }

  private static func unknown(_ name: Substring) -> String {
    let names = Setting.allCases.filter { !$0.isSecret }.map(\.rawValue)
    if let nearest = Spelling.nearest(to: String(name), among: names) {
      return "there is no such setting; did you mean \(nearest)?"
    }
    return "write name=value with one of " + names.joined(separator: ", ")
  }
}
