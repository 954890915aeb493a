import Interchange
import SystemPackage

/// The settings file: a JSON object whose keys are settings.
///
/// Values are written as on the command line, or as plain JSON: numbers in metres, seconds or km/h, `true`
/// and `false`, and for `mutedZones` an array of objects with `latitude`, `longitude` and `radius`.
/// `listenTokens` is an object of tokens by device, `mqttPassword` a text.
///
/// Secrets are taken only from a file that nobody but its owner can read.
struct SettingsFile {
  private(set) var settings: [Setting: Settings.Source] = [:]
  /// Secrets with names, in the order of the file; a text by itself has an empty name.
  private(set) var secrets: [SecretSetting: [(String, String)]] = [:]

  /// Reads the file; one that is missing says nothing.
  static func read(_ path: FilePath) throws -> SettingsFile {
    guard let (bytes, isPrivate) = try contents(path) else { return SettingsFile() }
    do {
      let file = try parse(bytes, path, isPrivate: isPrivate)
      if !isPrivate,
        let secret = Setting.allCases.first(where: { $0.isSecret && file.settings[$0] != nil })
      {
        throw SettingsError.readableSecret(secret.rawValue, path)
      }
      return file
    } catch let error as JSONError {
      throw SettingsError.unreadableFile(path, error.description)
    }
  }

  /// Settings are a few lines; a file of another size is another file.
  private static let maximumLength = 1 << 20

  private static func contents(_ path: FilePath) throws -> ([UInt8], isPrivate: Bool)? {
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
      return try file.closeAfter {
        var bytes: [UInt8] = []
        while bytes.count <= maximumLength {
          let part = try [UInt8](unsafeUninitializedCapacity: 64 * 1024) { buffer, count in
            count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
          }
          if part.isEmpty { return (bytes, Secrets.isPrivate(file)) }
          bytes += part
        }
        throw SettingsError.unreadableFile(path, "it is longer than a megabyte")
      }
    } catch Errno.noSuchFileOrDirectory {
      return nil
    } catch let error as Errno {
      throw SettingsError.unreadableFile(path, error.description)
    }
  }

  private static func parse(
    _ bytes: [UInt8], _ path: FilePath, isPrivate: Bool
  ) throws -> SettingsFile {
    var reader = JSONReader(bytes)
    var file = SettingsFile()
    try reader.beginObject()
    while let key = try reader.nextKey() {
      if let secret = SecretSetting(rawValue: key) {
        guard isPrivate else { throw SettingsError.readableSecret(key, path) }
        file.secrets[secret] = try pairs(&reader)
        continue
      }
      guard let setting = Setting(rawValue: key) else { throw SettingsError.unknownKey(key, path) }
      file.settings[setting] = Settings.Source(text: try text(&reader), origin: .file(path))
    }
    try reader.end()
    return file
  }

  private static func pairs(_ reader: inout JSONReader) throws -> [(String, String)] {
    if try reader.peek() == .string { return [("", try reader.string())] }
    var pairs: [(String, String)] = []
    try reader.beginObject()
    while let name = try reader.nextKey() { pairs.append((name, try reader.string())) }
    return pairs
  }

  private static func text(_ reader: inout JSONReader) throws -> String {
    switch try reader.peek() {
    case .string: return try reader.string()
    case .boolean: return try reader.boolean() ? "true" : "false"
    case .number: return String(try reader.double())
    case .null:
      throw JSONError(offset: reader.offset, reason: "null is no value; leave the key out")
    case .object:
      throw JSONError(offset: reader.offset, reason: "an object is no value")
    case .array: return try zones(&reader)
    }
  }

  private static func zones(_ reader: inout JSONReader) throws -> String {
    var zones: [String] = []
    try reader.beginArray()
    while try reader.nextElement() {
      var (latitude, longitude, radius) = (Double.nan, Double.nan, Double.nan)
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "latitude": latitude = try reader.double()
        case "longitude": longitude = try reader.double()
        case "radius": radius = try reader.double()
        default:
          throw JSONError(
            offset: reader.offset, reason: "a zone has latitude, longitude and radius")
        }
      }
      zones.append("\(latitude),\(longitude),\(radius)")
    }
    return zones.isEmpty ? "none" : zones.joined(separator: ";")
  }
}
