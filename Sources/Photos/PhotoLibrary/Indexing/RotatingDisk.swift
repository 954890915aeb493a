import CLibrary
import Storage
import SystemPackage

/// Detection of spinning disks. The disks of virtual machines often claim to be spinning.
enum RotatingDisk {
  /// Returns whether a folder is on a spinning disk according to Linux's `/sys`
  /// (Documentation/ABI/stable/sysfs-block).
  ///
  /// False if the file system is not on a block device, and on other systems.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - devices: The folder in `/sys` with a subfolder for each block device, named by its major
  ///     and minor number.
  /// - Returns: Whether the disk reports that it is spinning.
  static func holds(_ folder: FilePath, devices: FilePath = "/sys/dev/block") -> Bool {
    #if os(Linux)
      var status = stat()
      guard folder.withPlatformString({ stat($0, &status) }) == 0 else { return false }
      let device = UInt64(status.st_dev)
      // The C library's encoding of the major and minor number: makedev(3).
      let major = (device >> 8 & 0xFFF) | (device >> 32 & 0xFFFF_F000)
      let minor = (device & 0xFF) | (device >> 12 & 0xFFFF_FF00)
      let block = devices.appending("\(major):\(minor)")
      // For a partition, the queue belongs to the disk one folder up.
      return [block, block.appending("..")].contains { disk in
        let answer = try? Disk.readToEnd(disk.appending("queue/rotational"), limit: 16)
        return answer?.first == UInt8(ascii: "1")
      }
    #else
      return false
    #endif
  }
}
