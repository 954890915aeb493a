import Compression

/// Reads zip archives with stored and deflated entries, including Zip64, piece by piece.
///
/// Suitable for hostile archives: the directory at the end is read completely and checked before
/// any entry, every offset and size is bounded by the file, and an entry yields at most as many
/// bytes as the directory states. Rejected are encrypted entries, links, names that are unsafe or
/// repeated, overlapping entries (D. Fifield, "A better zip bomb", 2019), and entries with a
/// compression ratio above ``maximumRatio``.
package struct ZipReader: Sendable {
  /// The maximum number of entries.
  package static let maximumEntryCount = 200_000
  /// The maximum compression ratio of entries larger than 1 MiB.
  package static let maximumRatio = 200
  /// The maximum size of the directory in bytes: 500 bytes per entry.
  private static let maximumDirectorySize = 100_000_000
  private static let pieceSize = 1 << 18

  /// A file in an archive.
  package struct Entry: Hashable, Sendable {
    /// The name, a relative path with slashes whose components are neither empty, `.` nor `..`.
    package let name: String
    /// The decompressed size in bytes.
    package let size: Int
    let packedSize: Int
    let checksum: UInt32
    let method: UInt16
    /// The offset of its local header.
    let offset: Int
  }

  /// The files of the archive, in the order of the directory; folders are left out.
  package let entries: [Entry]
  private let size: Int
  private let read: @Sendable (Range<Int>) -> [UInt8]

  /// Reads the directory of an archive.
  ///
  /// - Parameters:
  ///   - size: The size of the file in bytes.
  ///   - totalLimit: The maximum total size of the decompressed entries in bytes.
  ///   - read: Returns the bytes in a range of the file; fewer where they cannot be read.
  /// - Throws: ``ZipError`` where the archive is rejected.
  /// - Complexity: O(*d* + *n* log *n*), where *d* is the size of the directory in bytes and *n*
  ///   the number of entries.
  package init(
    size: Int, totalLimit: Int = 1 << 40, read: @escaping @Sendable (Range<Int>) -> [UInt8]
  ) throws(ZipError) {
    (self.size, self.read) = (size, read)
    let directory = try Directory(size: size, read: read)
    guard directory.count <= Self.maximumEntryCount else { throw .tooManyEntries }
    guard directory.range.count <= Self.maximumDirectorySize else {
      throw .damaged("it is too large")
    }
    let bytes = read(directory.range)
    guard bytes.count == directory.range.count else { throw .noDirectory }
    entries = try Self.entries(bytes, directory, totalLimit: totalLimit)
  }

  /// Reads the directory of an archive in memory.
  package init(_ bytes: [UInt8], totalLimit: Int = 1 << 40) throws(ZipError) {
    try self.init(size: bytes.count, totalLimit: totalLimit) { Array(bytes[$0]) }
  }

  // MARK: - Entries

  /// Decompresses an entry and verifies its size and checksum.
  ///
  /// - Parameters:
  ///   - entry: An entry of this archive.
  ///   - take: Receives the content piece by piece. The content is valid only if no error is
  ///     thrown.
  /// - Throws: ``UnpackError``: a ``ZipError``, or the error of `take`.
  package func unpack<Failure: Error>(
    _ entry: Entry, _ take: (ArraySlice<UInt8>) throws(Failure) -> Void
  ) throws(UnpackError<Failure>) {
    let start: Int
    do throws(ZipError) { start = try contentStart(of: entry) } catch { throw .archive(error) }
    var checksum = CRC32()
    var count = 0
    var failure: Failure?
    let accept = { (piece: ArraySlice<UInt8>) -> Bool in
      guard piece.count <= entry.size - count else { return false }
      count += piece.count
      checksum.combine(piece)
      do throws(Failure) { try take(piece) } catch {
        failure = error
        return false
      }
      return true
    }
    let isSound =
      entry.method == ZipFormat.stored
      ? copy(start..<(start + entry.packedSize), accept)
      : inflate(start..<(start + entry.packedSize), accept)
    if let failure { throw .receiver(failure) }
    guard isSound, count == entry.size, checksum.value == entry.checksum else {
      throw .archive(.corrupt(entry.name))
    }
  }

  /// The reason why an entry was not decompressed completely.
  package enum UnpackError<Failure: Error>: Error {
    /// The archive is damaged.
    case archive(ZipError)
    /// The receiver of the content threw an error.
    case receiver(Failure)
  }

  /// Decompresses an entry into memory.
  ///
  /// - Throws: ``ZipError``; `tooLarge` where the entry is larger than the limit in bytes.
  package func contents(of entry: Entry, limit: Int) throws(ZipError) -> [UInt8] {
    guard entry.size <= limit else { throw .tooLarge(entry.name) }
    var bytes: [UInt8] = []
    do throws(UnpackError<Never>) {
      try unpack(entry) { bytes += $0 }
    } catch {
      switch error {
      case .archive(let error): throw error
      }
    }
    return bytes
  }

  private func contentStart(of entry: Entry) throws(ZipError) -> Int {
    let header = read(entry.offset..<min(entry.offset + ZipFormat.localHeaderSize, size))
    guard header.count == ZipFormat.localHeaderSize,
      littleEndian(header, 0, 4) == ZipFormat.localHeader,
      littleEndian(header, 6, 2) & UInt64(ZipFormat.encryptionFlags) == 0,
      littleEndian(header, 8, 2) == entry.method
    else { throw .corrupt(entry.name) }
    let nameLength = Int(littleEndian(header, 26, 2))
    let nameStart = entry.offset + ZipFormat.localHeaderSize
    let start = nameStart + nameLength + Int(littleEndian(header, 28, 2))
    guard start <= size, entry.packedSize <= size - start,
      ZipName.text(read(nameStart..<min(nameStart + nameLength, size))) == entry.name
    else { throw .corrupt(entry.name) }
    return start
  }

  private func copy(_ range: Range<Int>, _ accept: (ArraySlice<UInt8>) -> Bool) -> Bool {
    pieces(range) { piece in accept(piece[...]) }
  }

  private func inflate(_ range: Range<Int>, _ accept: (ArraySlice<UInt8>) -> Bool) -> Bool {
    guard var inflater = Inflater(.raw) else { return false }
    var isSound = true
    let isWhole = pieces(range) { piece in
      // Bytes after the end of the stream would be hidden data, so they are an error.
      isSound = inflater.inflate(piece[...], accept) == piece.count
      return isSound
    }
    return isWhole && isSound && inflater.isFinished
  }

  private func pieces(_ range: Range<Int>, _ take: ([UInt8]) -> Bool) -> Bool {
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min(start + Self.pieceSize, range.upperBound)
      let piece = read(start..<end)
      guard piece.count == end - start, take(piece) else { return false }
      start = end
    }
    return true
  }

  // MARK: - The directory

  /// Reads and checks the entries of the directory; returns those of files.
  private static func entries(
    _ bytes: [UInt8], _ directory: Directory, totalLimit: Int
  ) throws(ZipError) -> [Entry] {
    var entries: [Entry] = []
    var names = Set<String>()
    var places: [(offset: Int, end: Int, name: String)] = []
    var total = 0
    var index = 0
    for _ in 0..<directory.count {
      let header = try CentralHeader(bytes, at: index)
      index += header.length
      let name = try header.checkedName()
      guard names.insert(name).inserted else { throw .repeatedName(name) }
      let entry = try header.entry(name)
      let headerSize = ZipFormat.localHeaderSize + header.nameLength
      guard entry.offset <= directory.range.lowerBound,
        headerSize <= directory.range.lowerBound - entry.offset,
        entry.packedSize <= directory.range.lowerBound - entry.offset - headerSize
      else { throw .damaged("'\(name)' lies outside of the file") }
      places.append((entry.offset, entry.offset + headerSize + entry.packedSize, name))
      guard entry.size <= totalLimit - total else { throw .tooLarge(name) }
      total += entry.size
      guard entry.size <= 1 << 20 || entry.size / maximumRatio <= entry.packedSize else {
        throw .bomb(name)
      }
      if header.isFolder {
        guard entry.size == 0 else { throw .damaged("the folder '\(name)' has content") }
      } else {
        entries.append(entry)
      }
    }
    guard index == bytes.count else { throw .damaged("its size is wrong") }
    places.sort { $0.offset < $1.offset }
    for (place, next) in zip(places, places.dropFirst()) where place.end > next.offset {
      throw .damaged("'\(next.name)' overlaps '\(place.name)'")
    }
    return entries
  }
}

