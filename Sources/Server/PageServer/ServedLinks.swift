import CivilTime
import Encodings
import PhotoLibrary
import ProcessControl
import SpotAlerts
import SpotService
import Storage
import Synchronization
import SystemPackage

/// The used links of alerts, kept in a private file of the state folder.
final class ServedLinks: UsedLinks {
  private static let maximumSize = 1 << 20

  private let path: FilePath
  private let list: Mutex<UsedLinkList>

  /// Reads the list. If it cannot be read, used links work once more until they expire.
  init(in stateFolder: FilePath, log: MessageLog) {
    path = stateFolder.appending("used-links.json")
    list = Mutex(Self.list(at: path, log))
  }

  private static func list(at path: FilePath, _ log: MessageLog) -> UsedLinkList {
    do {
      let bytes = try Disk.read(path, limit: maximumSize)
      guard try Disk.isPrivate(path) else { throw MessageError("others can read or change it") }
      return try UsedLinkList(json: bytes)
    } catch Errno.noSuchFileOrDirectory {
    } catch {
      log.problem(
        "used links of alerts work again: \(path.escaped) cannot be used: \(error)")
    }
    return UsedLinkList()
  }

  func contains(_ token: String) -> Bool { list.withLock { $0.contains(token) } }

  func use(_ token: String, until expiry: Instant) throws(Problem) -> Bool {
    let now = SystemClock().now()
    do throws(Errno) {
      return try list.withLock { list throws(Errno) in
        var changed = list
        guard changed.use(token, until: expiry, now: now) else { return false }
        try write(changed)
        list = changed
        return true
      }
    } catch {
      throw Problem(.stateDamaged, "The use of the link cannot be stored: \(error).")
    }
  }

  private func write(_ list: UsedLinkList) throws(Errno) {
    try Disk.createFolder(path.removingLastComponent())
    try Disk.makePrivate(path)
    _ = try Disk.replace(path, of: FileSignature(format: UsedLinkList.signature), with: list.json)
  }
}
