import CLibrary
import Encodings
import Synchronization
package import SystemPackage

/// A folder in which the program has seen its files, so that it is known when its disk is away.
///
/// An unmounted disk leaves an empty folder, or none: neither is one in which the files were
/// deleted. The folder is recognised by its device and inode. The number of a device is compared
/// only until the machine starts again, since network file systems get another one then.
///
/// Where a setting names the folder, its identity is kept in a file, for the next run of the
/// program:
///
/// ```json
/// {"format":"photospots-folder","version":1,"path":"/mnt/nas/shared","device":"43","inode":"128",
///  "boot":"5f0c…"}
/// ```
package final class KnownFolder: Sendable {
  private struct Identity: Hashable {
    var device: String
    var inode: String
    var boot: String

    func isSame(as other: Identity) -> Bool {
      inode == other.inode && (device == other.device || boot != other.boot)
    }
  }

  /// The path of the folder.
  package let path: FilePath
  /// The file that keeps the identity; `nil` for one that is known in this process only.
  package let memory: FilePath?
  private let seen = Mutex<Identity?>(nil)

  private static let format = "photospots-folder"
  private static let version: Int64 = 1
  private static let maximumSize = 1 << 14

  /// Creates a folder.
  ///
  /// - Parameters:
  ///   - path: The path of the folder.
  ///   - memory: The file that keeps its identity.
  package init(_ path: FilePath, memory: FilePath? = nil) {
    (self.path, self.memory) = (path, memory)
  }

  /// Records the folder as it is now, in which files of the program are.
  ///
  /// - Parameter createsFolder: Whether to create the folder of the memory if it is missing.
  /// - Throws: The system's error if the folder cannot be looked at, or the identity not kept.
  package func noteSeen(creatingFolder createsFolder: Bool = false) throws(Errno) {
    guard let identity = try current() else { return }
    let isKnown = seen.withLock { seen in
      defer { seen = identity }
      return seen == identity
    }
    guard !isKnown, let memory, remembered() != identity else { return }
    if createsFolder { try Disk.createFolder(Disk.folder(of: memory)) }
    let document = JSONWriter.stateDocument(format: Self.format, version: Self.version) { writer in
      writer.member("path", name: path.bytes)
      writer.member("device", identity.device)
      writer.member("inode", identity.inode)
      writer.member("boot", identity.boot)
    }
    _ = try Disk.replace(memory, of: FileSignature(format: Self.format), with: document)
  }

  /// Returns whether files of the program were seen in the folder, and it is missing or another one
  /// now.
  ///
  /// - Throws: The system's error if the folder cannot be looked at.
  package func isAway() throws(Errno) -> Bool {
    let current = try current()
    guard let known = seen.withLock({ $0 }) ?? remembered() else { return false }
    return current.map { !known.isSame(as: $0) } ?? true
  }

  private func current() throws(Errno) -> Identity? {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else {
      let error = Errno(rawValue: errno)
      guard error == .noSuchFileOrDirectory || error == .notDirectory else { throw error }
      return nil
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { return nil }
    return Identity(device: "\(status.st_dev)", inode: "\(status.st_ino)", boot: Self.boot)
  }

  /// Reads the identity that an earlier run kept; `nil` if it knew no folder, or another one. A
  /// memory that cannot be read warns of nothing, and is replaced.
  private func remembered() -> Identity? {
    guard let memory, let bytes = try? Disk.read(memory, limit: Self.maximumSize),
      let stored = try? JSONObject(document: bytes),
      (try? stored.states(format: Self.format, version: Self.version)) == true,
      (try? stored.nameBytes("path")) == path.bytes,
      let device = try? stored.string("device"), let inode = try? stored.string("inode"),
      let boot = try? stored.string("boot")
    else { return nil }
    return Identity(device: device, inode: inode, boot: boot)
  }

  /// The identifier of this run of the machine (random(4), `boot_id`); empty where there is none.
  private static let boot: String = {
    let bytes = (try? Disk.readToEnd("/proc/sys/kernel/random/boot_id", limit: 64)) ?? []
    return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
  }()
}
