package import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A new folder in `$TMPDIR`, with a list of its contents.
package struct TemporaryFolder {
  package let path: FilePath
  /// The paths to remove, each folder before its contents.
  private var contents: [FilePath] = []

  package init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((parent + "/photospots-benchmark-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
    path = FilePath(platformString: template)
  }

  /// Creates a subfolder.
  package mutating func makeFolder(_ name: String) throws {
    let folder = path.pushing(FilePath(name))
    guard folder.withPlatformString({ mkdir($0, 0o755) }) == 0 else {
      throw Errno(rawValue: errno)
    }
    contents.append(folder)
  }

  /// Creates a file in this folder: its first bytes, followed by a hole up to its size.
  package mutating func makeFile(_ name: String, head: [UInt8], size: Int? = nil) throws {
    let file = path.pushing(FilePath(name))
    let descriptor = try FileDescriptor.open(
      file, .writeOnly, options: [.create, .exclusiveCreate],
      permissions: [.ownerReadWrite, .groupRead, .otherRead])
    contents.append(file)
    try descriptor.closeAfter {
      _ = try descriptor.writeAll(head)
      if let size { try descriptor.resize(to: Int64(size)) }
    }
  }

  /// Removes the folder with everything created in it, and the files with the given names.
  package func remove(andFiles names: [String] = []) {
    for name in names { _ = path.pushing(FilePath(name)).withPlatformString { unlink($0) } }
    for item in contents.reversed() {
      _ = item.withPlatformString { unlink($0) == 0 ? 0 : rmdir($0) }
    }
    _ = path.withPlatformString { rmdir($0) }
  }
}
