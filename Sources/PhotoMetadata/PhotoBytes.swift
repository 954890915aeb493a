import SystemPackage

/// The bytes of one file, read in pieces as they are asked for.
///
/// The head of the file, which holds the metadata of most photos, is read at once and kept; bytes
/// beyond it are read into a window that moves. What is read of a file is bounded, whatever the
/// offsets in it say. One reader serves any number of files in turn, in the same memory.
struct PhotoBytes: ~Copyable {
  /// The length of the head.
  static let headLength = 16 * 1024
  /// How much a read beyond the head asks for at least.
  static let windowLength = 4 * 1024
  /// How much is read of one file at most.
  static let budget = 4 * 1024 * 1024
  /// What lies beyond is not looked at, so that no sum of an offset and a length leaves the range
  /// of `Int`. Some file systems have files of 2⁶³−1 bytes, which are nearly all hole.
  private static let maximumCount = 1 << 60
  /// How much of the budget is left for reading what the search for metadata has found.
  private static let reserve = 512 * 1024

  /// The size of the file, as far as it is looked at.
  private(set) var count = 0
  /// How much was read of the file so far.
  private(set) var bytesRead = 0
  /// How often the system was asked for bytes of the file so far.
  private(set) var readCount = 0

  private var file: FileDescriptor?
  private var head: [UInt8] = []
  private var window: [UInt8] = []
  private var windowStart = 0
  private var isSearchOver = false

  init() {}

  /// Turns to an open file and reads its head.
  ///
  /// - Parameters:
  ///   - file: The file, which must stay open as long as bytes of it are asked for.
  ///   - count: Its size in bytes.
  /// - Throws: `PhotoBytesError.io` where the file cannot be read.
  mutating func open(_ file: FileDescriptor, count: Int) throws(PhotoBytesError) {
    self.file = file
    self.count = min(max(0, count), Self.maximumCount)
    (bytesRead, readCount) = (0, 0)
    isSearchOver = false
    window.removeAll(keepingCapacity: true)
    head = try read(at: 0, length: Self.headLength, into: exchange(&head, with: []))
  }

  /// Turns to bytes in memory.
  mutating func open(_ bytes: [UInt8]) {
    file = nil
    head = bytes
    count = bytes.count
    (bytesRead, readCount) = (0, 0)
  }

  /// Releases what was kept back of the budget for reading what was found.
  mutating func endSearch() { isSearchOver = true }

  mutating func byte(at offset: Int) throws(PhotoBytesError) -> UInt8 {
    if offset >= 0, offset < head.count { return head[offset] }
    let bytes = try bytes(at: offset, count: 1)
    return bytes[bytes.startIndex]
  }

  mutating func uint16(
    at offset: Int, _ order: ByteOrder
  ) throws(PhotoBytesError) -> UInt16 {
    // Nearly every number lies in the head, where no slice need be made.
    guard offset >= 0, offset <= head.count - 2 else {
      let bytes = try bytes(at: offset, count: 2)
      return Self.number(bytes[bytes.startIndex], bytes[bytes.startIndex + 1], order)
    }
    return Self.number(head[offset], head[offset + 1], order)
  }

  private static func number(_ first: UInt8, _ second: UInt8, _ order: ByteOrder) -> UInt16 {
    switch order {
    case .big: UInt16(first) << 8 | UInt16(second)
    case .little: UInt16(second) << 8 | UInt16(first)
    }
  }

  mutating func uint32(
    at offset: Int, _ order: ByteOrder
  ) throws(PhotoBytesError) -> UInt32 {
    let first = try uint16(at: offset, order)
    let second = try uint16(at: offset + 2, order)
    return switch order {
    case .big: UInt32(first) << 16 | UInt32(second)
    case .little: UInt32(second) << 16 | UInt32(first)
    }
  }

  mutating func uint64(
    at offset: Int, _ order: ByteOrder
  ) throws(PhotoBytesError) -> UInt64 {
    let first = UInt64(try uint32(at: offset, order))
    let second = UInt64(try uint32(at: offset + 4, order))
    return switch order {
    case .big: first << 32 | second
    case .little: second << 32 | first
    }
  }

  /// Returns bytes that must all be there. Where they have not been read yet, at least
  /// `minimumRead` bytes are; less than usual is enough where what follows is not of interest.
  mutating func bytes(
    at offset: Int, count length: Int, minimumRead: Int = Self.windowLength
  ) throws(PhotoBytesError) -> ArraySlice<UInt8> {
    guard offset >= 0, length >= 0, offset <= count, length <= count - offset else {
      throw .beyondEnd
    }
    if offset + length <= head.count { return head[offset..<offset + length] }
    if offset < windowStart || offset + length > windowStart + window.count {
      windowStart = offset
      window = try read(
        at: offset, length: max(length, minimumRead), into: exchange(&window, with: []))
    }
    // The file may have become shorter since its size was asked for.
    guard length <= window.count else { throw .beyondEnd }
    return window[offset - windowStart..<offset - windowStart + length]
  }

  /// Whether the bytes at an offset are those of an ASCII text; false where they run beyond the
  /// end.
  mutating func hasPrefix(
    _ text: StaticString, at offset: Int
  ) throws(PhotoBytesError) -> Bool {
    let length = text.utf8CodeUnitCount
    guard offset >= 0, offset <= count - length else { return false }
    let bytes = try bytes(at: offset, count: length)
    return text.withUTF8Buffer { unsafe $0.elementsEqual(bytes) }
  }

  /// Reads into the memory of an array that is no longer needed.
  private mutating func read(
    at offset: Int, length: Int, into memory: consuming [UInt8]
  ) throws(PhotoBytesError) -> [UInt8] {
    guard let file else { throw .beyondEnd }
    let length = min(length, count - offset)
    guard bytesRead + length <= Self.budget - (isSearchOver ? 0 : Self.reserve) else {
      throw .overBudget
    }
    if memory.count < length {
      memory.append(contentsOf: repeatElement(0, count: length - memory.count))
    } else {
      memory.removeLast(memory.count - length)
    }
    var filled = 0
    do {
      while filled < length {
        let got = try unsafe memory.withUnsafeMutableBytes { buffer in
          try unsafe file.read(
            fromAbsoluteOffset: Int64(offset + filled),
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
        }
        readCount += 1
        guard got > 0 else { break }
        filled += got
      }
    } catch {
      throw .io(error as? Errno ?? .ioError)
    }
    memory.removeLast(length - filled)
    bytesRead += filled
    return memory
  }
}

/// Which byte of a number comes first.
enum ByteOrder: Sendable {
  /// The highest: Motorola, `MM`.
  case big
  /// The lowest: Intel, `II`.
  case little
}

/// Why bytes could not be had.
enum PhotoBytesError: Error, Hashable {
  /// They lie beyond the end of the file.
  case beyondEnd
  /// More of the file would have to be read than is allowed.
  case overBudget
  /// The system could not read them.
  case io(Errno)
}
