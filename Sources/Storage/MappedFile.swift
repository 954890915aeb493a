import CMapping
package import SystemPackage

/// A file's bytes, as they lie in it: mapped into memory where the file system can do that, else
/// read.
///
/// The bytes stay what they are when another file takes the name. A file that is cut off while it
/// is in use reads as zeros from there on, which ``isCut`` tells.
package final class MappedFile: Sendable {
  /// All bytes.
  package nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
  /// Whether they are in memory of the program's own.
  private let isCopy: Bool

  /// Maps a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limit: A larger one is `fileTooLarge`.
  /// - Throws: The system's error; `invalidArgument` where the file is empty.
  package convenience init(_ path: FilePath, limit: Int64) throws(Errno) {
    let file = try Disk.openRegularFile(path, limit: limit)
    defer { Disk.close(file) }
    try self.init(file)
  }

  /// Maps an open file, which may be closed then.
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

  /// Whether a part of the file was asked for that it no longer has.
  package var isCut: Bool { !isCopy && mappingIsCut(bytes.baseAddress) != 0 }

  private static func mapping(of file: FileDescriptor, _ size: Int) -> UnsafeRawPointer? {
    guard (try? Disk.will(.map)) != nil else { return nil }
    return mappingCreate(file.rawValue, size)
  }

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
