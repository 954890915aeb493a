extension JSONReader {
  /// The number of elements passed to a callback at a time: 8 KiB of numbers fit in the L1 cache.
  private static let batchCount = 1024
  /// The size in bytes of the buffer that collects strings; a file name is about a dozen bytes
  /// long.
  private static let stringBufferSize = 8192

  /// Reads an array of integers and passes them on in batches.
  ///
  /// - Parameters:
  ///   - null: The value that replaces `null`; if this is `nil`, a `null` is an error.
  ///   - body: A closure that receives each batch of elements in order.
  /// - Throws: A `JSONError` if the text is not such an array, or the error that `body` throws.
  package mutating func integers(
    null: Int64? = nil, _ body: (ArraySlice<Int64>) throws(JSONError) -> Void
  ) throws(JSONError) {
    try batches(PlainInteger(null: null), body) { reader throws(JSONError) in
      if let null, try reader.skipNull() { return null }
      return try reader.integer()
    }
  }

  /// Reads an array of numbers and passes them on in batches; `null` becomes NaN.
  package mutating func doubles(
    _ body: (ArraySlice<Double>) throws(JSONError) -> Void
  ) throws(JSONError) {
    try batches(PlainDouble(), body) { reader throws(JSONError) in
      try reader.skipNull() ? .nan : try reader.double()
    }
  }

  /// Reads an array of Booleans and passes them on in batches.
  package mutating func booleans(
    _ body: (ArraySlice<Bool>) throws(JSONError) -> Void
  ) throws(JSONError) {
    try batches(PlainBoolean(), body) { reader throws(JSONError) in try reader.boolean() }
  }

  /// Reads an array of strings and appends their bytes to a table, each decoded as in
  /// ``appendStringBytes(to:)``.
  ///
  /// - Parameters:
  ///   - texts: The bytes of all strings, concatenated.
  ///   - ends: The end offset in `texts` of each string.
  /// - Throws: A `JSONError` if the text is not such an array, or if `texts` would exceed 2 GiB.
  package mutating func strings(
    onto texts: inout [UInt8], ends: inout [Int32]
  ) throws(JSONError) {
    var buffer = [UInt8](repeating: 0, count: Self.stringBufferSize)
    try beginArray()
    while try nextElement() {
      try appendStringBytes(to: &texts)
      guard let end = Int32(exactly: texts.count) else {
        throw JSONError(offset: offset, reason: "the strings of a column are longer than 2 GiB")
      }
      ends.append(end)
      takePlainStrings(onto: &texts, ends: &ends, by: &buffer)
    }
  }

  /// Skips an array of integers, and returns their number.
  ///
  /// The array is still validated: it may contain only integers that fit in 64 bits.
  package mutating func skipIntegers() throws(JSONError) -> Int {
    var count = 0
    try beginArray()
    while try nextElement() {
      _ = try integer()
      count += 1 + skipPlainIntegers()
    }
    return count
  }

  /// Reads an array in batches: elements in the usual form with `form`, others with `element`.
  private mutating func batches<Form: PlainElement>(
    _ form: Form, _ body: (ArraySlice<Form.Value>) throws(JSONError) -> Void,
    _ element: (inout JSONReader) throws(JSONError) -> Form.Value
  ) throws(JSONError) {
    var batch = Array(repeating: Form.zero, count: Self.batchCount)
    var count = 0
    try beginArray()
    while try nextElement() {
      batch[count] = try element(&self)
      count = takePlainElements(form, into: &batch, from: count + 1)
      if count == batch.count {
        try body(batch[...])
        count = 0
      }
    }
    if count > 0 { try body(batch[..<count]) }
  }

  /// Reads as many of the following elements as are in plain form, and returns the new number of
  /// elements in the batch.
  ///
  /// This takes a fifth of the time of ``nextElement()`` for a column of a million numbers. No
  /// bounds are checked per byte: an element with its comma and its terminator, and the eight bytes
  /// loaded at its last digit, are shorter than `longestPlainElement`, and the loop stops that far
  /// before the end of the bytes.
  private mutating func takePlainElements<Form: PlainElement>(
    _ form: Form, into batch: inout [Form.Value], from start: Int
  ) -> Int {
    let last = min(endIndex - longestPlainElement, refillIndex)
    var count = start
    position = bytes.withUnsafeBufferPointer { bytes in
      var position = position
      batch.withUnsafeMutableBufferPointer { batch in
        while count < batch.count, position <= last, bytes[position] == UInt8(ascii: ",") {
          var next = position + 1
          guard let value = form.take(bytes, &next),
            bytes[next] == UInt8(ascii: ",") || bytes[next] == UInt8(ascii: "]")
          else { break }
          batch[count] = value
          count += 1
          position = next
        }
      }
      return position
    }
    return count
  }

  /// Skips the following integers that are in plain form, and returns their number.
  ///
  /// A comma, a sign and three words of eight bytes are shorter than `longestPlainElement`, so all
  /// loads are within the bytes.
  private mutating func skipPlainIntegers() -> Int {
    let last = min(endIndex - longestPlainElement, refillIndex)
    var count = 0
    position = bytes.withUnsafeBufferPointer { bytes in
      var position = position
      while position <= last, bytes[position] == UInt8(ascii: ",") {
        var next = position + 1
        _ = takeMinus(bytes, &next)
        let start = next
        var digits = 0
        repeat {
          digits = digitCount(word(bytes, next))
          next += digits
        } while digits == 8 && next - start < 24
        // Nineteen digits may overflow 64 bits if the first is 9.
        guard next - start < 19 || (next - start == 19 && bytes[start] < UInt8(ascii: "9")),
          isWhole(bytes, start..<next),
          bytes[next] == UInt8(ascii: ",") || bytes[next] == UInt8(ascii: "]")
        else { break }
        count += 1
        position = next
      }
      return position
    }
    return count
  }

  /// Reads the following strings up to the first that has an escape, that has space before it, or
  /// that does not fit in the buffer.
  ///
  /// The strings are collected in the buffer first, so that the table grows by many at a time. File
  /// names take a quarter of the time of ``nextElement()``. The comma and the quote are within the
  /// bytes because of `longestPlainElement`; a word of eight bytes is loaded only if the bytes and
  /// the buffer have room for it.
  private mutating func takePlainStrings(
    onto texts: inout [UInt8], ends: inout [Int32], by buffer: inout [UInt8]
  ) {
    let last = min(endIndex - longestPlainElement, refillIndex)
    guard texts.count <= Int(Int32.max) - buffer.count else { return }
    let start = texts.count
    var filled = 0
    position = bytes.withUnsafeBufferPointer { bytes in
      buffer.withUnsafeMutableBytes { buffer in
        var position = position
        while position <= last, bytes[position] == UInt8(ascii: ","),
          bytes[position + 1] == UInt8(ascii: "\"")
        {
          var (next, textEnd, plain) = (position + 2, filled, 8)
          while plain == 8, next + 8 <= endIndex, textEnd + 8 <= buffer.count {
            let word = word(bytes, next)
            buffer.storeBytes(of: word.littleEndian, toByteOffset: textEnd, as: UInt64.self)
            plain = plainLength(word)
            next += plain
            textEnd += plain
          }
          guard plain < 8, bytes[next] == UInt8(ascii: "\"") else { break }
          filled = textEnd
          ends.append(Int32(truncatingIfNeeded: start + filled))
          position = next + 1
        }
        return position
      }
    }
    texts.append(contentsOf: buffer[..<filled])
  }
}

