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
  private let path: FilePath
  private let list: Mutex<UsedLinkList>

  /// Reads the list. If it is damaged, used links work once more until they expire.
  ///
  /// - Throws: A `MessageError` if the file cannot be read, or if a newer version wrote it.
  init(in stateFolder: FilePath, log: MessageLog) throws {
    let stored = PrivateList.links(in: stateFolder)
    path = stored.path
    list = Mutex(
      try stored.load(log: log) { json throws(JSONError) in try UsedLinkList(json: json) }
        ?? UsedLinkList())
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
      throw Problem(storing: error, "The use of the link cannot be stored: \(error).")
    }
  }

  private func write(_ list: UsedLinkList) throws(Errno) {
    try Disk.createFolder(path.removingLastComponent())
    try Disk.makePrivate(path)
    _ = try Disk.replace(path, of: FileSignature(format: UsedLinkList.signature), with: list.json)
  }
}
