import CMapping
package import SystemPackage

/// The bytes of a file, mapped into memory, or copied if the file system does not support mapping.
///
/// The bytes do not change when another file is renamed to the path. If the file is truncated while
/// mapped, the missing part reads as zeros, and ``isCut`` becomes `true`.
package final class MappedFile: Sendable {
  /// The bytes of the file.
  package nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
  /// Whether the bytes are an allocated copy.
  private let isCopy: Bool

  /// Maps a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limit: The maximum size in bytes; a larger file throws `fileTooLarge`.
  /// - Throws: The system's error; `invalidArgument` if the file is empty.
  package convenience init(_ path: FilePath, limit: Int64) throws(Errno) {
    let file = try Disk.openRegularFile(path, limit: limit)
    defer { Disk.close(file) }
    try self.init(file)
  }

  /// Maps an open file, which may be closed afterwards.
  package init(_ file: FileDescriptor) throws(Errno) {
    let size = Int(try Disk.size(of: file))
    guard size > 0 else { throw .invalidArgument }
    if let start = Self.mapping(of: file, size) {
      bytes = UnsafeRawBufferPointer(start: start, count: size)
      isCopy = false
    } else {
      bytes = try Self.copy(of: file, size)
      isCopy = true
    }
  }

  deinit {
    if isCopy { return bytes.deallocate() }
    mappingRemove(bytes.baseAddress, bytes.count)
  }

  /// Whether a read went beyond the end of the file after it was truncated.
  package var isCut: Bool { !isCopy && mappingIsCut(bytes.baseAddress) != 0 }

  private static func mapping(of file: FileDescriptor, _ size: Int) -> UnsafeRawPointer? {
    guard (try? Disk.willPerform(.map)) != nil else { return nil }
    return mappingCreate(file.rawValue, size)
  }

  /// Reads a file into allocated memory; throws `invalidArgument` if it is shorter than `size`.
  private static func copy(
    of file: FileDescriptor, _ size: Int
  ) throws(Errno) -> UnsafeRawBufferPointer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
    do throws(Errno) {
      var filled = 0
      while filled < size {
        let count = try Disk.read(
          file, into: UnsafeMutableRawBufferPointer(rebasing: memory[filled...]))
        guard count > 0 else { throw .invalidArgument }
        filled += count
      }
    } catch {
      memory.deallocate()
      throw error
    }
    return UnsafeRawBufferPointer(memory)
  }
}
