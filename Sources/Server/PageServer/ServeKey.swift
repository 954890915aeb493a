import Encodings
import PhotoLibrary
import ProgramSettings
package import SpotService
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

  package let path: FilePath

  private let format: String
  private static let version: Int64 = 1
  private static let maximumSize = 4096

  package init(in stateFolder: FilePath, for purpose: Purpose = .serve) {
    path = stateFolder.appending("\(purpose.rawValue)-key.json")
    format = "photospots-\(purpose.rawValue)-key"
  }

  /// Returns the key. Creates one if there is none or a new one is requested.
  package func key(makesNew: Bool) throws -> SessionKey {
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
      throw unreadable(error)
    }
    let isPrivate: Bool
    do throws(Errno) { isPrivate = try Disk.isPrivate(path) } catch { throw unreadable(error) }
    guard isPrivate else {
      throw MessageError(
        """
        the key in \(path.escaped) belongs to another user, or others can read it; \
        '\(newKeyCommand)' makes a new one
        """)
    }
    do throws(JSONError) {
      return try key(in: bytes)
    } catch {
      guard error.isOfNewerVersion else { throw unusable(error.reason) }
      throw MessageError("the key in \(path.escaped) cannot be used: \(error.reason)")
    }
  }

  /// Checks that the file can be used, as a server does at its start; there may be none.
  ///
  /// - Throws: A `MessageError` if the server could not start with it.
  func check() throws { _ = try load() }

  private func key(in document: [UInt8]) throws(JSONError) -> SessionKey {
    let stored = try JSONObject(document: document)
    try stored.check(format: format, version: Self.version, of: "a key")
    guard let key = try stored.string("key").flatMap({ SessionKey($0) }) else {
      throw stored.error("it contains no key")
    }
    return key
  }

  private func save(_ key: SessionKey) throws {
    let document = JSONWriter.stateDocument(format: format, version: Self.version) { writer in
      writer.member("key", key.text)
    }
    do throws(Errno) {
      try Disk.createFolder(path.removingLastComponent())
      // If the old file was readable by others, its replacement must not inherit the permissions.
      try Disk.makePrivate(path)
      _ = try Disk.replace(path, of: FileSignature(format: format), with: document)
    } catch {
      let advice = MachineFault(error).map { " \($0.sentence)" } ?? ""
      throw MessageError("the key cannot be written to \(path.escaped): \(error).\(advice)")
    }
  }

  /// The message for a file that cannot be read: a new key would not mend the machine's fault.
  private func unreadable(_ error: Errno) -> MessageError {
    MachineFault(error).map {
      MessageError("the key in \(path.escaped) cannot be read: \(error). \($0.sentence)")
    } ?? unusable("\(error)")
  }

  private func unusable(_ reason: String) -> MessageError {
    MessageError(
      """
      the key in \(path.escaped) cannot be used: \(reason); '\(newKeyCommand)' makes a new one
      """)
  }

  private var newKeyCommand: String {
    let folder = path.removingLastComponent()
    return OfferedCommands(state: folder == Paths.state ? nil : folder).text("serve", "--new-key")
  }
}

extension SessionKey {
  /// Creates a random key.
  ///
  /// - Parameter name: The account and number of the key; `nil` for the key of a program with one
  ///   user.
  /// - Returns: The key.
  package static func random(name: AccountKeyName? = nil) -> SessionKey {
    var generator = SystemRandomNumberGenerator()
    let random = (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    guard let key = SessionKey(name: name, random: random) else {
      preconditionFailure("so many bytes make a key")
    }
    return key
  }
}
