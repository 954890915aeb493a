/// Writes JSON (RFC 8259) as bytes, without building a tree.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.object { writer in
///   writer.member("id", "k3v9")
///   writer.member("distance", 12.5)
///   writer.member("altitude", nil as Double?)  // left out
/// }
/// ```
///
/// Strings given as bytes that are not UTF-8 survive: each such byte is written as a lone surrogate
/// `\udc80`–`\udcff` (as in Python's PEP 383), which ``JSONReader/stringBytes()`` turns back;
/// that is for files of our own, since other readers may refuse it. A `Double` is written with the
/// fewest digits that read back as the same value; one that is not finite, which JSON cannot write,
/// as `null`.
public struct JSONWriter {
  /// How the text is laid out.
  public enum Layout: Sendable {
    /// Everything on one line, without spaces.
    case compact
    /// A line for each member and element, indented by two spaces.
    case indented
  }

  /// The text so far.
  public internal(set) var bytes: [UInt8] = []
  let layout: Layout
  private var depth = 0
  /// Whether the next value in the open container needs a comma before it.
  var needsComma = false

  /// Creates a writer with nothing written.
  public init(layout: Layout = .compact) {
    self.layout = layout
  }

  /// The text so far as a `String`.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Hands over the text so far and starts anew in the same place, to write a large document in
  /// parts.
  public mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Appends a line feed, as NDJSON has it after each document, so that another document can
  /// follow.
  public mutating func newline() {
    bytes.append(0x0A)
    needsComma = false
  }

