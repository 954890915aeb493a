package import CivilTime
import Encodings
package import SpotService
import Storage
package import SystemPackage

/// The codes that begin sessions of browsers, each a private file of the state folder whose name is
/// the hash of the code.
///
/// Files connect `photospots serve --open`, which makes a code, with the server that is running.
/// Whoever deletes a file has used its code up, so it works once.
package struct PairingCodes {
  /// The beginning of the names of the files.
  package static let namePrefix = "serve-code-"
  private static let format = "photospots-serve-code"
  private static let version: Int64 = 1
  private static let maximumSize = 4096

  private let folder: FilePath

  /// Creates access to the codes in a state folder.
  package init(folder: FilePath) { self.folder = folder }

  /// Creates a code. Expired ones are removed, and the oldest if there are too many.
  ///
  /// - Parameters:
  ///   - phone: The name of the phone that is added when the code is used; `nil` for none.
  ///   - now: The current time.
  /// - Returns: The code.
  /// - Throws: The system's error if it cannot be stored.
  package func make(forPhone phone: String? = nil, now: Instant) throws(Errno) -> PairingCode {
    var generator = SystemRandomNumberGenerator()
    let code = PairingCode(random: generator.next(), now: now, phone: phone)
    var valid: [(path: FilePath, expires: Instant)] = []
    for name in try Disk.names(in: folder, beginning: Array(Self.namePrefix.utf8)) {
      let path = folder.appending(FilePath(bytes: name).components)
      if let stored = stored(at: path), Self.isValid(until: stored.expires, now: now) {
        valid.append((path, stored.expires))
      } else {
        try Disk.delete(path)
      }
    }
    valid.sort { $0.expires < $1.expires }
    for (path, _) in valid.dropLast(PairingCode.maximumCount - 1) { try Disk.delete(path) }
    try Disk.createFolder(folder)
    let document = JSONWriter.stateDocument(format: Self.format, version: Self.version) { writer in
      writer.member("expires", code.expires.millisecondsSince1970)
      writer.member("phone", code.phone)
    }
    _ = try Disk.replace(
      path(of: code.text), of: FileSignature(format: Self.format), with: document)
    return code
  }

  /// Uses a code up; returns `nil` if it was not valid.
  func redeem(_ text: String, now: Instant) throws(Errno) -> UsedCode? {
    guard let code = PairingCode.normalized(text) else { return nil }
    let path = path(of: code)
    guard let stored = stored(at: path), try Disk.delete(path),
      Self.isValid(until: stored.expires, now: now)
    else { return nil }
    return UsedCode(phone: stored.phone)
  }

  private func path(of code: String) -> FilePath {
    folder.appending("\(Self.namePrefix)\(PairingCode.hash(of: code)).json")
  }

  /// Codes of a clock that was later are invalid too.
  private static func isValid(until expires: Instant, now: Instant) -> Bool {
    (0...PairingCode.lifetimeSeconds).contains(expires.seconds(since: now))
  }

  /// The expiry of a code and the name of its phone; `nil` if its file is missing or damaged.
  private func stored(at path: FilePath) -> (expires: Instant, phone: String?)? {
    guard let bytes = try? Disk.read(path, limit: Self.maximumSize),
      (try? Disk.isPrivate(path)) == true
    else { return nil }
    do throws(JSONError) {
      let stored = try JSONObject(document: bytes)
      guard try stored.states(format: Self.format, version: Self.version) else { return nil }
      guard let expires = try stored.integer("expires") else { return nil }
      return (Instant(millisecondsSince1970: expires), try stored.string("phone"))
    } catch { return nil }
  }
}
