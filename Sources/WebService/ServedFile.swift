import CLibrary
import Codecs
public import SystemPackage

/// A file of the person's that is sent as it is; closed at the end of its life.
public final class ServedFile: Sendable {
  /// The media type: `image/jpeg`.
  public let mediaType: String
  /// The name that a browser gives a copy.
  public let name: String
  /// The size in bytes when it was opened.
  let size: Int64
  /// Tells its content from others.
  let entityTag: String
  private let descriptor: FileDescriptor

  /// Takes over an open file, which is closed in any case.
  ///
  /// - Parameters:
  ///   - descriptor: The file; its offset means nothing.
  ///   - mediaType: The media type: `image/jpeg`.
  ///   - name: The name that a browser gives a copy, without a folder.
  /// - Throws: An `Errno` where it cannot be looked at, `.notSupported` where it is no
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

  /// Reads some bytes; fewer where the file ends, or cannot be read.
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
