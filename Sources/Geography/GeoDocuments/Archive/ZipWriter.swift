package import Compression

/// Writes zip archives without holding their content in memory.
///
/// The writer returns the bytes to write before and between the contents of the files, which the
/// caller writes, and verifies that the contents match their announced sizes and checksums. Equal
/// files give equal archives: there are no times, and compression uses zlib's default level. Zip64
/// is used where a value requires it.
package struct ZipWriter {
  private var offset: UInt64 = 0
  private var directory: [UInt8] = []
  private var count: UInt64 = 0
  private var names = Set<String>()
  /// The file whose content is being written.
  private var open: Announced?
  private var checksum = CRC32()
  private var writtenCount: UInt64 = 0

  private struct Announced {
    let name: String
    let size: UInt64
    let checksum: UInt32
  }

  /// Creates a writer of an empty archive.
  package init() {}

  /// Adds a file whose content is in memory; compresses it if that saves space.
  ///
  /// - Returns: All bytes to write for the file.
  /// - Precondition: The name is unused, and a relative path without empty components, `.` and
  ///   `..`.
  package mutating func file(_ name: String, _ content: [UInt8]) -> [UInt8] {
    var checksum = CRC32()
    checksum.combine(content)
    let packed = Deflate.packed(content, as: .raw, upTo: content.count - 1)
    let bytes =
      header(
        name, method: packed == nil ? ZipFormat.stored : ZipFormat.deflated,
        size: UInt64(content.count), packedSize: UInt64((packed ?? content).count),
        checksum: checksum.value) + (packed ?? content)
    offset += UInt64((packed ?? content).count)
    return bytes
  }

  /// Begins a file whose uncompressed content follows.
  ///
  /// - Parameters:
  ///   - name: The name; see ``file(_:_:)``.
  ///   - size: The size of the content in bytes.
  ///   - checksum: The checksum of the content.
  /// - Returns: The bytes to write before the content.
  package mutating func begin(_ name: String, size: Int, checksum: CRC32) -> [UInt8] {
    precondition(open == nil && size >= 0)
    open = Announced(name: name, size: UInt64(size), checksum: checksum.value)
    self.checksum = CRC32()
    writtenCount = 0
    return header(
      name, method: ZipFormat.stored, size: UInt64(size), packedSize: UInt64(size),
      checksum: checksum.value)
  }

  /// Records a piece of the content, which the caller writes.
  package mutating func write(_ piece: some Collection<UInt8>) {
    checksum.combine(piece)
    writtenCount += UInt64(piece.count)
    offset += UInt64(piece.count)
  }

  /// Counts content that is never written, so that tests of Zip64 need no gigabytes.
  mutating func pretend(count: Int) {
    offset += UInt64(count)
    open = nil
  }

  /// Ends a file.
  ///
  /// - Throws: ``ZipError``; `corrupt` where the content differs from the announced size or
  ///   checksum. The archive is then unusable.
  package mutating func end() throws(ZipError) {
    guard let open else { return }
    self.open = nil
    guard writtenCount == open.size, checksum.value == open.checksum else {
      throw .corrupt(open.name)
    }
  }

  /// Returns the directory, the last bytes of the archive.
  package mutating func finish() -> [UInt8] {
    precondition(open == nil)
    let start = offset
    let length = UInt64(directory.count)
    var bytes = directory
    let isLarge = count >= 0xFFFF || start >= 0xFFFF_FFFF || length >= 0xFFFF_FFFF
    if isLarge {
      bytes.append(littleEndian: ZipFormat.zip64End)
      bytes.append(littleEndian: UInt64(ZipFormat.zip64EndSize - 12))
      bytes.append(littleEndian: UInt16(3 << 8 | 45))
      bytes.append(littleEndian: UInt16(45))
      bytes.append(littleEndian: UInt64(0))
      for value in [count, count, length, start] { bytes.append(littleEndian: value) }
      bytes.append(littleEndian: ZipFormat.zip64Locator)
      bytes.append(littleEndian: UInt32(0))
      bytes.append(littleEndian: start + length)
      bytes.append(littleEndian: UInt32(1))
    }
    bytes.append(littleEndian: ZipFormat.end)
    bytes.append(littleEndian: UInt32(0))
    for _ in 0..<2 { bytes.append(littleEndian: UInt16(min(count, 0xFFFF))) }
    bytes.append(littleEndian: UInt32(min(length, 0xFFFF_FFFF)))
    bytes.append(littleEndian: UInt32(min(start, 0xFFFF_FFFF)))
    bytes.append(littleEndian: UInt16(0))
    return bytes
  }

  /// Returns the local header of a file (section 4.3.7), and adds its entry to the directory.
  private mutating func header(
    _ name: String, method: UInt16, size: UInt64, packedSize: UInt64, checksum: UInt32
  ) -> [UInt8] {
    precondition(ZipName.isSafe(name.utf8) && names.insert(name).inserted)
    let isLarge = size >= 0xFFFF_FFFF || packedSize >= 0xFFFF_FFFF
    var extra: [UInt8] = []
    if isLarge {
      // A local header must hold both sizes (section 4.5.3).
      extra.append(littleEndian: ZipFormat.zip64Extra)
      extra.append(littleEndian: UInt16(16))
      extra.append(littleEndian: size)
      extra.append(littleEndian: packedSize)
    }
    var common: [UInt8] = []
    common.append(littleEndian: ZipFormat.utf8Flag)
    common.append(littleEndian: method)
    common.append(littleEndian: UInt16(0))
    common.append(littleEndian: ZipFormat.firstDate)
    common.append(littleEndian: checksum)
    common.append(littleEndian: UInt32(isLarge ? 0xFFFF_FFFF : packedSize))
    common.append(littleEndian: UInt32(isLarge ? 0xFFFF_FFFF : size))
    common.append(littleEndian: UInt16(name.utf8.count))
    var header: [UInt8] = []
    header.append(littleEndian: ZipFormat.localHeader)
    header.append(littleEndian: UInt16(isLarge ? 45 : 20))
    header += common
    header.append(littleEndian: UInt16(extra.count))
    header += Array(name.utf8) + extra
    addToDirectory(name, common, extra)
    offset += UInt64(header.count)
    return header
  }

  /// Adds a file to the directory (section 4.3.12).
  private mutating func addToDirectory(_ name: String, _ common: [UInt8], _ extra: [UInt8]) {
    var extra = extra
    let isFar = offset >= 0xFFFF_FFFF
    if isFar {
      if extra.isEmpty {
        extra.append(littleEndian: ZipFormat.zip64Extra)
        extra.append(littleEndian: UInt16(0))
      }
      extra.append(littleEndian: offset)
      extra[2] = UInt8(extra.count - 4)
    }
    directory.append(littleEndian: ZipFormat.centralHeader)
    // The system is set to Unix, so that the permissions below take effect.
    directory.append(littleEndian: UInt16(3 << 8 | 45))
    directory.append(littleEndian: UInt16(extra.isEmpty ? 20 : 45))
    directory += common
    directory.append(littleEndian: UInt16(extra.count))
    directory.append(littleEndian: UInt16(0))
    directory.append(littleEndian: UInt16(0))
    directory.append(littleEndian: UInt16(0))
    // A regular file readable by everyone: 0100644.
    directory.append(littleEndian: UInt32(0o100644) << 16)
    directory.append(littleEndian: UInt32(isFar ? 0xFFFF_FFFF : offset))
    directory += Array(name.utf8) + extra
    count += 1
  }
}