/// The location of an archive's directory.
private struct Directory {
  let range: Range<Int>
  let count: Int

  /// Finds the directory (sections 4.3.14 to 4.3.16).
  init(size: Int, read: (Range<Int>) -> [UInt8]) throws(ZipError) {
    let tail = read(max(0, size - ZipFormat.endSize - 0xFFFF)..<size)
    guard
      let place = stride(from: tail.count - ZipFormat.endSize, through: 0, by: -1).first(where: {
        littleEndian(tail, $0, 4) == ZipFormat.end
          && Int(littleEndian(tail, $0 + 20, 2)) == tail.count - $0 - ZipFormat.endSize
      })
    else { throw .noDirectory }
    let end = size - tail.count + place
    guard littleEndian(tail, place + 4, 4) == 0 else { throw .severalParts }
    var count = littleEndian(tail, place + 10, 2)
    var length = littleEndian(tail, place + 12, 4)
    var start = littleEndian(tail, place + 16, 4)
    guard littleEndian(tail, place + 8, 2) == count else { throw .severalParts }
    var limit = end
    if count == 0xFFFF || length == 0xFFFF_FFFF || start == 0xFFFF_FFFF {
      let locator = end - ZipFormat.zip64LocatorSize
      guard locator >= 0 else { throw .noDirectory }
      let bytes = read(locator..<end)
      if bytes.count == ZipFormat.zip64LocatorSize,
        littleEndian(bytes, 0, 4) == ZipFormat.zip64Locator
      {
        guard let record = Int(exactly: littleEndian(bytes, 8, 8)),
          record <= locator - ZipFormat.zip64EndSize
        else { throw .damaged("its end is outside of the file") }
        let bytes = read(record..<(record + ZipFormat.zip64EndSize))
        guard bytes.count == ZipFormat.zip64EndSize,
          littleEndian(bytes, 0, 4) == ZipFormat.zip64End
        else { throw .noDirectory }
        guard littleEndian(bytes, 16, 8) == 0,
          littleEndian(bytes, 24, 8) == littleEndian(bytes, 32, 8)
        else { throw .severalParts }
        count = littleEndian(bytes, 32, 8)
        length = littleEndian(bytes, 40, 8)
        start = littleEndian(bytes, 48, 8)
        limit = record
      }
    }
    guard let first = Int(exactly: start), let length = Int(exactly: length), first <= limit,
      length <= limit - first
    else { throw .damaged("it lies outside of the file") }
    guard let number = Int(exactly: count), number <= length / ZipFormat.centralHeaderSize else {
      throw .damaged("it has fewer entries than it states")
    }
    (range, self.count) = (first..<(first + length), number)
  }
}

