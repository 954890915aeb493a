extension JSONReader {
  /// How many elements of a column are handed over at a time: 8 KiB of numbers, which stay in the
  /// nearest cache.
  private static let batchCount = 1024
  /// Names of files are a dozen bytes.
  private static let stringBufferSize = 8192

  /// Reads an array of whole numbers, a batch at a time.
  ///
  /// - Parameters:
  ///   - null: What stands for `null`, which is an error where this is `nil`.
  ///   - body: Takes the next elements of the array.
  /// - Throws: Where the text is not such an array, and what `body` throws.
  package mutating func integers(
    null: Int64? = nil, _ body: (ArraySlice<Int64>) throws(JSONError) -> Void
  ) throws(JSONError) {
    try batches(PlainInteger(null: null), body) { reader throws(JSONError) in
      if let null, try reader.skipNull() { return null }
      return try reader.integer()
    }
  }

  /// Reads an array of numbers, a batch at a time; NaN stands for `null`.
  package mutating func doubles(
    _ body: (ArraySlice<Double>) throws(JSONError) -> Void
  ) throws(JSONError) {
    try batches(PlainDouble(), body) { reader throws(JSONError) in
      try reader.skipNull() ? .nan : try reader.double()
    }
  }

  /// Reads an array of `true` and `false`, a batch at a time.
  package mutating func booleans(
    _ body: (ArraySlice<Bool>) throws(JSONError) -> Void
  ) throws(JSONError) {
    try batches(PlainBoolean(), body) { reader throws(JSONError) in try reader.boolean() }
  }

  /// Reads an array of strings onto a table, one text after another, each as
  /// ``appendStringBytes(to:)`` reads it.
  ///
  /// - Parameters:
  ///   - texts: The bytes of all.
  ///   - ends: Where in `texts` each ends.
  /// - Throws: Where the text is not such an array, and where `texts` would be longer than 2 GiB.
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

  /// Reads past an array of whole numbers that are not wanted, and returns how many they are.
  ///
  /// They are held to be such: nothing but numbers, commas between them, none above 64 bits.
  package mutating func skipIntegers() throws(JSONError) -> Int {
    var count = 0
    try beginArray()
    while try nextElement() {
      _ = try integer()
      count += 1 + skipPlainIntegers()
    }
    return count
  }

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

  /// Reads the elements that follow as they are mostly written, up to the first that is not, and
  /// returns where in the batch they end.
  ///
  /// A column of a million numbers takes a fifth of the time that it takes by way of
  /// ``nextElement()``. Every element lies with its comma and what ends it in bytes that are there,
  /// and so do the eight bytes that are looked at last: none is longer than `longestPlainElement`,
  /// and the loop ends that far before the end.
  private mutating func takePlainElements<Form: PlainElement>(
    _ form: Form, into batch: inout [Form.Value], from start: Int
  ) -> Int {
    let last = min(endIndex - longestPlainElement, readOnIndex)
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

  /// Reads past numbers that follow as they are mostly written, and returns how many they are.
  ///
  /// Of each the comma, the sign and three words of eight bytes lie before the end.
  private mutating func skipPlainIntegers() -> Int {
    let last = min(endIndex - longestPlainElement, readOnIndex)
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
        // Nineteen digits may be too many for 64 bits where the first is 9.
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

  /// Reads the strings that follow, up to the first with an escape, with space before it, or
  /// without room in the buffer, where texts are put together, so that the table grows by many at a
  /// time.
  ///
  /// Names take a quarter of the time that they take by way of ``nextElement()``. The comma and the
  /// quote lie before the end; eight bytes are looked at only where there are eight, and room for
  /// as many.
  private mutating func takePlainStrings(
    onto texts: inout [UInt8], ends: inout [Int32], by buffer: inout [UInt8]
  ) {
    let last = min(endIndex - longestPlainElement, readOnIndex)
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

/// A comma, a sign, nineteen digits, a point and what ends the number are 23 bytes; of what follows
/// the last digit eight are looked at.
private let longestPlainElement = 32

/// How elements are mostly written; `take` gives `nil` where one is written otherwise.
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
    takeDigits(bytes, &position, onto: &magnitude, atMost: mostPlainDigits)
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
    takeDigits(bytes, &position, onto: &mantissa, atMost: mostPlainDigits)
    guard isWhole(bytes, start..<position) else { return nil }
    var decimals = 0
    if bytes[position] == UInt8(ascii: ".") {
      let rest = mostPlainDigits - (position - start)
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

/// So many digits are always below 2⁶⁴.
private let mostPlainDigits = 19

/// Eight bytes as one number, the first the lowest.
@inline(__always)
func word(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int) -> UInt64 {
  UInt64(
    littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(
      fromByteOffset: position, as: UInt64.self))
}

/// Each byte of a word is this byte.
@inline(__always)
private func eight(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }

/// Reads past a word of four letters, given as they lie in memory.
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

/// Reads digits onto a number, eight at a time, and stops after so many.
///
/// For coordinates that takes half the time of one digit after another.
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
    // Zeros in front, so that it is always eight that are put together: by pairs, by fours, and at
    // once.
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

/// How many of eight bytes come before one that is no digit.
@inline(__always)
private func digitCount(_ text: UInt64) -> Int {
  let digits = text ^ eight(0x30)
  // The upper bit of a byte is set where that is more than 9. Only a byte after such a one can be
  // mistaken.
  let others = ((digits &+ eight(0x76)) | digits) & eight(0x80)
  return others.trailingZeroBitCount >> 3
}

/// How many of eight bytes come before a quote, a backslash or a control character.
///
/// S. E. Anderson, "Bit Twiddling Hacks", "Determine if a word has a byte less than n": of the bits
/// that it sets, the lowest is right, and only that counts.
@inline(__always)
func plainLength(_ word: UInt64) -> Int {
  let (quote, backslash) = (word ^ eight(0x22), word ^ eight(0x5C))
  let stops =
    ((quote &- eight(1)) & ~quote) | ((backslash &- eight(1)) & ~backslash)
    | ((word &- eight(0x20)) & ~word)
  return (stops & eight(0x80)).trailingZeroBitCount >> 3
}

/// Whether there are digits, and no 0 before others.
@inline(__always)
private func isWhole(_ bytes: UnsafeBufferPointer<UInt8>, _ digits: Range<Int>) -> Bool {
  digits.count == 1 || (digits.count > 1 && bytes[digits.lowerBound] != 0x30)
}
