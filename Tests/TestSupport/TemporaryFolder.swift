public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A folder of a test's own that is removed with everything in it when the value is gone.
public final class TemporaryFolder: Sendable {
  /// Where the folder is; an absolute path.
  public let path: FilePath

  /// Creates a folder; dies where it cannot, since no test can go on.
  public init() {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/photospots-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { fatalError("no temporary folder in \(parent)") }
    path = FilePath(platformString: template)
  }

  deinit { Self.remove(path) }

  private static func remove(_ path: FilePath) {
    if path.withPlatformString({ unlink($0) }) == 0 { return }
    _ = path.withPlatformString { chmod($0, 0o700) }
    for name in names(in: path) { remove(path.appending(name)) }
    _ = path.withPlatformString { rmdir($0) }
  }

  /// The names in a folder, as bytes in a path component, without `.` and `..`.
  private static func names(in path: FilePath) -> [FilePath.Component] {
    guard let folder = path.withPlatformString({ opendir($0) }) else { return [] }
    defer { closedir(folder) }
    var names: [FilePath.Component] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          FilePath.Component(platformString: $0)
        }
      }
      if let name, name.kind == .regular { names.append(name) }
    }
    return names
  }
}