/// An entry of the directory (section 4.3.12).
private struct CentralHeader {
  private let bytes: [UInt8]
  private let start: Int
  let nameLength: Int
  private let extraLength: Int
  let length: Int

  init(_ bytes: [UInt8], at start: Int) throws(ZipError) {
    guard bytes.count - start >= ZipFormat.centralHeaderSize,
      littleEndian(bytes, start, 4) == ZipFormat.centralHeader
    else { throw .damaged("it has fewer entries than it states") }
    (self.bytes, self.start) = (bytes, start)
    nameLength = Int(littleEndian(bytes, start + 28, 2))
    extraLength = Int(littleEndian(bytes, start + 30, 2))
    length =
      ZipFormat.centralHeaderSize + nameLength + extraLength
      + Int(littleEndian(bytes, start + 32, 2))
    guard bytes.count - start >= length else { throw .damaged("an entry is cut off") }
  }

  private var nameBytes: ArraySlice<UInt8> {
    bytes[(start + ZipFormat.centralHeaderSize)...].prefix(nameLength)
  }

  var isFolder: Bool { nameBytes.last == UInt8(ascii: "/") }

  /// Returns the name; throws where it is not a relative path within its folder.
  func checkedName() throws(ZipError) -> String {
    let name = ZipName.text(nameBytes)
    guard ZipName.isSafe(nameBytes) else { throw .unsafeName(name) }
    return name
  }

