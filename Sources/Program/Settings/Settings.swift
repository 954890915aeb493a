import CLibrary
import Encodings
import PhotoLibrary
package import SystemPackage

/// The effective settings. Command-line options take precedence over the environment, the
/// environment over `config.json`, and `config.json` over the defaults.
///
/// A value is validated when it is used, so that an invalid one stops only the commands that use
/// it.
package struct Settings: Sendable {
  /// The text of a value and its origin.
  package struct Source: Sendable {
    /// The text, as it was written.
    package let text: String
    /// Where it was written.
    package let origin: Origin

    /// Creates a source.
    package init(text: String, origin: Origin) { (self.text, self.origin) = (text, origin) }
  }

  /// The origin of a value.
  package enum Origin: Sendable, CustomStringConvertible {
    case flag(String)
    case environment(String)
    case file(FilePath)
    /// A receiver in a store.
    case store
    case defaults

    package var description: String {
      switch self {
      case .flag(let name), .environment(let name): name
      case .file(let path): path.escaped
      case .store: "store"
      case .defaults: "default"
      }
    }
  }

  private let flags: [Setting: Source]
  private let environment: [Setting: Source]
  private let file: Result<SettingsFile, SettingsError>

  /// Reads the environment and the settings file.
  package init(flags: [Setting: Source] = [:], file: FilePath = Paths.settingsFile) {
    self.flags = flags
    environment = Self.environment()
    do throws(SettingsError) {
      self.file = .success(try SettingsFile.read(file))
    } catch {
      self.file = .failure(error)
    }
  }

  /// Reads a settings file, without the environment.
  package init(onlyFile file: FilePath) {
    (flags, environment) = ([:], [:])
    do throws(SettingsError) {
      self.file = .success(try SettingsFile.read(file))
    } catch {
      self.file = .failure(error)
    }
  }

  /// Creates settings from texts; all others have their defaults.
  package init(only sources: [Setting: Source]) {
    (flags, environment, file) = (sources, [:], .success(SettingsFile()))
  }

  private static func environment() -> [Setting: Source] {
    let names = Set(SettingsEnvironment.names())
    guard !names.isEmpty else { return [:] }
    return Setting.allCases.reduce(into: [:]) { sources, setting in
      let name = setting.environmentName
      // An empty variable counts as unset, as for most programs and for the paths.
      guard names.contains(name), let value = getenv(name), value[0] != 0 else { return }
      sources[setting] = Source(text: String(cString: value), origin: .environment(name))
    }
  }

  /// Returns the text of a setting's value and its origin.
  ///
  /// - Throws: A `SettingsError` if the settings file is needed and cannot be used.
  package func source(_ setting: Setting) throws(SettingsError) -> Source {
    if let source = flags[setting] ?? environment[setting] { return source }
    return try file.get().source(setting) ?? Source(text: setting.defaultText, origin: .defaults)
  }

  /// Returns the value of a setting.
  ///
  /// - Throws: A `SettingsError` if the value is invalid, or the settings file is needed and cannot
  ///   be used.
  package func value(_ setting: Setting) throws(SettingsError) -> SettingValue {
    try SettingValue(setting, try source(setting))
  }

  /// Throws an error if the settings file contains an unknown name.
  package func requireKnownNames() throws(SettingsError) {
    if let unknown = try file.get().unknownNames.first { throw unknown }
  }

  /// The unknown names in the settings file; empty if the file cannot be read.
  package var unknownNames: [SettingsError] { (try? file.get().unknownNames) ?? [] }

  /// The reason why the settings file cannot be read; `nil` if it can.
  package var fileProblem: SettingsError? {
    if case .failure(let error) = file { error } else { nil }
  }

  /// The maximum distance in metres of a position from a spot that counts as near.
  package var proximityRadiusMeters: Double { get throws { try number(.proximityRadius) } }
  /// The maximum distance in metres between a spot's first photo and its other photos.
  package var clusterRadiusMeters: Double { get throws { try number(.clusterRadius) } }
  /// The maximum age of an index entry in seconds, after which the photo is read again.
  package var indexMaxAgeSeconds: Double { get throws { try number(.indexMaxAge) } }
  /// Whether the day in a file's name counts as its date where nothing else has one.
  package var datesFromNames: Bool { get throws { try isSet(.datesFromNames) } }

  /// Returns whether a setting that can be `off` has any other value, valid or not.
  package func isGiven(_ setting: Setting) throws(SettingsError) -> Bool {
    !SettingValue.isOff(try source(setting).text)
  }

  /// Returns the value of a numeric setting.
  package func number(_ setting: Setting) throws(SettingsError) -> Double {
    guard case .number(let number, _) = try value(setting) else {
      preconditionFailure("\(setting) is not a number")
    }
    return number
  }

  /// Returns the value of a Boolean setting.
  package func isSet(_ setting: Setting) throws(SettingsError) -> Bool {
    guard case .flag(let flag) = try value(setting) else {
      preconditionFailure("\(setting) is not a flag")
    }
    return flag
  }
}
