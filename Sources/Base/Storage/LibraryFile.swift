import CLibrary
import COpening
public import SystemPackage

/// A file of a photo library, which may be replaced at any time by whoever can write there.
///
/// It is opened by ``Disk/open(_:)`` only, which follows no link below the library's folder.
public struct LibraryFile: Hashable, Sendable {
  /// The size and the modification time of a file.
  public struct Stamp: Hashable, Sendable {
    /// The size in bytes.
    public let size: Int64
    /// The modification time in nanoseconds since 1970.
    public let modifiedNanoseconds: Int64

    /// Creates a stamp.
    public init(size: Int64, modifiedNanoseconds: Int64) {
      (self.size, self.modifiedNanoseconds) = (size, modifiedNanoseconds)
    }
  }

  /// The absolute path.
  public let path: FilePath
  /// The folder of the library. Links are followed to reach it, but not below it.
  public let root: FilePath
  /// The expected state of the file; `nil` to accept any.
  public let stamp: Stamp?

  /// Creates a file of a library.
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - roots: The folders of the library. The innermost that contains the file is used, and the
  ///     file's own folder if none does.
  ///   - stamp: The expected state; `nil` to accept any.
  public init(_ path: FilePath, in roots: some Sequence<FilePath> = [], stamp: Stamp? = nil) {
    let root = roots.filter { path.starts(with: $0) && $0 != path }
      .max { $0.components.count < $1.components.count }
    (self.path, self.root, self.stamp) = (path, root ?? Disk.folder(of: path), stamp)
  }
}

extension Disk {
  /// Opens a file of a library for reading.
  ///
  /// No component of the path below ``LibraryFile/root`` may be a symbolic link, whether it was one
  /// when the library was indexed or became one since. Opening never blocks.
  ///
  /// - Throws: `tooManySymbolicLinkLevels` or `notDirectory` for a link; `notSupported` for a
  ///   folder, a FIFO or a device; `staleNFSFileHandle` if the file is not as it was expected to
  ///   be; otherwise the system's error.
  package static func open(_ file: LibraryFile) throws(Errno) -> FileDescriptor {
    var relative = file.path
    guard relative.removePrefix(file.root) else { throw .noSuchFileOrDirectory }
    guard !relative.isEmpty, relative.components.allSatisfy({ $0.kind == .regular }) else {
      throw .noSuchFileOrDirectory
    }
    let folder = try openFolder(AT_FDCWD, file.root, followsLink: true)
    defer { close(folder) }
    let opened = relative.withPlatformString { openingBeneath(folder.rawValue, $0) }
    let descriptor: FileDescriptor
    if opened >= 0 {
      descriptor = FileDescriptor(rawValue: opened)
    } else {
      let error = Errno(rawValue: errno)
      // A sandbox may refuse calls that it does not know as not permitted.
      guard error == .noFunction || error == .notPermitted else { throw error }
      descriptor = try openByComponents(relative, in: folder)
    }
    do throws(Errno) {
      try check(descriptor, is: file.stamp)
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Returns whether a file of a library can be opened, and is as it was expected to be.
  package static func holds(_ file: LibraryFile) -> Bool {
    guard let opened = try? open(file) else { return false }
    close(opened)
    return true
  }

  /// Opens a file component by component, for systems without openat2(2).
  static func openByComponents(
    _ relative: FilePath, in folder: FileDescriptor
  ) throws(Errno) -> FileDescriptor {
    var parents: [FileDescriptor] = []
    defer { for parent in parents { close(parent) } }
    for component in relative.components.dropLast() {
      let parent = (parents.last ?? folder).rawValue
      parents.append(try openFolder(parent, FilePath(root: nil, [component]), followsLink: false))
    }
    let parent = (parents.last ?? folder).rawValue
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
    let opened = relative.lastComponent?.withPlatformString { openat(parent, $0, flags) } ?? -1
    guard opened >= 0 else { throw Errno(rawValue: errno) }
    return FileDescriptor(rawValue: opened)
  }

  private static func openFolder(
    _ parent: CInt, _ path: FilePath, followsLink: Bool
  ) throws(Errno) -> FileDescriptor {
    let flags = openingSearch() | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW)
    let opened = path.withPlatformString { openat(parent, $0, flags) }
    guard opened >= 0 else { throw Errno(rawValue: errno) }
    return FileDescriptor(rawValue: opened)
  }

  private static func check(
    _ file: FileDescriptor, is stamp: LibraryFile.Stamp?
  ) throws(Errno) {
    var status = stat()
    guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notSupported }
    guard let stamp else { return }
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    // Wraps around outside the years 1678–2262; it still changes when the time does.
    let nanoseconds = Int64(modified.tv_sec) &* 1_000_000_000 &+ Int64(modified.tv_nsec)
    guard Int64(status.st_size) == stamp.size, nanoseconds == stamp.modifiedNanoseconds else {
      throw .staleNFSFileHandle
    }
  }
}
