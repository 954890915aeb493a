import PhotoMetadata
import Storage
import SystemPackage

/// A hash of a file's content that shows whether a file without a date still holds the same
/// picture: XXH64 of its first and last 64 KiB and its size.
enum ContentHash {
  private static let partLength: Int64 = 64 << 10

  /// Returns the hash of an open file, never zero.
  ///
  /// - Throws: An `Errno` if the file cannot be read.
  static func of(_ file: FileDescriptor, size: Int64) throws(Errno) -> UInt64 {
    var bytes: [UInt8] = []
    var offset: Int64 = 0
    while offset < size {
      // What is between the two parts is skipped.
      if offset == partLength, size - partLength > offset { offset = size - partLength }
      let end = offset < partLength ? min(partLength, size) : size
      let part = try read(file, from: offset, count: Int(end - offset))
      bytes += part
      guard part.count == Int(end - offset) else { break }
      offset = end
    }
    withUnsafeBytes(of: size.littleEndian) { bytes += $0 }
    let hash = bytes.withUnsafeBytes { XXH64.hash($0) }
    return hash == 0 ? 1 : hash
  }

  /// Returns the hash of a file of a library; zero if it cannot be read.
  static func of(_ file: LibraryFile) -> UInt64 {
    do throws(PhotoFileError) {
      let file = try PhotoFile(file)
      do throws(Errno) { return try of(file.descriptor, size: file.size) } catch { return 0 }
    } catch { return 0 }
  }

  /// Reads bytes; fewer at the end of the file.
  private static func read(
    _ file: FileDescriptor, from start: Int64, count: Int
  ) throws(Errno) -> [UInt8] {
    var content = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let read: Int
      do {
        read = try content.withUnsafeMutableBytes { buffer in
          try file.read(
            fromAbsoluteOffset: start + Int64(filled),
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
        }
      } catch { throw error as? Errno ?? .ioError }
      guard read > 0 else { break }
      filled += read
    }
    return Array(content.prefix(filled))
  }
}
