/// A writer of JSON (RFC 8259) that produces bytes without building a tree.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.object { writer in
///   writer.member("id", "k3v9")
///   writer.member("distance", 12.5)
///   writer.member("altitude", nil as Double?)  // omitted
/// }
/// ```
///
/// A string given as bytes that are not UTF-8 is preserved: each invalid byte is written as a lone
/// surrogate `\udc80`–`\udcff`, as in Python's PEP 383, and ``JSONReader/stringBytes()`` restores
/// it. Use that only for files of this program, because other readers may reject it. A `Double` is
/// written with the fewest digits that parse to the same value, or as `null` if it is not finite.
public struct JSONWriter {
  /// The layout of the text.
  public enum Layout: Sendable {
    /// A single line without spaces.
    case compact
    /// A line per member and element, indented by two spaces per level.
    case indented
  }

  /// The text written so far.
  public internal(set) var bytes: [UInt8] = []
  let layout: Layout
  private var depth = 0
  /// Whether the next value in the open container must be preceded by a comma.
  var needsComma = false

  /// Creates an empty writer.
  public init(layout: Layout = .compact) {
    self.layout = layout
  }

  /// The text written so far, as a string.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Returns the text written so far and clears it, so that a large document can be written in
  /// parts; open containers stay open.
  public mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Appends a line feed, which ends a document of NDJSON, so that another document can follow.
  public mutating func newline() {
    bytes.append(0x0A)
    needsComma = false
  }

  /// Starts a new line for the next element of the open array in a document with compact layout.
  package mutating func beginLine() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
    bytes.append(0x0A)
  }

  // MARK: - Containers

  /// Writes an object; the closure writes its members.
  public mutating func object<E: Error>(
    _ members: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    try container("{", "}", members)
  }

  /// Writes an array; the closure writes its elements.
  public mutating func array<E: Error>(
    _ elements: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    try container("[", "]", elements)
  }

  /// Writes a member whose value is an object.
  public mutating func object<E: Error>(
    _ key: String, _ members: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    self.key(key)
    try container("{", "}", members)
  }

  /// Writes a member whose value is an array.
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

  /// Writes a member whose value is a string; `nil` omits the member.
  public mutating func member(_ key: String, _ value: String?) {
    guard let value else { return }
    self.key(key)
    string(value)
  }

  /// Writes a member whose value is a number; `nil` omits the member.
  public mutating func member(_ key: String, _ value: Double?) {
    guard let value else { return }
    self.key(key)
    number(value)
  }

  /// Writes a member whose value is an integer; `nil` omits the member.
  @inlinable
  public mutating func member(_ key: String, _ value: (some FixedWidthInteger)?) {
    guard let value else { return }
    self.key(key)
    integer(value)
  }

  /// Writes a member whose value is a Boolean; `nil` omits the member.
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

  /// Writes a string given as bytes that need not be UTF-8, such as a file name.
  @inlinable
  public mutating func string(bytes value: some BidirectionalCollection<UInt8>) {
    if value.withContiguousStorageIfAvailable({ writePlainString($0) }) == true { return }
    writeString(bytes: Array(value))
  }

  /// Writes a string that needs no escapes; returns `false` without writing for any other string.
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

  /// Writes a number; `null` if it is not finite.
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

  /// Writes a number with at most two decimals, such as most altitudes and headings; returns
  /// `false` without writing for any other number.
  ///
  /// Takes a fifth of the time of `description`, with the same text: the number of hundredths is
  /// below 2^53, so dividing it by 100 gives the value, and no other number of hundredths does.
  private mutating func appendFewDecimals(_ value: Double) -> Bool {
    let approximate = abs(value) * 100 + 0.5
    guard approximate < 1e15 else { return false }
    // An integer conversion is faster than `rounded()`, which calls the C library.
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

  /// Writes an integer.
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
    // The digits are produced from last to first and appended at once.
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
    // JSON does not treat DEL as a control character, but terminals do.
    case 0..<0x20, 0x7F: appendUnicodeEscape(UInt16(byte))
    default: bytes.append(byte)
    }
  }

  /// Copies valid UTF-8 and writes each invalid byte as a lone surrogate.
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