  /// Returns the entry, with its Zip64 values; throws where it is encrypted, a link or a device,
  /// compressed by an unknown method, or inconsistent.
  func entry(_ name: String) throws(ZipError) -> ZipReader.Entry {
    let flags = UInt16(littleEndian(bytes, start + 8, 2))
    guard flags & ZipFormat.encryptionFlags == 0 else { throw .encrypted(name) }
    let method = UInt16(littleEndian(bytes, start + 10, 2))
    guard method == ZipFormat.stored || method == ZipFormat.deflated else {
      throw .unknownMethod(name)
    }
    // The file type of an entry made on a Unix system (sections 4.4.2 and 4.4.15, stat.h).
    let madeBy = bytes[start + 5]
    let fileType = littleEndian(bytes, start + 40, 2) & 0xF000
    let ordinary: [UInt64] = [0, 0x8000, isFolder ? 0x4000 : 0]
    guard madeBy != 3 && madeBy != 19 || ordinary.contains(fileType) else {
      throw .noRegularFile(name)
    }
    var packedSize = littleEndian(bytes, start + 20, 4)
    var size = littleEndian(bytes, start + 24, 4)
    var offset = littleEndian(bytes, start + 42, 4)
    var fields = zip64Fields
    for value in [0, 1, 2] {
      let short = [size, packedSize, offset][value]
      guard short == 0xFFFF_FFFF, let long = fields.popFirst() else { continue }
      switch value {
      case 0: size = long
      case 1: packedSize = long
      default: offset = long
      }
    }
    guard let size = Int(exactly: size), let packedSize = Int(exactly: packedSize),
      let offset = Int(exactly: offset), method != ZipFormat.stored || size == packedSize
    else { throw .damaged("the sizes of '\(name)' contradict each other") }
    return ZipReader.Entry(
      name: name, size: size, packedSize: packedSize,
      checksum: UInt32(truncatingIfNeeded: littleEndian(bytes, start + 16, 4)), method: method,
      offset: offset)
  }

  /// The 64-bit values of the Zip64 extra field (section 4.5.3), which replace values of
  /// 0xFFFFFFFF.
  private var zip64Fields: ArraySlice<UInt64> {
    var index = start + ZipFormat.centralHeaderSize + nameLength
    let end = index + extraLength
    while end - index >= 4 {
      let (id, size) = (littleEndian(bytes, index, 2), Int(littleEndian(bytes, index + 2, 2)))
      index += 4
      guard size <= end - index else { break }
      if id == ZipFormat.zip64Extra {
        return stride(from: index, to: index + size / 8 * 8, by: 8).map {
          littleEndian(bytes, $0, 8)
        }[...]
      }
      index += size
    }
    return []
  }
}

/// Checks and decodes the names of entries.
enum ZipName {
  /// Decodes a name; bytes that are not UTF-8 become U+FFFD.
  static func text(_ name: some Collection<UInt8>) -> String {
    String(decoding: name, as: UTF8.self)
  }

  /// Returns whether a name is a relative path within its folder on every system (section
  /// 4.4.17.1).
  static func isSafe(_ name: some Collection<UInt8>) -> Bool {
    guard !name.isEmpty, name.count <= 4096, name.first != UInt8(ascii: "/"),
      !name.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }),
      Array(name).dropFirst().first != UInt8(ascii: ":")
    else { return false }
    // A folder's name ends with a slash.
    var parts = name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if parts.last?.isEmpty == true { parts.removeLast() }
    return parts.allSatisfy { part in
      !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
    }
  }
}