/// A bound on the length of an element in plain form, including the bytes loaded beyond it: a
/// comma, a sign, nineteen digits, a point and a terminator are 23 bytes, and eight bytes are
/// loaded at the last digit.
private let longestPlainElement = 32

/// A parser of elements in the usual form; `take` returns `nil` for any other form, which the
/// general parser handles.
private protocol PlainElement {
  associatedtype Value
  static var zero: Value { get }
  func take(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> Value?
}

private struct PlainInteger: PlainElement {
  static let zero: Int64 = 0
  let null: Int64?

  @inline(__always)
  func take(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> Int64? {
    if let null, takeWord(0x6C6C_756E, bytes, &position) { return null }
    let isNegative = takeMinus(bytes, &position)
    let start = position
    var magnitude: UInt64 = 0
    takeDigits(bytes, &position, onto: &magnitude, atMost: maximumPlainDigits)
    guard isWhole(bytes, start..<position), let value = Int64(exactly: magnitude) else {
      return nil
    }
    return isNegative ? -value : value
  }
}

private struct PlainDouble: PlainElement {
  static let zero = 0.0

  @inline(__always)
  func take(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> Double? {
    if takeWord(0x6C6C_756E, bytes, &position) { return .nan }
    let isNegative = takeMinus(bytes, &position)
    let start = position
    var mantissa: UInt64 = 0
    takeDigits(bytes, &position, onto: &mantissa, atMost: maximumPlainDigits)
    guard isWhole(bytes, start..<position) else { return nil }
    var decimals = 0
    if bytes[position] == UInt8(ascii: ".") {
      let rest = maximumPlainDigits - (position - start)
      position += 1
      let point = position
      takeDigits(bytes, &position, onto: &mantissa, atMost: rest)
      decimals = position - point
      guard decimals > 0 else { return nil }
    }
    let value = DecimalNumber(mantissa: mantissa, decimals: decimals).value
    return isNegative ? -value : value
  }
}

private struct PlainBoolean: PlainElement {
  static let zero = false

