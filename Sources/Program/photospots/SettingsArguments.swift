import ArgumentParser
import ProgramSettings
import Synchronization
import TerminalOutput

/// The options of every command that uses settings.
struct SettingsArguments: ParsableArguments {
  @Option(
    name: .customLong("set"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Change a setting for this run; 'photospots config' lists them.", valueName: "name=value"),
    completion: Completions.settings)
  var assignments: [String] = []

  /// Checks the source of map tiles, which the parser calls once. Values are checked later, and a
  /// file or folder may disappear while the program runs.
  func validate() throws {
    let places = assignments.compactMap { assignment -> Substring? in
      let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 && Setting.named(parts[0]) == .mapTiles ? parts[1] : nil
    }
    let source = places.last.map { Settings.Source(text: String($0), origin: .flag("--set")) }
    guard let source, let value = try? SettingValue(.mapTiles, source),
      let reason = value.problemWithTiles
    else { return }
    throw ValidationError("--set mapTiles \(reason)")
  }

  /// Returns the effective settings for a command that uses some of them, and reports unknown
  /// names.
  func resolve() throws -> Settings {
    let settings = try Self.settings(assignments)
    for problem in settings.unknownNames { StandardError.writeLine("photospots: \(problem)") }
    return settings
  }

  /// Returns the effective settings overridden by assignments such as `radius=50,dwell=30s`.
  static func settings(with text: String) throws -> Settings {
    try usable { () throws(AssignmentError) in try Settings(assignments: text) }
  }

  /// Returns the effective settings with assignments such as `dwell=30s`. The overrides take
  /// precedence over these.
  static func settings(
    _ assignments: [String], overrides: [Setting: Settings.Source] = [:]
  ) throws -> Settings {
    let settings = try usable { () throws(AssignmentError) in
      try Settings(assignments: assignments, overrides: overrides)
    }
    // A value that cannot be used is reported by the command that needs it.
    if let units = try? settings.units { Distance.units = units }
    return settings
  }

  private static let areVariablesTold = Atomic(false)

  /// Returns the settings, and reports unknown variables of the environment once.
  private static func usable(
    _ settings: () throws(AssignmentError) -> Settings
  ) throws -> Settings {
    let read: Settings
    do throws(AssignmentError) { read = try settings() } catch {
      throw ValidationError(error.description)
    }
    if !areVariablesTold.exchange(true, ordering: .relaxed) {
      for problem in SettingsEnvironment.problems {
        StandardError.writeLine("photospots: \(problem)")
      }
    }
    return read
  }
}
