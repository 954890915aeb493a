extension JSONReader {
  /// How many elements of a column are handed over at a time: 8 KiB of numbers, which stay in the nearest cache.
  private static let batchCount = 1024

  /// Reads an array of whole numbers, a batch at a time.
  ///
  /// - Parameters:
  ///   - null: What stands for `null`, which is an error where this is `nil`.
  ///   - body: Takes the next elements of the array.
  /// - Throws: Where the text is not such an array, and what `body` throws.
  package mutating func integers(
    null: Int64? = nil, _ body: ([Int64]) throws(JSONError) -> Void
  ) throws(JSONError) {
    try batches(PlainInteger(null: null), body) { reader throws(JSONError) in
      if let null, try reader.skipNull() { return null }
      return try reader.integer()
    }
  }

  /// Reads an array of numbers, a batch at a time; NaN stands for `null`.
  package mutating func doubles(
    _ body: ([Double]) throws(JSONError) -> Void
  ) throws(JSONError) {
    try batches(PlainDouble(), body) { reader throws(JSONError) in
      try reader.skipNull() ? .nan : try reader.double()
    }
  }

  /// Reads an array of `true` and `false`, a batch at a time.
  package mutating func booleans(
    _ body: ([Bool]) throws(JSONError) -> Void
  ) throws(JSONError) {
    try batches(PlainBoolean(), body) { reader throws(JSONError) in try reader.boolean() }
  }

  private mutating func batches<Form: PlainElement>(
    _ form: Form, _ body: ([Form.Value]) throws(JSONError) -> Void,
    _ element: (inout JSONReader) throws(JSONError) -> Form.Value
  ) throws(JSONError) {
    var batch: [Form.Value] = []
    batch.reserveCapacity(Self.batchCount)
    try beginArray()
    while try nextElement() {
      batch.append(try element(&self))
      takePlainElements(form, onto: &batch)
      if batch.count >= Self.batchCount {
        try body(batch)
        batch.removeAll(keepingCapacity: true)
      }
    }
    if !batch.isEmpty { try body(batch) }
  }

  /// Reads the elements that follow as they are mostly written, up to the first that is not.
  ///
  /// A column of a million numbers takes a quarter of the time that it takes by way of ``nextElement()``. Every
  /// element lies with its comma and what ends it in bytes that are there: none is longer than `longestPlainElement`, and
  /// the loop ends that far before the end.
  private mutating func takePlainElements<Form: PlainElement>(
    _ form: Form, onto batch: inout [Form.Value]
  ) {
    let last = min(endIndex - longestPlainElement, readOnIndex)
    position = bytes.withUnsafeBufferPointer { bytes in
      var position = position
      while batch.count < Self.batchCount, position <= last, bytes[position] == UInt8(ascii: ",") {
        var next = position + 1
        guard let value = form.take(bytes, &next),
          bytes[next] == UInt8(ascii: ",") || bytes[next] == UInt8(ascii: "]")
        else { break }
        batch.append(value)
        position = next
      }
      return position
    }
  }
}

/// A comma, a sign, nineteen digits, a point, and what ends the number.
private let longestPlainElement = 32

/// How elements are mostly written; `take` gives `nil` where one is written otherwise.
private protocol PlainElement {
  associatedtype Value
  func take(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> Value?
}

private struct PlainInteger: PlainElement {
  let null: Int64?

  @inline(__always)
  func take(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> Int64? {
    if let null, takeWord(0x6C6C_756E, bytes, &position) { return null }
    let isNegative = takeMinus(bytes, &position)
    let start = position
    let magnitude = takeDigits(bytes, &position)
    guard isWhole(bytes, start..<position), let value = Int64(exactly: magnitude) else {
      return nil
    }
    return isNegative ? -value : value
  }
}

private struct PlainDouble: PlainElement {
  @inline(__always)
  func take(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> Double? {
    if takeWord(0x6C6C_756E, bytes, &position) { return .nan }
    let isNegative = takeMinus(bytes, &position)
    let start = position
    var mantissa = takeDigits(bytes, &position)
    guard isWhole(bytes, start..<position) else { return nil }
    var decimals = 0
    if bytes[position] == UInt8(ascii: ".") {
      position += 1
      let point = position
      let limit = point + mostPlainDigits - (point - 1 - start)
      mantissa = takeDigits(bytes, &position, mantissa, before: limit)
      decimals = position - point
      guard decimals > 0 else { return nil }
    }
    let value = DecimalNumber(mantissa: mantissa, decimals: decimals).value
    return isNegative ? -value : value
  }
}

private struct PlainBoolean: PlainElement {
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

/// Reads at most nineteen digits onto a number.
@inline(__always)
private func takeDigits(
  _ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int, _ number: UInt64 = 0,
  before limit: Int? = nil
) -> UInt64 {
  let limit = limit ?? position + mostPlainDigits
  var number = number
  while position < limit, case let digit = bytes[position] &- 0x30, digit <= 9 {
    number = number &* 10 &+ UInt64(digit)
    position += 1
  }
  return number
}

/// Whether there are digits, and no 0 before others.
@inline(__always)
private func isWhole(_ bytes: UnsafeBufferPointer<UInt8>, _ digits: Range<Int>) -> Bool {
  digits.count == 1 || (digits.count > 1 && bytes[digits.lowerBound] != 0x30)
}
