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

  private let path: FilePath
  private let codes: PairingCodes
  private let state: Mutex<State>
  /// Where the file is written, one version after the other.
  private let writing = DispatchQueue(label: "photospots.sessions")

  /// Reads the sessions. If they are damaged, all of them end, and browsers log in again.
  ///
  /// - Parameters:
  ///   - stateFolder: The folder of the file.
  ///   - key: The key with which browsers log in.
  ///   - log: Receives a notice about damage.
  /// - Throws: A `MessageError` if the file cannot be read, or if a newer version wrote it.
  init(in stateFolder: FilePath, of key: KeyHashes, log: MessageLog) throws {
    let stored = PrivateList.sessions(in: stateFolder)
    path = stored.path
    codes = PairingCodes(folder: stateFolder)
    let list = try stored.load(log: log) { json throws(JSONError) in
      try SessionList(json: json, of: key)
    }
    state = Mutex(State(list: list ?? SessionList(of: key)))
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

  func begin(browser: String, address: String?, phone: String?) throws(Problem) -> String {
    var generator = SystemRandomNumberGenerator()
    let random = (0..<SessionKey.byteCount).map { _ in
      UInt8.random(in: .min ... .max, using: &generator)
    }
    let cookie = Hexadecimal.text(random)
    let now = SystemClock().now()
    state.withLock {
      $0.list.begin(cookie: cookie, browser: browser, address: address, phone: phone, now: now)
    }
    try save()
    return cookie
  }

  func end(_ id: String) throws(Problem) -> Bool {
    guard state.withLock({ $0.list.end(id) }) else { return false }
    try save()
    return true
  }

  /// Ends the sessions of phones that were removed. Other sessions and their file are not touched.
  ///
  /// - Parameter phones: The ids of the phones that there are.
  func endAll(ofPhonesExcept phones: Set<String>) {
    guard state.withLock({ $0.list.endAll(ofPhonesExcept: phones) }) else { return }
    // If the disk is full, they end again when the phones are read next.
    writing.async { [self] in try? write() }
  }

  var all: [BrowserSession] { state.withLock { $0.list.all } }

  func makeCode(forPhone phone: String?) throws(Problem) -> PairingCode {
    do throws(Errno) {
      return try codes.make(forPhone: phone, now: SystemClock().now())
    } catch { throw Problem(storing: error, "The code cannot be stored: \(error).") }
  }

  func redeem(_ text: String, from address: String?) throws(Problem) -> UsedCode? {
    let now = SystemClock().now()
    guard state.withLock({ $0.wrongCodes.allows(address, now: now) }) else {
      throw Problem(.tooManyTries, "Too many wrong codes were entered; wait a minute.")
    }
    do throws(Errno) {
      if let code = try codes.redeem(text, now: now) { return code }
    } catch { throw Problem(storing: error, "The code cannot be used up: \(error).") }
    state.withLock { $0.wrongCodes.note(address, now: now) }
    return nil
  }

  private func save() throws(Problem) {
    let failure = writing.sync { () -> Errno? in
      do throws(Errno) {
        try write()
        return nil
      } catch { return error }
    }
    if let failure {
      throw Problem(storing: failure, "The session cannot be stored: \(failure).")
    }
  }

  private func write() throws(Errno) {
    let json = state.withLock { $0.list.json }
    try Disk.createFolder(path.removingLastComponent())
    try Disk.makePrivate(path)
    _ = try Disk.replace(path, of: FileSignature(format: SessionList.signature), with: json)
  }
}
