import CivilTime
import Dispatch
import Encodings
import PhotoLibrary
import ProcessControl
import SpotAlerts
import SpotService
import Storage
import Synchronization
import SystemPackage

/// The sessions of browsers, kept in a private file of the state folder.
final class ServeSessions: BrowserSessions {
  private struct State {
    var list: SessionList
    var wrongCodes = WrongCodes()
  }

  private static let maximumSize = 1 << 20

  private let path: FilePath
  private let codes: PairingCodes
  private let state: Mutex<State>
  /// Where the file is written, one version after the other.
  private let writing = DispatchQueue(label: "photospots.sessions")

  /// Reads the sessions. If they cannot be read, all of them end, and browsers log in again.
  ///
  /// - Parameters:
  ///   - stateFolder: The folder of the file.
  ///   - key: The key with which browsers log in.
  ///   - log: Receives the reason why the file cannot be read.
  init(in stateFolder: FilePath, of key: KeyHashes, log: MessageLog) {
    path = stateFolder.appending("serve-sessions.json")
    codes = PairingCodes(folder: stateFolder)
    state = Mutex(State(list: Self.list(at: path, of: key, log)))
  }

  private static func list(at path: FilePath, of key: KeyHashes, _ log: MessageLog) -> SessionList {
    do {
      let bytes = try Disk.read(path, limit: maximumSize)
      guard try Disk.isPrivate(path) else { throw MessageError("others can read or change it") }
      return try SessionList(json: bytes, of: key)
    } catch Errno.noSuchFileOrDirectory {
    } catch {
      log.problem(
        "all browsers are logged out: \(path.escaped) cannot be used: \(error)")
    }
    return SessionList(of: key)
  }

  func session(withCookie value: String) -> BrowserSession? {
    let now = SystemClock().now()
    guard let found = state.withLock({ $0.list.session(withCookie: value, now: now) }) else {
      return nil
    }
    // The time of the latest use may be lost if the disk is full.
    if found.isChanged { writing.async { [self] in try? write() } }
    return found.session
  }

  func begin(browser: String, address: String?) throws(Problem) -> String {
    var generator = SystemRandomNumberGenerator()
    let random = (0..<SessionKey.byteCount).map { _ in
      UInt8.random(in: .min ... .max, using: &generator)
    }
    let cookie = Hexadecimal.text(random)
    let now = SystemClock().now()
    state.withLock { $0.list.begin(cookie: cookie, browser: browser, address: address, now: now) }
    try save()
    return cookie
  }

  func end(_ id: String) throws(Problem) -> Bool {
    guard state.withLock({ $0.list.end(id) }) else { return false }
    try save()
    return true
  }

  var all: [BrowserSession] { state.withLock { $0.list.all } }

  func makeCode() throws(Problem) -> PairingCode {
    do throws(Errno) {
      return try codes.make(now: SystemClock().now())
    } catch { throw Problem(.stateDamaged, "The code cannot be stored: \(error).") }
  }

  func redeem(_ text: String, from address: String?) throws(Problem) -> Bool {
    let now = SystemClock().now()
    guard state.withLock({ $0.wrongCodes.allows(address, now: now) }) else {
      throw Problem(.tooManyTries, "Too many wrong codes were entered; wait a minute.")
    }
    do throws(Errno) {
      if try codes.redeem(text, now: now) { return true }
    } catch { throw Problem(.stateDamaged, "The code cannot be used up: \(error).") }
    state.withLock { $0.wrongCodes.note(address, now: now) }
    return false
  }

  private func save() throws(Problem) {
    let failure = writing.sync { () -> Errno? in
      do throws(Errno) {
        try write()
        return nil
      } catch { return error }
    }
    if let failure {
      throw Problem(.stateDamaged, "The session cannot be stored: \(failure).")
    }
  }

  private func write() throws(Errno) {
    let json = state.withLock { $0.list.json }
    try Disk.createFolder(path.removingLastComponent())
    try Disk.makePrivate(path)
    _ = try Disk.replace(path, of: FileSignature(format: SessionList.signature), with: json)
  }
}
