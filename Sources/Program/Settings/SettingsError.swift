import Encodings
import PhotoLibrary
package import SystemPackage

/// An error in the settings.
package enum SettingsError: Error, CustomStringConvertible {
  case invalidValue(Setting, Settings.Source, expected: String)
  case unknownKey(String, FilePath)
  /// The file contains a value of the wrong type for a setting.
  case unusableValue(Setting, FilePath, String)
  case unreadableFile(FilePath, String)
  /// A file that contains a secret is readable by other users.
  case readableSecret(String, FilePath)

  /// The problem, its location and the expected value.
  package var description: String {
    switch self {
    case .invalidValue(let setting, let source, let expected):
      "the setting \(setting.rawValue) is \(setting.isSecret ? "unusable" : "'\(source.text)'") "
        + "(\(source.origin)); it must be \(expected)"
    case .unknownKey(let key, let file):
      "unknown setting '\(key.escaped)' in \(file.escaped); "
        + (Spelling.nearest(to: key, among: Setting.allCases.map(\.rawValue)).map {
          "did you mean '\($0)'?"
        } ?? "'photospots config' lists them")
    case .unusableValue(let setting, let file, let reason):
      "the setting \(setting.rawValue) in \(file.escaped) cannot be used: \(reason)"
    case .unreadableFile(let file, let reason):
      "the settings file \(file) cannot be read: \(reason)"
    case .readableSecret(let key, let file):
      "other users can read the settings file \(file), which contains the secret '\(key)'; run 'chmod 600' on it"
    }
  }
}