  @inline(__always)
  func take(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> Bool? {
    if takeWord(0x6575_7274, bytes, &position) { return true }
    guard takeWord(0x736C_6166, bytes, &position), bytes[position] == UInt8(ascii: "e") else {
      return nil
    }
    position += 1
    return false
  }
}

/// The maximum number of digits of a number in plain form; the value is below 2⁶⁴.
private let maximumPlainDigits = 19

/// Loads eight bytes as an integer, the first byte as the least significant.
@inline(__always)
func word(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int) -> UInt64 {
  UInt64(
    littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(
      fromByteOffset: position, as: UInt64.self))
}

/// Returns a word with the given value in each of its eight bytes.
@inline(__always)
private func eight(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }

/// Skips four letters, given as a little-endian word, and returns whether they were there.
@inline(__always)
private func takeWord(
  _ word: UInt32, _ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int
) -> Bool {
  let next = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: position, as: UInt32.self)
  guard UInt32(littleEndian: next) == word else { return false }
  position += 4
  return true
}

@inline(__always)
private func takeMinus(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> Bool {
  guard bytes[position] == UInt8(ascii: "-") else { return false }
  position += 1
  return true
}

/// Reads at most `limit` digits and appends them to a number, eight digits at a time.
///
/// Coordinates take half the time of reading digit by digit.
@inline(__always)
private func takeDigits(
  _ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int, onto number: inout UInt64,
  atMost limit: Int
) {
  var rest = limit
  while rest > 0 {
    let text = word(bytes, position)
    let count = min(digitCount(text), rest)
    guard count > 0 else { return }
    // Pad with leading zeros to eight digits, then combine them into pairs and fours, and those
    // into the number.
    let padded = (text ^ eight(0x30)) << UInt64(64 - 8 * count)
    let pairs = padded &* 10 &+ padded >> 8
    let upper = (pairs & 0x0000_00FF_0000_00FF) &* (100 + 1_000_000 << 32)
    let lower = (pairs >> 16 & 0x0000_00FF_0000_00FF) &* (1 + 10_000 << 32)
    number = number &* DecimalNumber.powersOfTen[count] &+ (upper &+ lower) >> 32
    position += count
    rest -= count
    guard count == 8 else { return }
  }
}

/// Returns the number of digits at the start of eight bytes.
@inline(__always)
private func digitCount(_ text: UInt64) -> Int {
  let digits = text ^ eight(0x30)
  // The high bit of a byte is set if the byte is greater than 9. A carry can only corrupt bytes
  // after the first such byte, which do not matter.
  let others = ((digits &+ eight(0x76)) | digits) & eight(0x80)
  return others.trailingZeroBitCount >> 3
}

/// Returns the number of bytes before the first quote, backslash or control character, 0–8.
///
/// From S. E. Anderson, "Bit Twiddling Hacks", "Determine if a word has a byte less than n". The
/// lowest bit that the method sets is always correct, and only that bit is used.
@inline(__always)
func plainLength(_ word: UInt64) -> Int {
  let (quote, backslash) = (word ^ eight(0x22), word ^ eight(0x5C))
  let stops =
    ((quote &- eight(1)) & ~quote) | ((backslash &- eight(1)) & ~backslash)
    | ((word &- eight(0x20)) & ~word)
  return (stops & eight(0x80)).trailingZeroBitCount >> 3
}

/// Whether a range is a valid integer part: at least one digit, without a leading zero.
@inline(__always)
private func isWhole(_ bytes: UnsafeBufferPointer<UInt8>, _ digits: Range<Int>) -> Bool {
  digits.count == 1 || (digits.count > 1 && bytes[digits.lowerBound] != 0x30)
}
