import CLibrary
package import Encodings
import Storage
package import SystemPackage

/// The settings file: a JSON object whose keys are settings.
///
/// Values are written as on the command line or as plain JSON: numbers in metres, seconds or km/h,
/// `true` and `false`. `mutedZones` may be an array of objects with `latitude`, `longitude` and
/// `radius`, which may have a unit, `listenTokens` an object of tokens by device, and `serveHosts`,
/// `rulesOff` and `tracks` arrays of names.
///
/// Secrets are accepted only from a file that no user but its owner can read.
package struct SettingsFile: Sendable {
  /// The text of each setting in the file, or the reason why it cannot be used.
  private var settings: [Setting: Result<Settings.Source, SettingsError>] = [:]
  /// The unknown names in the file.
  private(set) var unknownNames: [SettingsError] = []

  /// Returns the file's text for a setting; `nil` if the file does not contain it.
  package func source(_ setting: Setting) throws(SettingsError) -> Settings.Source? {
    try settings[setting]?.get()
  }

  /// Reads the file. A missing file is treated as empty, but a link that leads nowhere, or a disk
  /// that is away, is an error: the settings are elsewhere.
  package static func read(_ path: FilePath) throws(SettingsError) -> SettingsFile {
    guard let (bytes, isPrivate) = try contents(path) else { return SettingsFile() }
    if let problem = problem(of: bytes) { throw .unreadableFile(path, problem) }
    var file: SettingsFile
    do throws(JSONError) { file = try parse(bytes, path) } catch {
      throw .unreadableFile(path, error.description)
    }
    if !isPrivate {
      for setting in file.settings.keys where setting.isSecret {
        file.settings[setting] = .failure(.readableSecret(setting.rawValue, path))
      }
    }
    return file
  }

  /// The maximum size in bytes. A settings file has a few lines; a larger file is not a settings
  /// file.
  package static let maximumLength = 1 << 20

  private static func contents(
    _ path: FilePath
  ) throws(SettingsError) -> ([UInt8], isPrivate: Bool)? {
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
      return try file.closeAfter {
        var bytes: [UInt8] = []
        while bytes.count <= maximumLength {
          let part = try [UInt8](unsafeUninitializedCapacity: 64 * 1024) { buffer, count in
            count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
          }
          if part.isEmpty { return (bytes, Disk.isPrivate(file)) }
          bytes += part
        }
        throw SettingsError.unreadableFile(path, "it is longer than a megabyte")
      }
    } catch Errno.noSuchFileOrDirectory {
      do throws(Errno) {
        try Disk.checkAbsence(of: path)
        guard try Disk.hasEntry(path) else { return nil }
      } catch { throw .unreadableFile(path, "\(error)") }
      throw .unreadableFile(path, "it is a link to a file that does not exist")
    } catch let error as SettingsError {
      throw error
    } catch {
      throw .unreadableFile(path, "\(error)")
    }
  }

  /// Returns the reason why a file without a JSON text cannot be read; `nil` for any other.
  private static func problem(of bytes: [UInt8]) -> String? {
    if bytes.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) {
      return "it is empty; write {} into it, or delete it"
    }
    // Notepad writes UTF-16 as "Unicode".
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      return "it is in UTF-16; save it as UTF-8"
    }
    return nil
  }

  private static func parse(
    _ bytes: [UInt8], _ path: FilePath
  ) throws(JSONError) -> SettingsFile {
    var reader = JSONReader(document: bytes)
    var seen: Set<Setting> = []
    var file = SettingsFile()
    try reader.beginObject()
    while let key = try reader.nextKey() {
      guard let setting = Setting(rawValue: key) else {
        file.unknownNames.append(.unknownKey(key, path))
        try reader.skipValue()
        continue
      }
      guard seen.insert(setting).inserted else {
        try reader.skipValue()
        file.settings[setting] = .failure(
          .unusableValue(setting, path, "it is there twice; remove one of them"))
        continue
      }
      // A valid JSON value of the wrong type is an error of this setting only.
      let start = reader
      do throws(JSONError) {
        let source = Settings.Source(text: try text(&reader, of: setting), origin: .file(path))
        file.settings[setting] = .success(source)
      } catch {
        reader = start
        try reader.skipValue()
        file.settings[setting] = .failure(.unusableValue(setting, path, error.description))
      }
    }
    try reader.end()
    return file
  }

  /// Returns a JSON value as the text used on the command line.
  ///
  /// - Throws: `JSONError` if the value has the wrong type for the setting.
  package static func text(_ json: [UInt8], of setting: Setting) throws(JSONError) -> String {
    var reader = JSONReader(json)
    let text = try text(&reader, of: setting)
    try reader.end()
    return text
  }

  private static func text(
    _ reader: inout JSONReader, of setting: Setting
  ) throws(JSONError) -> String {
    let structure = setting.declaration.kind.structure
    switch try reader.peek() {
    case .string: return try reader.string()
    case .boolean: return try reader.boolean() ? "true" : "false"
    case .number:
      let number = try reader.double()
      return Int(exactly: number).map(String.init) ?? String(number)
    case .null:
      throw JSONError(offset: reader.offset, reason: "null is not a value; remove the key")
    case .object where structure == .pairs: return try pairs(&reader)
    case .object:
      throw JSONError(offset: reader.offset, reason: "an object is not a value")
    case .array where structure == .zones: return try zones(&reader)
    case .array:
      if case .names(let separator, let none) = structure {
        return try names(&reader, separator: separator) ?? none
      }
      throw JSONError(offset: reader.offset, reason: "an array is not a value")
    }
  }

  /// Reads an object of strings as lines of the form `device=token`.
  private static func pairs(_ reader: inout JSONReader) throws(JSONError) -> String {
    var lines = ""
    try reader.beginObject()
    while let name = try reader.nextKey() {
      guard !name.contains("="), !name.contains("\n") else {
        throw JSONError(offset: reader.offset, reason: "a name must not contain = or a line end")
      }
      lines += "\(name)=\(try reader.string())\n"
    }
    return lines
  }

  /// Reads an array of strings and joins them with a separator; `nil` for an empty array.
  private static func names(
    _ reader: inout JSONReader, separator: String
  ) throws(JSONError) -> String? {
    var names: [String] = []
    try reader.beginArray()
    while try reader.nextElement() { names.append(try reader.string()) }
    return names.isEmpty ? nil : names.joined(separator: separator)
  }

  private static func zones(_ reader: inout JSONReader) throws(JSONError) -> String {
    var zones: [String] = []
    try reader.beginArray()
    while try reader.nextElement() {
      let zone = try JSONObject(&reader)
      guard Set(zone.keys).isSubset(of: ["latitude", "longitude", "radius"]) else {
        throw zone.error("a zone needs latitude, longitude and radius")
      }
      let parts = try ["latitude", "longitude", "radius"].map { key throws(JSONError) in
        try number(key, of: zone)
      }
      zones.append(parts.joined(separator: ","))
    }
    return zones.isEmpty ? "none" : zones.joined(separator: ";")
  }

  /// Returns a number of a zone as text; the radius may be a string with a unit, as other lengths.
  private static func number(_ key: String, of zone: JSONObject) throws(JSONError) -> String {
    switch zone.kind(of: key) {
    case .number: return try zone.double(key).map(\.description) ?? ""
    case .string where key == "radius":
      let text = try zone.string(key) ?? ""
      if let meters = Quantity.meters(text) { return "\(meters)" }
      throw zone.error("the radius of a zone is a number of metres, or a text such as 0.3 km")
    case nil: throw zone.error("a zone needs latitude, longitude and radius")
    default: throw zone.error("the \(key) of a zone must be a number")
    }
  }
}
