import CLibrary
import Encodings
public import SystemPackage

/// An open file that is sent as it is, closed on destruction.
public final class ServedFile: Sendable {
  /// The media type: `image/jpeg`.
  public let mediaType: String
  /// The name that a browser suggests for a saved copy.
  public let name: String
  /// The size in bytes when the file was opened.
  let size: Int64
  /// The entity tag: a hash of size, inode and modification time.
  let entityTag: String
  private let descriptor: FileDescriptor

  /// Takes ownership of an open file, which is closed even if an error is thrown.
  ///
  /// - Parameters:
  ///   - descriptor: The file; its offset is ignored.
  ///   - mediaType: The media type: `image/jpeg`.
  ///   - name: The name that a browser suggests for a saved copy, without a folder.
  /// - Throws: An `Errno` where the file's status cannot be read, `.notSupported` where it is not a
  ///   regular file.
  public init(
    takingOver descriptor: FileDescriptor, mediaType: String, name: String
  ) throws(Errno) {
    var status = stat()
    let result = unsafe fstat(descriptor.rawValue, &status)
    guard result == 0, status.st_mode & S_IFMT == S_IFREG else {
      let cause = result == 0 ? Errno.notSupported : Errno(rawValue: errno)
      try? descriptor.close()
      throw cause
    }
    self.descriptor = descriptor
    self.mediaType = mediaType
    self.name = name
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    var hash = FNV1a()
    for number in [Int(status.st_size), Int(status.st_ino), time.tv_sec, time.tv_nsec] {
      unsafe withUnsafeBytes(of: number.littleEndian) { unsafe hash.combine($0) }
    }
    entityTag = "\"\(Base32.text(hash.mixed))\""
  }

  deinit { try? descriptor.close() }

  /// Reads bytes at an offset; fewer where the file ends or cannot be read.
  func bytes(from offset: Int64, count: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let rest = unsafe UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        let read = unsafe try? descriptor.read(
          fromAbsoluteOffset: offset + Int64(filled), into: rest)
        guard let read, read > 0 else { return }
        filled += read
      }
    }
  }
}
