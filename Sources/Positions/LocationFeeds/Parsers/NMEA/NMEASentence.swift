import Encodings

/// An NMEA 0183 sentence in a line: the ranges of its fields, and their values.
///
/// One value is reused for all sentences, so that finding fields allocates no memory. Field 0 is
/// the address, for example `GPRMC`. Spaces around a value, which some receivers pad with, are
/// skipped.
struct NMEASentence: Sendable {
  /// The result of comparing the checksum.
  enum Checksum {
    /// The checksum matches the text.
    case right
    /// The checksum differs: the text was changed in transmission.
    case wrong
    /// There is no checksum, or less than its two digits.
    case missing
  }

  /// The number of fields that are read, more than any supported sentence has; the rest are
  /// ignored.
  static let maximumFields = 32

  private(set) var checksum = Checksum.missing
  /// The offset after the sentence: the start of the next one in the line, or the end of the line.
  private(set) var end = 0
  private var fields: [Range<Int>] = []

  /// Finds the fields of the sentence whose `$` or `!` is at the start of a range.
  mutating func scan(_ bytes: [UInt8], in range: Range<Int>) {
    fields.removeAll(keepingCapacity: true)
    checksum = .missing
    var sum: UInt8 = 0
    var fieldStart = range.lowerBound + 1
    var index = fieldStart
    scanning: while index < range.upperBound {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: ","):
        addField(fieldStart..<index)
        fieldStart = index + 1
      case UInt8(ascii: "*"), UInt8(ascii: "$"), UInt8(ascii: "!"): break scanning
      default: break
      }
      sum ^= byte
      index += 1
    }
    addField(fieldStart..<index)
    if index < range.upperBound, bytes[index] == UInt8(ascii: "*") {
      compareChecksum(sum, with: bytes, in: index + 1..<range.upperBound)
    }
    while index < range.upperBound, !Self.isStart(bytes[index]) { index += 1 }
    end = index
  }

  /// Returns whether a byte begins a sentence: `$`, or the `!` of encapsulated data such as AIS.
  static func isStart(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!")
  }

  private mutating func addField(_ field: Range<Int>) {
    if fields.count < Self.maximumFields { fields.append(field) }
  }

  private mutating func compareChecksum(_ sum: UInt8, with bytes: [UInt8], in rest: Range<Int>) {
    guard rest.count >= 2, !bytes[rest.prefix(2)].contains(where: Self.isStart) else { return }
    checksum = Hexadecimal.byte(bytes[rest.prefix(2)]) == sum ? .right : .wrong
  }

  // MARK: - Fields

  /// The number of fields after the address.
  var count: Int { fields.count - 1 }

  /// Returns the range of a field without the spaces around it; empty where there is no such field.
  func field(_ number: Int, of bytes: [UInt8]) -> Range<Int> {
    guard fields.indices.contains(number) else { return 0..<0 }
    var field = fields[number]
    while let first = field.first, bytes[first] == 0x20 { field = first + 1..<field.upperBound }
    while let last = field.last, bytes[last] == 0x20 { field = field.lowerBound..<last }
    return field
  }

  /// Returns whether a field is empty or missing.
  func isEmpty(_ number: Int, of bytes: [UInt8]) -> Bool { field(number, of: bytes).isEmpty }

  /// Returns the only letter or digit of a field; `nil` where the field is longer or empty.
  func letter(_ number: Int, of bytes: [UInt8]) -> Unicode.Scalar? {
    let field = field(number, of: bytes)
    guard field.count == 1 else { return nil }
    return Unicode.Scalar(bytes[field.lowerBound])
  }

  /// Returns the value of a decimal field; `nil` where it is empty or not a decimal number.
  func number(_ number: Int, of bytes: [UInt8]) -> Double? {
    DecimalField(bytes, field(number, of: bytes))?.value
  }
}

/// A decimal number, split into sign, digits and fraction.
///
/// A number with more than 18 digits before the point is rejected; no field has as many. After the
/// point, 15 digits are read and the rest is cut off.
struct DecimalField {
  /// Whether the number begins with a minus sign.
  let isNegative: Bool
  /// The digits before the point.
  let whole: Int
  /// The number of digits before the point.
  let wholeDigits: Int
  /// The digits after the point as a fraction, 0 ..< 1.
  let fraction: Double
  /// The first three digits after the point, as thousandths.
  let thousandths: Int

  /// Reads an optional sign and digits with at most one point; returns `nil` for any other content.
  init?(_ bytes: [UInt8], _ field: Range<Int>) {
    var index = field.lowerBound
    let end = field.upperBound
    var isNegative = false
    if index < end, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
      isNegative = bytes[index] == UInt8(ascii: "-")
      index += 1
    }
    var whole = 0
    let wholeStart = index
    while index < end, case let digit = bytes[index] &- 0x30, digit <= 9 {
      guard index - wholeStart < 18 else { return nil }
      whole = whole * 10 + Int(digit)
      index += 1
    }
    wholeDigits = index - wholeStart
    var fractionDigits = 0
    var mantissa = 0
    var thousandths = 0
    if index < end, bytes[index] == UInt8(ascii: ".") {
      index += 1
      while index < end, case let digit = bytes[index] &- 0x30, digit <= 9 {
        if fractionDigits < 15 {
          mantissa = mantissa * 10 + Int(digit)
          fractionDigits += 1
          if fractionDigits <= 3 { thousandths = mantissa }
        }
        index += 1
      }
    }
    guard index == end, wholeDigits + fractionDigits > 0 else { return nil }
    for _ in fractionDigits..<max(fractionDigits, 3) { thousandths *= 10 }
    self.isNegative = isNegative
    self.whole = whole
    self.thousandths = thousandths
    fraction = Double(mantissa) / Self.powersOfTen[fractionDigits]
  }

  /// The value with sign and fraction.
  var value: Double {
    let magnitude = Double(whole) + fraction
    return isNegative ? -magnitude : magnitude
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]
}
