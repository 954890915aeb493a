import CLibrary
import Interchange
import SystemPackage

/// The settings in force: flags over the environment over `config.json` over the defaults.
///
/// A value is checked when it is asked for, so that a wrong one stops only the commands that use
/// it.
struct Settings: Sendable {
  /// A value as it was written, and where.
  struct Source: Sendable {
    let text: String
    let origin: Origin
  }

  /// Where a value was written.
  enum Origin: Sendable, CustomStringConvertible {
    case flag(String)
    case environment(String)
    case file(FilePath)
    case defaults

    var description: String {
      switch self {
      case .flag(let name), .environment(let name): name
      case .file(let path): path.escaped
      case .defaults: "default"
      }
    }
  }

  private let flags: [Setting: Source]
  private let environment: [Setting: Source]
  private let file: Result<SettingsFile, SettingsError>

  /// Reads the environment and the settings file.
  init(flags: [Setting: Source] = [:], file: FilePath = Places.settingsFile) {
    self.flags = flags
    environment = Setting.allCases.reduce(into: [:]) { $0[$1] = Self.environment($1) }
    do throws(SettingsError) {
      self.file = .success(try SettingsFile.read(file))
    } catch {
      self.file = .failure(error)
    }
  }

  private static func environment(_ setting: Setting) -> Source? {
    getenv(setting.environmentName).map {
      Source(text: String(cString: $0), origin: .environment(setting.environmentName))
    }
  }

  /// Where a setting has its value from, and that value as it was written.
  ///
  /// - Throws: A `SettingsError` where the settings file is asked and cannot be used.
  func source(_ setting: Setting) throws(SettingsError) -> Source {
    if let source = flags[setting] ?? environment[setting] { return source }
    return try file.get().source(setting) ?? Source(text: setting.defaultText, origin: .defaults)
  }

  /// The value of a setting.
  ///
  /// - Throws: A `SettingsError` where it is out of range, or the settings file is asked and cannot
  ///   be used.
  func value(_ setting: Setting) throws(SettingsError) -> SettingValue {
    try SettingValue(setting, try source(setting))
  }

  /// Throws for a name in the settings file that no setting has.
  func requireKnownNames() throws(SettingsError) {
    if let unknown = try file.get().unknownNames.first { throw unknown }
  }

  /// Names in the settings file that no setting has; none where it cannot be read.
  var unknownNames: [SettingsError] { (try? file.get().unknownNames) ?? [] }

  /// Why the settings file cannot be read; `nil` where it can.
  var fileProblem: SettingsError? {
    if case .failure(let error) = file { error } else { nil }
  }

  /// How near a spot is near, in metres.
  var proximityRadiusMeters: Double { get throws { try number(.proximityRadius) } }
  /// How far from its first photo a spot reaches, in metres.
  var clusterRadiusMeters: Double { get throws { try number(.clusterRadius) } }
  /// After how many seconds every photo is read again.
  var indexMaxAgeSeconds: Double { get throws { try number(.indexMaxAge) } }

  /// Whether anything but `off` is written for a setting that can be that, be it right or wrong.
  func isGiven(_ setting: Setting) throws(SettingsError) -> Bool {
    !SettingValue.isOff(try source(setting).text)
  }

  /// The value of a setting that is a number.
  func number(_ setting: Setting) throws(SettingsError) -> Double {
    guard case .number(let number, _) = try value(setting) else {
      preconditionFailure("\(setting) is not a number")
    }
    return number
  }

  /// The value of a setting that is true or false.
  func isSet(_ setting: Setting) throws(SettingsError) -> Bool {
    guard case .flag(let flag) = try value(setting) else {
      preconditionFailure("\(setting) is not a flag")
    }
    return flag
  }
}
