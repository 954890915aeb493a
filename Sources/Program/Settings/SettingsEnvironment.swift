@preconcurrency import CLibrary
import Encodings

/// The environment variables with the prefix of settings.
package enum SettingsEnvironment {
  private static let prefix = "PHOTOSPOTS_"

  /// Known variables that are not settings: the variables set for hooks, which may run this
  /// program; those read by the sample hooks; and those that tell the package's tests where their
  /// files are.
  private static let otherNames: Set = [
    "ID", "TYPE", "TIME", "DEVICE", "DISTANCE", "BEARING", "TEXT", "TITLE", "COMPASS",
    "YEARS", "DAYS", "LOG_FILE", "PUSH_URL", "CORPUS", "TAKE_AGAIN_LINK", "MUTE_LINK",
    "NOT_NOW_LINK",
  ]
  /// Endings of variables that users of other programs expect, which are options here.
  private static let optionNames: Set = [
    "HOOK", "INDEX", "LISTEN", "OWNER", "SOURCE", "STATE", "STORE",
  ]
  private static let otherPrefixes = ["SPOT_", "ANNIVERSARY_", "YEAR_", "HEADING", "FOCAL_LENGTH"]

  /// A sentence about each variable that is not a setting, with the most similar one.
  package static var problems: [String] {
    let names = names()
    guard !names.isEmpty else { return [] }
    let known = Setting.allCases.map(\.environmentName)
    let endings = known.map { String($0.dropFirst(prefix.count)) }
    return unknown(in: names, known: Set(known)).map { name in
      let ending = String(name.dropFirst(prefix.count))
      let hint =
        optionNames.contains(ending)
        ? "use the option --\(ending.lowercased())"
        : Spelling.nearest(to: ending, among: endings).map { "did you mean \(prefix)\($0)?" }
          ?? "'photospots config' lists the settings"
      return "the environment variable \(name.escaped) is not a setting; \(hint)"
    }
  }

  private static func unknown(in names: [String], known: Set<String>) -> [String] {
    names.filter { name in
      guard !known.contains(name) else { return false }
      let rest = name.dropFirst(prefix.count)
      return !otherNames.contains(String(rest)) && !otherPrefixes.contains { rest.hasPrefix($0) }
    }.sorted()
  }

  /// The names of all variables with the prefix. Most starts of the program have none, so the names
  /// of settings are not even made then.
  static func names() -> [String] {
    var names: [String] = []
    var next = environ
    while let variable = next.pointee {
      next += 1
      guard strncmp(variable, prefix, prefix.utf8.count) == 0 else { continue }
      names.append(String(String(cString: variable).prefix { $0 != "=" }))
    }
    return names
  }
}
