import Encodings
import PhotoLibrary

/// An assignment such as `dwell=30s` that cannot be used.
package struct AssignmentError: Error, CustomStringConvertible {
  /// The assignment, the reason, and what to write.
  package let description: String
}

extension Settings {
  /// Reads the settings, overridden by assignments such as `dwell=30s`.
  ///
  /// - Parameters:
  ///   - assignments: The assignments.
  ///   - overrides: Values that take precedence over the assignments.
  /// - Throws: An `AssignmentError` for an unknown name or an invalid value, whether or not the
  ///   value is used later, and for a secret: other users can read the arguments of a program.
  package init(
    assignments: [String], overrides: [Setting: Source] = [:]
  ) throws(AssignmentError) {
    var flags: [Setting: Source] = [:]
    for assignment in assignments {
      let (setting, source) = try Self.parsed(assignment)
      flags[setting] = source
    }
    flags.merge(overrides) { _, special in special }
    for (setting, source) in flags.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      do throws(SettingsError) { _ = try SettingValue(setting, source) } catch {
        throw AssignmentError(description: error.description)
      }
    }
    self.init(flags: flags)
  }

  /// Reads the settings, overridden by assignments such as `radius=50,dwell=30s`.
  ///
  /// A comma that is not followed by a name belongs to the value before it.
  package init(assignments text: String) throws(AssignmentError) {
    var assignments: [String] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      if part.contains("=") || assignments.isEmpty {
        assignments.append(String(part))
      } else {
        assignments[assignments.count - 1] += "," + part
      }
    }
    try self.init(assignments: assignments)
  }

  private static func parsed(
    _ assignment: String
  ) throws(AssignmentError) -> (Setting, Source) {
    let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let setting = Setting.named(parts[0]) else {
      throw AssignmentError(
        description: "--set '\(String(parts[0]).escaped)': " + unknown(parts[0]))
    }
    guard parts.count == 2 else {
      throw AssignmentError(
        description: "--set '\(setting.rawValue)': write \(setting.rawValue)=value")
    }
    guard !setting.isSecret else {
      throw AssignmentError(
        description: """
          --set \(setting.rawValue): other users can read the arguments of a program; set it in \
          \(Paths.settingsFile.escaped) or in the environment variable \(setting.environmentName)
          """)
    }
    return (setting, Source(text: String(parts[1]), origin: .flag("--set \(parts[0])")))
  }

  private static func unknown(_ name: Substring) -> String {
    let names = Setting.allCases.filter { !$0.isSecret }.map(\.rawValue)
    if let nearest = Spelling.nearest(to: String(name), among: names) {
      return "there is no such setting; did you mean \(nearest)?"
    }
    return "write name=value with one of " + names.joined(separator: ", ")
  }
}
