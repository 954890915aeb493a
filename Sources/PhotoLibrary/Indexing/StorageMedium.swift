import Storage
public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What a folder lies on, as far as it matters to how files are best read.
public enum StorageMedium: Hashable, Sendable {
  /// A disk whose reads take as long wherever they are, or one of which nothing is known.
  case local
  /// A disk that turns, and seeks from one file to the next. Disks of virtual machines often say that they are such.
  case rotating
  /// Another machine, or a program, that each question travels to.
  case remote

  /// Finds out what a folder lies on.
  public init(of folder: FilePath) {
    if MountTable.current().isRemote(folder) {
      self = .remote
    } else {
      self = Self.isRotating(folder) ? .rotating : .local
    }
  }

  /// How many files are best read at once.
  ///
  /// A read waits more than it works, so two for each processor. What is far away answers many questions in the
  /// time of one; there the processors do not count.
  public var readsInFlight: Int {
    switch self {
    case .local, .rotating: max(4, 2 * Self.processorCount)
    case .remote: 32
    }
  }

  /// How many files are best read at once from several folders.
  public static func readsInFlight(for folders: [FilePath]) -> Int {
    readsInFlight(for: folders.map { StorageMedium(of: $0) })
  }

  static func readsInFlight(for media: [StorageMedium]) -> Int {
    media.map(\.readsInFlight).max() ?? StorageMedium.local.readsInFlight
  }

  private static var processorCount: Int { sysconf(CInt(_SC_NPROCESSORS_ONLN)) }

  /// Asks Linux's `/sys` (Documentation/ABI/stable/sysfs-block); a file system that is no block device's, and
  /// another system, does not say.
  private static func isRotating(_ folder: FilePath) -> Bool {
    #if os(Linux)
      var status = stat()
      guard folder.withPlatformString({ stat($0, &status) }) == 0 else { return false }
      let device = UInt64(status.st_dev)
      // The C library's encoding of the two numbers: makedev(3).
      let major = (device >> 8 & 0xFFF) | (device >> 32 & 0xFFFF_F000)
      let minor = (device & 0xFF) | (device >> 12 & 0xFFFF_FF00)
      let block = FilePath("/sys/dev/block/\(major):\(minor)")
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
