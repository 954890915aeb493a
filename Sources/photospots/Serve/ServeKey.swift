import Interchange
import SpotService
import Storage
import SystemPackage

/// The file of a key in the state folder, readable only by its owner.
struct ServeKey {
  /// The purpose of a key.
  enum Purpose: String {
    /// The key that opens the page.
    case serve
    /// The key that signs the links in alerts, so that the links do not contain the key of the
    /// page.
    case action
  }

  let path: FilePath

  private let format: String
  private static let version: Int64 = 1
  private static let maximumSize = 4096

  init(in stateFolder: FilePath, for purpose: Purpose = .serve) {
    path = stateFolder.appending("\(purpose.rawValue)-key.json")
    format = "photospots-\(purpose.rawValue)-key"
  }

  /// Returns the key. Creates one if there is none or a new one is requested.
  func key(makesNew: Bool) throws -> SessionKey {
    if !makesNew, let known = try load() { return known }
    let key = SessionKey.random()
    try save(key)
    return key
  }

  private func load() throws -> SessionKey? {
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try Disk.read(path, limit: Self.maximumSize)
    } catch {
      guard error != .noSuchFileOrDirectory else { return nil }
      throw unusable("\(error)")
    }
    guard try Disk.isPrivate(path) else {
      throw Failure(
        """
        other users can read the key in \(path.escaped); 'photospots serve --new-key' makes a new \
        one
        """)
    }
    do throws(JSONError) {
      return try key(in: bytes)
    } catch { throw unusable(error.reason) }
  }

  private func key(in document: [UInt8]) throws(JSONError) -> SessionKey {
    var reader = JSONReader(document)
    var (format, version, text) = ("", Int64(0), "")
    try reader.beginObject()
    while let name = try reader.nextKey() {
      switch name {
      case "format": format = try reader.string()
      case "version": version = try reader.integer()
      case "key": text = try reader.string()
      default: try reader.skipValue()
      }
    }
    try reader.end()
    guard format == self.format, version == Self.version, let key = SessionKey(text) else {
      throw JSONError(offset: 0, reason: "it contains no key")
    }
    return key
  }

  private func save(_ key: SessionKey) throws {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("format", format)
      writer.member("version", Self.version)
      writer.member("key", key.text)
    }
    writer.newline()
    do throws(Errno) {
      try Disk.createFolder(path.removingLastComponent())
      // If the old file was readable by others, its replacement must not inherit the permissions.
      try Disk.makePrivate(path)
      _ = try Disk.replace(path, of: FileSignature(format: format), with: writer.takeBytes())
    } catch {
      throw Failure("the key cannot be written to \(path.escaped): \(error)")
    }
  }

  private func unusable(_ reason: String) -> Failure {
    Failure(
      """
      the key in \(path.escaped) cannot be used: \(reason); 'photospots serve --new-key' makes a \
      new one
      """)
  }
}

extension SessionKey {
  /// Creates a random key.
  ///
  /// - Parameter name: The account and number of the key; `nil` for the key of a program with one
  ///   user.
  /// - Returns: The key.
  static func random(name: AccountKeyName? = nil) -> SessionKey {
    var generator = SystemRandomNumberGenerator()
    let random = (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    guard let key = SessionKey(name: name, random: random) else {
      preconditionFailure("so many bytes make a key")
    }
    return key
  }
}
