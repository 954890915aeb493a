import SystemPackage

/// Buffered random access to the bytes of a file, with a limit on the number of bytes read.
///
/// The head of the file, which contains the metadata of most photos, is read at once and kept.
/// Later bytes are read into a movable window. The limit holds for any offsets in the file. An
/// instance can be reused for other files, and reuses its memory.
struct PhotoBytes: ~Copyable {
  /// The length of the head, in bytes.
  static let headLength = 16 * 1024
  /// The minimum length of a read beyond the head, in bytes.
  static let windowLength = 4 * 1024
  /// The maximum number of bytes read of one file.
  static let budget = 4 * 1024 * 1024
  /// The maximum size considered of a file, so that the sum of an offset and a length never
  /// overflows `Int`. Some file systems have sparse files of 2⁶³−1 bytes.
  private static let maximumCount = 1 << 60
  /// The part of the budget reserved for reading the metadata after it was located.
  private static let reserve = 512 * 1024

  /// The size of the file in bytes, limited to `maximumCount`.
  private(set) var count = 0
  /// The number of bytes read of the file so far.
  private(set) var bytesRead = 0
  /// The number of read calls for the file so far.
  private(set) var readCount = 0

  /// The part of the budget that is used.
  private var budgetUsed = 0
  private var file: FileDescriptor?
  private var head: [UInt8] = []
  private var window: [UInt8] = []
  private var windowStart = 0
  private var isSearchOver = false

  init() {}

  /// Switches to an open file and reads its head.
  ///
  /// - Parameters:
  ///   - file: The file, which must stay open while its bytes are accessed.
  ///   - count: The size of the file in bytes.
  /// - Throws: `PhotoBytesError.io` if the file cannot be read.
  mutating func open(_ file: FileDescriptor, count: Int) throws(PhotoBytesError) {
    self.file = file
    self.count = min(max(0, count), Self.maximumCount)
    (bytesRead, readCount, budgetUsed) = (0, 0, 0)
    isSearchOver = false
    window.removeAll(keepingCapacity: true)
    head = try read(at: 0, length: Self.headLength, into: exchange(&head, with: []))
  }

  /// Switches to bytes in memory.
  mutating func open(_ bytes: [UInt8]) {
    file = nil
    head = bytes
    count = bytes.count
    (bytesRead, readCount, budgetUsed) = (0, 0, 0)
  }

  /// Releases the reserved part of the budget, for reading the located metadata.
  mutating func endSearch() { isSearchOver = true }

  mutating func byte(at offset: Int) throws(PhotoBytesError) -> UInt8 {
    if offset >= 0, offset < head.count { return head[offset] }
    let bytes = try bytes(at: offset, count: 1)
    return bytes[bytes.startIndex]
  }

  mutating func uint16(
    at offset: Int, _ order: ByteOrder
  ) throws(PhotoBytesError) -> UInt16 {
    // Fast path without a slice: nearly every number is in the head.
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

  /// Returns bytes, all of which must be within the file.
  ///
  /// If they have not been read yet, at least `minimumRead` bytes are read. Pass a smaller number
  /// than the default if the bytes that follow are of no interest.
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
    // The file may have become shorter since its size was determined.
    guard length <= window.count else { throw .beyondEnd }
    return window[offset - windowStart..<offset - windowStart + length]
  }

  /// Returns bytes of a long block whose length the file gives; they do not count towards the
  /// budget. All of them must be within the file.
  mutating func piece(
    at offset: Int, count length: Int
  ) throws(PhotoBytesError) -> ArraySlice<UInt8> {
    guard offset >= 0, length >= 0, offset <= count, length <= count - offset else {
      throw .beyondEnd
    }
    if offset + length <= head.count { return head[offset..<offset + length] }
    windowStart = offset
    window = try read(
      at: offset, length: length, into: exchange(&window, with: []), isBudgeted: false)
    guard length <= window.count else { throw .beyondEnd }
    return window[...]
  }

  /// Returns whether the bytes at an offset are a given ASCII text; `false` if they extend beyond
  /// the end.
  mutating func hasPrefix(
    _ text: StaticString, at offset: Int
  ) throws(PhotoBytesError) -> Bool {
    let length = text.utf8CodeUnitCount
    guard offset >= 0, offset <= count - length else { return false }
    let bytes = try bytes(at: offset, count: length)
    return text.withUTF8Buffer { unsafe $0.elementsEqual(bytes) }
  }

  /// Reads bytes, reusing the memory of an array that is no longer needed.
  private mutating func read(
    at offset: Int, length: Int, into memory: consuming [UInt8], isBudgeted: Bool = true
  ) throws(PhotoBytesError) -> [UInt8] {
    guard let file else { throw .beyondEnd }
    let length = min(length, count - offset)
    guard !isBudgeted || budgetUsed + length <= Self.budget - (isSearchOver ? 0 : Self.reserve)
    else {
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
    if isBudgeted { budgetUsed += filled }
    return memory
  }
}

/// The order of the bytes in a number.
enum ByteOrder: Sendable {
  /// Most significant byte first: Motorola, `MM`.
  case big
  /// Least significant byte first: Intel, `II`.
  case little
}

/// A reason why bytes are not available.
enum PhotoBytesError: Error, Hashable {
  /// The bytes are beyond the end of the file.
  case beyondEnd
  /// The read budget would be exceeded.
  case overBudget
  /// The system could not read the bytes.
  case io(Errno)
}
