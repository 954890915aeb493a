import CLibrary
import Storage
import SystemPackage

/// Disks that turn, and seek from one file to the next; those of virtual machines often say that
/// they do.
enum RotatingDisk {
  /// Whether a folder lies on one, as Linux's `/sys` tells (Documentation/ABI/stable/sysfs-block).
  ///
  /// A file system that is no block device's does not say, nor does another system.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - devices: Where `/sys` has a folder for each block device, by its two numbers.
  /// - Returns: Whether it says that it turns.
  static func holds(_ folder: FilePath, devices: FilePath = "/sys/dev/block") -> Bool {
    #if os(Linux)
      var status = stat()
      guard folder.withPlatformString({ stat($0, &status) }) == 0 else { return false }
      let device = UInt64(status.st_dev)
      // The C library's encoding of the two numbers: makedev(3).
      let major = (device >> 8 & 0xFFF) | (device >> 32 & 0xFFFF_F000)
      let minor = (device & 0xFF) | (device >> 12 & 0xFFFF_FF00)
      let block = devices.appending("\(major):\(minor)")
      // A partition has the queue of its disk.
      return [block, block.appending("..")].contains { disk in
        let answer = try? Disk.readToEnd(disk.appending("queue/rotational"), limit: 16)
        return answer?.first == UInt8(ascii: "1")
      }
    #else
      return false
    #endif
  }
}
