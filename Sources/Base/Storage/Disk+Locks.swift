import CLibrary
package import SystemPackage

extension Disk {
  /// Returns whether a process holds the lock of a file, without requesting the lock; `nil` if the
  /// system does not provide that.
  ///
  /// Linux lists the locks of all visible processes (proc(5), `/proc/locks`). Each line ends with
  /// the device, the inode and the range: `1: FLOCK  ADVISORY  WRITE 708 fd:01:1234 0 EOF`.
  package static func isLocked(_ path: FilePath) -> Bool? {
    guard let list = try? readToEnd("/proc/locks", limit: 1 << 22) else { return nil }
    var status = stat()
    guard path.withPlatformString({ lstat($0, &status) }) == 0 else {
      return errno == ENOENT ? false : nil
    }
    return lists(list, inode: UInt64(status.st_ino))
  }

  /// Whether a list of locks contains a held lock of an inode. The device is not compared, so a
  /// lock of the same inode number on another file system counts too.
  static func lists(_ list: [UInt8], inode: UInt64) -> Bool {
    list.split(separator: UInt8(ascii: "\n")).contains { line in
      let fields = line.split(separator: UInt8(ascii: " "))
      // A process that waits for a lock is marked with an arrow after the number.
      guard let kind = fields.firstIndex(where: { $0.elementsEqual("FLOCK".utf8) }),
        kind + 4 < fields.count, !fields[..<kind].contains(where: { $0.elementsEqual("->".utf8) })
      else { return false }
      let place = fields[kind + 4].split(separator: UInt8(ascii: ":"))
      return place.count == 3 && place[2].elementsEqual("\(inode)".utf8)
    }
  }
}
