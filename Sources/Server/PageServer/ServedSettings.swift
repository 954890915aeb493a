import Encodings
import ProgramSettings
import SpotService
import Storage
import Synchronization
import SystemPackage

/// The settings as the API of `serve` returns and changes them.
enum ServedSettings {
  /// Returns all effective settings, in the order of `config`.
  static func list(_ settings: Settings) -> [ServedSetting] {
    Setting.allCases.map { setting in
      let access: ServedSetting.Access = setting.isChangeable ? .changeable : .fileOnly
      var origin: String?
      do throws(SettingsError) {
        origin = try settings.source(setting).origin.name
        return ServedSetting(
          name: setting.rawValue, value: try settings.value(setting).text, origin: origin,
          summary: setting.summary, access: access)
      } catch {
        return ServedSetting(
          name: setting.rawValue, value: nil, origin: origin, problem: error.words,
          summary: setting.summary, access: access)
      }
    }
  }

  /// Serializes changes, since each depends on the file read before.
  private static let change = Mutex(())

  /// Writes changes to the settings file: all of them, or none if one is invalid.
  ///
  /// The rest of the file is unchanged. Readers see either the old or the new file, even after a
  /// crash at any time. The new file keeps the permissions of the old one; a file that did not
  /// exist is readable only by its owner.
  ///
  /// - Parameters:
  ///   - patch: The changes.
  ///   - file: The settings file.
  ///   - settings: The effective settings.
  /// - Throws: A problem that names the setting with an invalid change, or gives the reason why the
  ///   file cannot be read or written.
  static func apply(
    _ patch: SettingsPatch, to file: FilePath = Paths.settingsFile, over settings: Settings
  ) throws(Problem) {
    for name in patch.names { try check(name, patch.json(of: name), file, settings) }
    let problem = change.withLock { _ -> Problem? in
      do throws(Problem) {
        try write(patch, to: file)
        return nil
      } catch { return error }
    }
    if let problem { throw problem }
  }

  private static func check(
    _ name: String, _ json: [UInt8]?, _ file: FilePath, _ settings: Settings
  ) throws(Problem) {
    guard let setting = Setting(rawValue: name) else {
      throw Problem(.badSetting, "There is no setting '\(name)'.", parameter: name)
    }
    func problem(_ words: String) -> Problem {
      Problem(.badSetting, "'\(name)' \(words).", parameter: name)
    }
    guard setting.isChangeable else { throw problem("can be set in the settings file only") }
    switch try? settings.source(setting).origin {
    case .flag, .environment:
      throw problem(
        "was given at the start of the program, which overrides the settings file")
    case .file, .store, .defaults, nil: break
    }
    guard let json else { return }
    do {
      let text = try SettingsFile.text(json, of: setting)
      let value = try SettingValue(setting, Settings.Source(text: text, origin: .file(file)))
      if let reason = value.problemWithTiles { throw problem(reason) }
    } catch let error as SettingsError {
      throw problem(error.words)
    } catch let error as JSONError {
      throw problem("cannot be used: \(error.reason)")
    } catch let error as Problem {
      throw error
    } catch {
      throw problem("cannot be used")
    }
  }

  private static func write(_ patch: SettingsPatch, to file: FilePath) throws(Problem) {
    let old = try onDisk("read") { () throws(Errno) in try content(of: file) }
    let new: [UInt8]
    do throws(JSONError) { new = try patch.applied(to: old ?? []) } catch {
      throw Problem(
        .badSetting, "The settings file is damaged and was not changed: \(error.reason).")
    }
    try onDisk("written") { () throws(Errno) in
      if old == nil { try Disk.createFolder(file.removingLastComponent()) }
      _ = try Disk.replace(file, of: FileSignature(tokens: ["{"]), with: new)
    }
  }

  private static func content(of file: FilePath) throws(Errno) -> [UInt8]? {
    do throws(Errno) { return try Disk.read(file, limit: SettingsFile.maximumLength) } catch {
      guard error == .noSuchFileOrDirectory else { throw error }
      return nil
    }
  }

  private static func onDisk<Value>(
    _ what: String, _ body: () throws(Errno) -> Value
  ) throws(Problem) -> Value {
    do throws(Errno) { return try body() } catch {
      throw Problem(storing: error, "The settings file cannot be \(what): \(error).")
    }
  }
}

extension Settings.Origin {
  /// The origin, without the path of a file.
  fileprivate var name: String {
    switch self {
    case .flag, .environment, .store, .defaults: description
    case .file(let path): path.lastComponent?.string.escaped ?? description
    }
  }
}

extension SettingsError {
  /// The error, without the path of a file, worded to follow the setting's name.
  fileprivate var words: String {
    switch self {
    case .invalidValue(_, _, let expected): "must be \(expected)"
    case .unusableValue(_, _, let reason): "cannot be used: \(reason)"
    case .unreadableFile(_, let reason): "cannot be read: \(reason)"
    case .unknownKey, .readableSecret: "cannot be used"
    }
  }
}
