/// Converts text in UTF-16, or with a byte-order mark, to UTF-8 without one, chunk by chunk.
///
/// UTF-16 without a mark is recognised by the zero bytes of its first two characters. Other text
/// without a mark is passed through unchanged. Unpaired surrogates become U+FFFD (The Unicode
/// Standard, section 3.9).
struct TextDecoder: Sendable {
  private enum Encoding {
    case undecided
    case bytes
    case utf16(isBigEndian: Bool)
  }

  private var encoding = Encoding.undecided
  /// Bytes that may be the start of a byte-order mark, or of UTF-16 without one.
  private var head: [UInt8] = []
  /// The first byte of a UTF-16 code unit whose second byte has not arrived.
  private var pendingByte: UInt8?
  private var highSurrogate: UInt16?

  /// Returns the decoded text of a chunk, as far as it is complete.
  mutating func decode(_ chunk: [UInt8]) -> [UInt8] {
    switch encoding {
    case .bytes: return chunk
    case .utf16(let isBigEndian): return transcode(chunk[...], isBigEndian: isBigEndian)
    case .undecided:
      head.append(contentsOf: chunk)
      return decodeHead()
    }
  }

  /// Returns the remaining text at the end.
  mutating func finish() -> [UInt8] {
    var rest = head
    head = []
    if highSurrogate != nil || pendingByte != nil { Self.append(Self.replacement, to: &rest) }
    highSurrogate = nil
    pendingByte = nil
    return rest
  }

  private mutating func decodeHead() -> [UInt8] {
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
      let isBigEndian = head[0] == 0xFE
      encoding = .utf16(isBigEndian: isBigEndian)
      defer { head = [] }
      return transcode(head[2...], isBigEndian: isBigEndian)
    }
    let marks: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF], [0xEF, 0xBB, 0xBF]]
    if marks.contains(where: { $0.count > head.count && $0.starts(with: head) }) { return [] }
    if head.count < 2 || head.count < 4 && (head[0] == 0) != (head[1] == 0) { return [] }
    // The first two characters of a feed are ASCII.
    let zeros = head.prefix(4).map { $0 == 0 }
    if zeros == [true, false, true, false] || zeros == [false, true, false, true] {
      encoding = .utf16(isBigEndian: zeros[0])
      defer { head = [] }
      return transcode(head[...], isBigEndian: zeros[0])
    }
    encoding = .bytes
    defer { head = [] }
    return head.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(head[3...]) : head
  }

  private mutating func transcode(_ chunk: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(chunk.count / 2 + 2)
    for byte in chunk {
      guard let first = pendingByte else {
        pendingByte = byte
        continue
      }
      pendingByte = nil
      let (high, low) = isBigEndian ? (first, byte) : (byte, first)
      appendUnit(UInt16(high) << 8 | UInt16(low), to: &text)
    }
    return text
  }

  private mutating func appendUnit(_ unit: UInt16, to text: inout [UInt8]) {
    if let high = highSurrogate {
      highSurrogate = nil
      if (0xDC00..<0xE000).contains(unit) {
        let scalar = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00)
        return Self.append(Unicode.Scalar(scalar) ?? Self.replacement, to: &text)
      }
      Self.append(Self.replacement, to: &text)
    }
    switch unit {
    case 0..<0x80: text.append(UInt8(truncatingIfNeeded: unit))
    case 0xD800..<0xDC00: highSurrogate = unit
    default: Self.append(Unicode.Scalar(unit) ?? Self.replacement, to: &text)
    }
  }

  private static let replacement: Unicode.Scalar = "\u{FFFD}"

  private static func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
    text.append(contentsOf: Character(scalar).utf8)
  }
}
