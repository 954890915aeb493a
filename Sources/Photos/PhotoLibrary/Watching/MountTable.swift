import CLibrary
import Storage
import SystemPackage

/// The mounted file systems: proc_pid_mountinfo(5).
struct MountTable: Sendable {
  private struct Mount {
    /// Its number, which no other mount has at the same time.
    let id: [UInt8]
    let device: [UInt8]
    let path: [UInt8]
    let type: String
  }

  private var mounts: [Mount] = []

  /// Parses the text of a table; invalid lines are skipped.
  init(text: [UInt8]) {
    for line in text.split(separator: UInt8(ascii: "\n")) {
      // ID, parent's ID, device, root, mount point, options, optional fields, "-", type, source,
      // options.
      let fields = line.split(separator: UInt8(ascii: " "))
      guard fields.count > 7,
        let dash = fields[6...].firstIndex(where: { $0.elementsEqual("-".utf8) }),
        dash + 1 < fields.count
      else { continue }
      mounts.append(
        Mount(
          id: Array(fields[0]), device: Array(fields[2]), path: Self.unescaped(fields[4]),
          type: String(decoding: fields[dash + 1], as: UTF8.self)))
    }
  }

  /// Returns the mounts of this process's namespace; empty if the system does not provide them.
  static func current() -> MountTable {
    MountTable(text: (try? Disk.readToEnd("/proc/self/mountinfo", limit: 1 << 24)) ?? [])
  }

  /// Returns the type of a shared file system, which other machines can write to, that contains a
  /// folder or is mounted below it; `nil` if there is none.
  func sharedFileSystem(under folder: FilePath) -> String? {
    let path = Self.withoutLinks(folder)
    let above = mounts.filter { IndexUpdate.lies(path, in: $0.path) }
    // Of several mounts at the same path, the last one is visible.
    let depth = above.map(\.path.count).max()
    let holder = above.last { $0.path.count == depth }
    let candidates =
      [holder].compactMap { $0 } + mounts.filter { IndexUpdate.lies($0.path, in: path) }
    return candidates.first { Self.isShared($0.type) }?.type
  }

  /// Returns whether a file system is mounted at a path without symbolic links.
  func isMountPoint(_ path: FilePath) -> Bool { mounts.contains { $0.path == path.bytes } }

  /// Returns whether a path without symbolic links is on a shared file system.
  func isOnSharedFileSystem(_ path: FilePath) -> Bool {
    let above = mounts.filter { IndexUpdate.lies(path.bytes, in: $0.path) }
    let depth = above.map(\.path.count).max()
    return above.last { $0.path.count == depth }.map { Self.isShared($0.type) } ?? false
  }

  /// Returns the file systems mounted below a folder, in the order of the table, so that equal
  /// results mean that none was mounted or unmounted. Pseudo file systems are left out.
  func volumes(below folder: FilePath) -> [Volume] {
    let path = Self.withoutLinks(folder)
    return mounts.lazy
      .filter { mount in
        mount.path != path && !Self.pseudoTypes.contains(mount.type)
          && IndexUpdate.lies(mount.path, in: path)
      }
      .map { Volume(id: $0.id, device: $0.device, path: $0.path) }
  }

  /// A mounted file system.
  struct Volume: Hashable, Sendable {
    let id: [UInt8]
    let device: [UInt8]
    /// The mount point.
    let path: [UInt8]
  }

  /// Returns the mount points of pseudo file systems below a folder, as paths that begin with the
  /// folder's. The folder itself is not included.
  func pseudoFileSystems(below folder: FilePath) -> [[UInt8]] {
    let path = Self.withoutLinks(folder)
    let below = mounts.filter { mount in
      mount.path != path && Self.pseudoTypes.contains(mount.type)
        && IndexUpdate.lies(mount.path, in: path)
    }
    return below.map { mount in
      let rest = mount.path.dropFirst(path.count).drop { $0 == UInt8(ascii: "/") }
      return FilePath.join(folder.bytes, rest)
    }
  }

  /// The types of pseudo file systems (`nodev` in `/proc/filesystems`), except those in memory,
  /// which can contain users' files.
  private static let pseudoTypes: Set = [
    "binder", "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs", "cpuset", "debugfs", "devpts",
    "devtmpfs", "efivarfs", "fusectl", "hugetlbfs", "mqueue", "nfsd", "nsfs", "proc", "pstore",
    "resctrl", "rpc_pipefs", "securityfs", "selinuxfs", "smackfs", "sysfs", "tracefs",
  ]

  /// The types of network and cluster file systems, of folders that a host shares with its virtual
  /// machine, and of FUSE programs such as sshfs and rclone. They do not report changes made
  /// elsewhere.
  private static let sharedTypes: Set = [
    "9p", "afs", "ceph", "cifs", "coda", "fuse", "gfs2", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2",
    "prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs",
  ]

  private static func isShared(_ type: String) -> Bool {
    // "fuseblk" is a local disk.
    sharedTypes.contains(type) || type.hasPrefix("fuse.")
  }

  /// Replaces escapes such as `\040` with the byte that they encode.
  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  /// Returns the path with symbolic links resolved, as the table has it, or the path itself if it
  /// does not exist.
  private static func withoutLinks(_ folder: FilePath) -> [UInt8] {
    guard let path = folder.withPlatformString({ realpath($0, nil) }) else { return folder.bytes }
    defer { free(path) }
    return FilePath(platformString: path).bytes
  }
}
