import CLibrary
import Storage
import SystemPackage

/// Which file system lies where: proc_pid_mountinfo(5).
struct MountTable: Sendable {
  private struct Mount {
    let path: [UInt8]
    let type: String
  }

  private var mounts: [Mount] = []

  /// Reads the text of a table; what is no line of one is passed over.
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
          path: Self.unescaped(fields[4]), type: String(decoding: fields[dash + 1], as: UTF8.self)))
    }
  }

  /// The mounts that this process sees; none where the system does not tell.
  static func current() -> MountTable {
    MountTable(text: (try? Disk.readToEnd("/proc/self/mountinfo", limit: 1 << 24)) ?? [])
  }

  /// The type of a file system that holds a folder or a part of the tree below it, and that others
  /// can write to; `nil` where there is none.
  func sharedFileSystem(under folder: FilePath) -> String? {
    let path = Self.withoutLinks(folder)
    let above = mounts.filter { IndexUpdate.lies(path, in: $0.path) }
    // Of several at one place the last one is seen.
    let depth = above.map(\.path.count).max()
    let holder = above.last { $0.path.count == depth }
    let candidates =
      [holder].compactMap { $0 } + mounts.filter { IndexUpdate.lies($0.path, in: path) }
    return candidates.first { Self.isShared($0.type) }?.type
  }

  /// The mount points below a folder of file systems that hold no files of anybody's, only what the
  /// system says of itself, as paths that begin with the folder's. The folder itself is none of
  /// them.
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

  /// The types of file systems that the kernel makes up (`nodev` in `/proc/filesystems`), but for
  /// those in memory, where people keep files too.
  private static let pseudoTypes: Set = [
    "binder", "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs", "cpuset", "debugfs", "devpts",
    "devtmpfs", "efivarfs", "fusectl", "hugetlbfs", "mqueue", "nfsd", "nsfs", "proc", "pstore",
    "resctrl", "rpc_pipefs", "securityfs", "selinuxfs", "smackfs", "sysfs", "tracefs",
  ]

  /// The types of network and cluster file systems, of folders that a virtual machine shares with
  /// its host, and of programs (FUSE: sshfs, rclone and others), which do not tell of changes that
  /// are made elsewhere.
  private static let sharedTypes: Set = [
    "9p", "afs", "ceph", "cifs", "coda", "fuse", "gfs2", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2",
    "prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs",
  ]

  private static func isShared(_ type: String) -> Bool {
    // "fuseblk" is a disk of this machine.
    sharedTypes.contains(type) || type.hasPrefix("fuse.")
  }

  /// Replaces `\040` by the byte that it stands for.
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

  /// The path as the table has it, or the path itself where nothing is there.
  private static func withoutLinks(_ folder: FilePath) -> [UInt8] {
    guard let path = folder.withPlatformString({ realpath($0, nil) }) else { return folder.bytes }
    defer { free(path) }
    return FilePath(platformString: path).bytes
  }
}