  /// Begins the next element of the array that is open on a line of its own, in a document that is
  /// compact otherwise.
  package mutating func beginLine() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
    bytes.append(0x0A)
  }

  // MARK: - Containers

  /// Writes an object whose members the closure writes.
  public mutating func object<E: Error>(
    _ members: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    try container("{", "}", members)
  }

  /// Writes an array whose elements the closure writes.
  public mutating func array<E: Error>(
    _ elements: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    try container("[", "]", elements)
  }

  /// Writes a member that is an object.
  public mutating func object<E: Error>(
    _ key: String, _ members: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    self.key(key)
    try container("{", "}", members)
  }

  /// Writes a member that is an array.
  public mutating func array<E: Error>(
    _ key: String, _ elements: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    self.key(key)
    try container("[", "]", elements)
  }

  // MARK: - Members

  /// Writes a key; exactly one value must follow.
  public mutating func key(_ key: String) {
    separate()
    appendString(key.utf8)
    bytes.append(UInt8(ascii: ":"))
    if layout == .indented { bytes.append(0x20) }
    needsComma = false
    isAfterKey = true
  }

  /// Writes a member that is a string; `nil` leaves the member out.
  public mutating func member(_ key: String, _ value: String?) {
    guard let value else { return }
    self.key(key)
    string(value)
  }

  /// Writes a member that is a number; `nil` leaves the member out.
  public mutating func member(_ key: String, _ value: Double?) {
    guard let value else { return }
    self.key(key)
    number(value)
  }

  /// Writes a member that is a whole number; `nil` leaves the member out.
  @inlinable
  public mutating func member(_ key: String, _ value: (some FixedWidthInteger)?) {
    guard let value else { return }
    self.key(key)
    integer(value)
  }

  /// Writes a member that is true or false; `nil` leaves the member out.
  public mutating func member(_ key: String, _ value: Bool?) {
    guard let value else { return }
    self.key(key)
    boolean(value)
  }

  // MARK: - Values

  /// Writes a string.
  public mutating func string(_ value: String) {
    separate()
    appendString(value.utf8)
    needsComma = true
  }

  /// Writes a string of bytes that are mostly, but need not be, UTF-8: a file's name.
  @inlinable
  public mutating func string(bytes value: some BidirectionalCollection<UInt8>) {
    if value.withContiguousStorageIfAvailable({ writePlainString($0) }) == true { return }
    writeString(bytes: Array(value))
  }

  /// Writes a string in which nothing needs to be escaped, as most names are; false where that is
  /// not so.
  @usableFromInline
  mutating func writePlainString(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    var mustEscape = false
    for byte in value where byte < 0x20 || byte > 0x7E || byte == 0x22 || byte == 0x5C {
      mustEscape = true
    }
    if mustEscape { return false }
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: value)
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
    return true
  }

  @usableFromInline
  mutating func writeString(bytes value: [UInt8]) {
    separate()
    if String(validating: value, as: UTF8.self) != nil {
      appendString(value)
    } else {
      appendMalformed(value)
    }
    needsComma = true
  }

  /// Writes a number; one that is not finite as `null`.
  public mutating func number(_ value: Double) {
    separate()
    if !value.isFinite {
      bytes.append(contentsOf: "null".utf8)
    } else if value.rounded(.towardZero) == value, abs(value) < 1e15 {
      appendInteger(Int64(Int(bounded: value)))
    } else if !appendFewDecimals(value), !appendDecimals(value) {
      bytes.append(contentsOf: value.description.utf8)
    }
    needsComma = true
  }

  /// Writes a number that has one or two decimals, as altitudes and headings have; false for
  /// another one.
  ///
  /// A fifth of the time of `description`, with the same text: the number of hundredths is below
  /// 2^53, so that their quotient reads back as the value, and no other number of hundredths does.
  private mutating func appendFewDecimals(_ value: Double) -> Bool {
    let approximate = abs(value) * 100 + 0.5
    guard approximate < 1e15 else { return false }
    // A conversion, since rounding calls the C library's.
    let hundredths = UInt64(Int(bounded: approximate))
    guard Double(hundredths) / 100 == abs(value) else { return false }
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    appendInteger(Int64(whole))
    bytes.append(UInt8(ascii: "."))
    let (tenths, last) = rest.quotientAndRemainder(dividingBy: 10)
    bytes.append(0x30 + UInt8(truncatingIfNeeded: tenths))
    if last > 0 { bytes.append(0x30 + UInt8(truncatingIfNeeded: last)) }
    return true
  }

  /// Writes a whole number.
  @inlinable
  public mutating func integer(_ value: some FixedWidthInteger) {
    if let value = Int64(exactly: value) {
      writeInteger(value)
    } else {
      writeDigits(String(value))
    }
  }

  @usableFromInline
  mutating func writeInteger(_ value: Int64) {
    separate()
    appendInteger(value)
    needsComma = true
  }

  @usableFromInline
  mutating func writeDigits(_ digits: String) {
    separate()
    bytes.append(contentsOf: digits.utf8)
    needsComma = true
  }

  /// Writes `true` or `false`.
  public mutating func boolean(_ value: Bool) {
    separate()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
    needsComma = true
  }

  /// Writes `null`.
  public mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
    needsComma = true
  }

  // MARK: - Layout

  private var isAfterKey = false

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    if depth > 0, !isAfterKey { breakLine() }
    isAfterKey = false
  }

  private mutating func breakLine() {
    guard layout == .indented else { return }
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * depth))
  }

  private mutating func container<E: Error>(
    _ opening: Unicode.Scalar, _ closing: Unicode.Scalar,
    _ content: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    separate()
    bytes.append(UInt8(truncatingIfNeeded: opening.value))
    depth += 1
    needsComma = false
    try content(&self)
    depth -= 1
    if needsComma { breakLine() }
    bytes.append(UInt8(truncatingIfNeeded: closing.value))
    needsComma = true
  }

  // MARK: - Scalars

  mutating func appendInteger(_ value: Int64) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    var magnitude = value.magnitude
    guard magnitude >= 10 else { return bytes.append(0x30 + UInt8(truncatingIfNeeded: magnitude)) }
    // From the last digit to the first, and then all at once.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var first = digits.count
      while magnitude > 0 {
        first -= 1
        digits.initializeElement(at: first, to: 0x30 + UInt8(truncatingIfNeeded: magnitude % 10))
        magnitude /= 10
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[first...]))
    }
  }

  private mutating func appendString(_ text: some Collection<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text { appendEscaped(byte) }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    case 0x0A: bytes.append(contentsOf: "\\n".utf8)
    case 0x0D: bytes.append(contentsOf: "\\r".utf8)
    case 0x09: bytes.append(contentsOf: "\\t".utf8)
    // DEL is no control character to JSON, but it is one to a terminal.
    case 0..<0x20, 0x7F: appendUnicodeEscape(UInt16(byte))
    default: bytes.append(byte)
    }
  }

  /// Copies what is UTF-8 and writes each byte that is not as a lone surrogate.
  private mutating func appendMalformed(_ text: some BidirectionalCollection<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    var rest = Array(text)[...]
    while let first = rest.first {
      let length = first.utf8SequenceLength
      let sequence = rest.prefix(length)
      if sequence.count == length, String(validating: sequence, as: UTF8.self) != nil {
        for byte in sequence { appendEscaped(byte) }
        rest = rest.dropFirst(length)
      } else {
        appendUnicodeEscape(0xDC00 | UInt16(first))
        rest = rest.dropFirst()
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func appendUnicodeEscape(_ unit: UInt16) {
    bytes.append(contentsOf: "\\u".utf8)
    for shift in [12, 8, 4, 0] {
      let digit = UInt8(unit >> UInt16(shift) & 0xF)
      bytes.append(digit < 10 ? 0x30 + digit : 0x61 + digit - 10)
    }
  }
}
