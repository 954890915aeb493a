import CLibrary
import Synchronization
package import SystemPackage

// Cache files, which can be regenerated. Losing one costs only time, so nothing is synchronised to
// the disk.
extension Disk {
  /// A file of a cache.
  package struct DerivedFile: Sendable {
    /// The path.
    package let path: FilePath
    /// The size in bytes.
    package let size: Int
    /// The time of last use, in nanoseconds since 1970.
    package let usedNanoseconds: Int64
  }

  /// Writes a cache file atomically: a reader finds either the old or the new file.
  ///
  /// The content is written to a temporary file, which is then renamed. After a power failure the
  /// file may be empty or truncated; the reader must verify the content.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - path: The file, in a folder of the program's own; an existing file is replaced.
  ///   - modifiedSeconds: The modification time to set, in seconds since 1970.
  /// - Throws: The system's error; then no temporary file is left behind.
  package static func publish(
    _ bytes: [UInt8], as path: FilePath, modifiedSeconds: Int64
  ) throws(Errno) {
    let number = publications.add(1, ordering: .relaxed).newValue
    let temporary = sibling(of: path, ".\(processID)-\(number).new")
    let file = try open(temporary, .writeOnly, [.create, .exclusiveCreate, .noFollow])
    do throws(Errno) {
      defer { close(file) }
      try write(bytes, to: file)
      let times = [timespec.now, timespec(tv_sec: Int(modifiedSeconds), tv_nsec: 0)]
      guard futimens(file.rawValue, times) == 0 else { throw Errno(rawValue: errno) }
      try rename(temporary, to: path)
    } catch {
      remove(temporary)
      throw error
    }
  }

  private static let publications = Atomic<Int>(0)

  /// Reads a whole file and its modification time in seconds since 1970.
  ///
  /// - Throws: The errors of ``openRegularFile(_:limit:)``.
  package static func readDerived(
    _ path: FilePath, limit: Int
  ) throws(Errno) -> (bytes: [UInt8], modifiedSeconds: Int64) {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else {
      throw Errno(rawValue: errno)
    }
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    return (try read(path, limit: limit), Int64(modified.tv_sec))
  }

  /// Sets a file's access time to now; the modification time does not change.
  package static func noteUse(of path: FilePath) {
    _ = path.withPlatformString { utimensat(AT_FDCWD, $0, [.now, .omitted], 0) }
  }

  /// Sets a file's modification time to now, so that its ``generation(of:)`` changes and readers
  /// read it again.
  package static func noteChange(of path: FilePath) {
    _ = path.withPlatformString { utimensat(AT_FDCWD, $0, [.omitted, .now], 0) }
  }

  /// Removes a cache file; does nothing if there is none.
  package static func discard(_ path: FilePath) {
    remove(path)
  }

  /// Returns the files of a folder in no particular order; none if the folder is missing.
  package static func derivedFiles(in folder: FilePath) throws(Errno) -> [DerivedFile] {
    guard let stream = folder.withPlatformString({ opendir($0) }) else {
      guard errno == ENOENT else { throw Errno(rawValue: errno) }
      return []
    }
    defer { closedir(stream) }
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
    var files: [DerivedFile] = []
    while let entry = readdir(stream) {
      let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
      var status = stat()
      guard fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW) == 0,
        status.st_mode & S_IFMT == S_IFREG
      else { continue }
      #if canImport(Darwin)
        let used = status.st_atimespec
      #else
        let used = status.st_atim
      #endif
      files.append(
        DerivedFile(
          path: folder.pushing(FilePath(platformString: name)), size: Int(status.st_size),
          usedNanoseconds: Int64(used.tv_sec) &* 1_000_000_000 &+ Int64(used.tv_nsec)))
    }
    return files
  }
}

extension timespec {
  // Swift does not import the macros UTIME_NOW and UTIME_OMIT of Linux (bits/stat.h), nor macros
  // with casts.
  #if canImport(Darwin)
    private static let marks = (now: -1, omitted: -2)
  #else
    private static let marks = (now: (1 << 30) - 1, omitted: (1 << 30) - 2)
  #endif
  /// The value that makes `utimensat(2)` set the current time.
  fileprivate static var now: timespec { timespec(tv_sec: 0, tv_nsec: marks.now) }
  /// The value that makes `utimensat(2)` leave a time unchanged.
  fileprivate static var omitted: timespec { timespec(tv_sec: 0, tv_nsec: marks.omitted) }
}
