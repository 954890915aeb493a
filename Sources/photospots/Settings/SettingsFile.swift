import Interchange
import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The settings file: a JSON object whose keys are settings.
///
/// Values are written as on the command line, or as plain JSON: numbers in metres, seconds or km/h, `true`
/// and `false`, and for `mutedZones` an array of objects with `latitude`, `longitude` and `radius`.
/// `listenTokens` may be an object of tokens by device.
///
/// Secrets are taken only from a file that nobody but its owner can read.
struct SettingsFile {
  private(set) var settings: [Setting: Settings.Source] = [:]

  /// Reads the file; one that is missing says nothing.
  static func read(_ path: FilePath) throws -> SettingsFile {
    guard let (bytes, isPrivate) = try contents(path) else { return SettingsFile() }
    do {
      let file = try parse(bytes, path)
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
          if part.isEmpty { return (bytes, isPrivate(file)) }
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

  /// Whether nobody but the owner of an open file may read or write it.
  private static func isPrivate(_ file: FileDescriptor) -> Bool {
    var status = stat()
    let others = S_IRWXG | S_IRWXO
    return fstat(file.rawValue, &status) == 0 && status.st_mode & others == 0
  }

  private static func parse(_ bytes: [UInt8], _ path: FilePath) throws -> SettingsFile {
    var reader = JSONReader(bytes)
    var file = SettingsFile()
    try reader.beginObject()
    while let key = try reader.nextKey() {
      guard let setting = Setting(rawValue: key) else { throw SettingsError.unknownKey(key, path) }
      file.settings[setting] = Settings.Source(
        text: try text(&reader, of: setting), origin: .file(path))
    }
    try reader.end()
    return file
  }

  private static func text(_ reader: inout JSONReader, of setting: Setting) throws -> String {
    switch try reader.peek() {
    case .string: return try reader.string()
    case .boolean: return try reader.boolean() ? "true" : "false"
    case .number: return String(try reader.double())
    case .null:
      throw JSONError(offset: reader.offset, reason: "null is no value; leave the key out")
    case .object where setting == .listenTokens: return try pairs(&reader)
    case .object:
      throw JSONError(offset: reader.offset, reason: "an object is no value")
    case .array: return try zones(&reader)
    }
  }

  /// An object of texts as lines: `device=token`.
  private static func pairs(_ reader: inout JSONReader) throws -> String {
    var lines = ""
    try reader.beginObject()
    while let name = try reader.nextKey() {
      guard !name.contains("="), !name.contains("\n") else {
        throw JSONError(offset: reader.offset, reason: "a device's name has no = and no line end")
      }
      lines += "\(name)=\(try reader.string())\n"
    }
    return lines
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
