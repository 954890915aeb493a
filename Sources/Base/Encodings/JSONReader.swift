/// A pull parser of JSON (RFC 8259), which reads one value after another without building a tree.
///
/// The caller requests the values it expects, in document order:
///
/// ```swift
/// var reader = JSONReader(bytes)
/// try reader.beginObject()
/// while let key = try reader.nextKey() {
///   switch key {
///   case "latitude": latitude = try reader.double()
///   default: try reader.skipValue()
///   }
/// }
/// try reader.end()
/// ```
///
/// Nesting is limited to ``maximumDepth``. No input causes recursion, a trap, or an allocation
/// beyond the size of the input. In strings, a lone low surrogate `\udc80`–`\udcff` represents one
/// byte that is not UTF-8, as in Python's PEP 383: ``stringBytes()`` restores the byte,
/// ``string()`` returns U+FFFD.
public struct JSONReader {
  /// The maximum nesting depth of arrays and objects.
  public static let maximumDepth = 128

  /// The type of a value.
  public enum Kind: Sendable {
    case object, array, string, number, boolean, null
  }

  /// The document, or the current window of it if it is read in pieces.
  var bytes: [UInt8]
  /// The end of the document or window in `bytes`.
  private(set) var endIndex: Int
  /// The index in `bytes` of the next unread byte.
  var position: Int
  /// The index from which the window is refilled before the next value.
  private(set) var refillIndex = Int.max
  private var source: Source?
  private var openContainers: [OpenContainer] = []
  /// Whether the words for numbers that have no value (`NaN`, `-Infinity`, `inf`) count as `null`.
  ///
  /// JSON has no such words, but programs in C and Python write them for a value that is unknown.
  package var readsNonFiniteAsNull = false

  private struct OpenContainer {
    let isObject: Bool
    var hasElement = false
  }

  /// The source of a document that is read in pieces.
  private struct Source {
    let read: (UnsafeMutableRawBufferPointer) -> Int
    /// The greatest length in bytes of a string that exceeds the window or has escapes.
    let maximumStringLength: Int
    /// The number of bytes of the document before the window.
    var passed = 0
  }

  /// The offset in the document of the next unread byte.
  public var offset: Int { (source?.passed ?? 0) + position }

  /// Whether the whole document is in memory.
  var isInMemory: Bool { source == nil }

  /// Creates a reader at the start of a document.
  public init(_ bytes: [UInt8]) {
    self.init(bytes, range: bytes.indices)
  }

  /// Creates a reader at the start of a file. A byte order mark before the text is ignored, as RFC
  /// 8259, section 8.1, allows: some editors write one.
  package init(document: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    self.init(document, range: (document.starts(with: mark) ? mark.count : 0)..<document.count)
  }

  /// Creates a reader of a part of an array, such as a line of a file.
  ///
  /// - Precondition: `range` is within the array.
  public init(_ bytes: [UInt8], range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    self.bytes = bytes
    position = range.lowerBound
    endIndex = range.upperBound
  }

  /// Creates a reader of a document that is read in pieces; only a window of it is in memory.
  ///
  /// - Parameters:
  ///   - windowSize: The size of the window in bytes, at least twice ``lookahead``.
  ///   - maximumStringLength: The maximum length of a string in bytes, at least `windowSize`. A
  ///     longer string is an error; the length is checked only when the window is refilled.
  ///   - read: Stores the next bytes of the document in memory and returns their number, 0 at the
  ///     end.
  package init(
    windowSize: Int = 1 << 18, maximumStringLength: Int = .max,
    read: @escaping (UnsafeMutableRawBufferPointer) -> Int
  ) {
    precondition(windowSize >= 2 * Self.lookahead && maximumStringLength >= windowSize)
    bytes = [UInt8](repeating: 0, count: windowSize)
    position = 0
    endIndex = 0
    source = Source(read: read, maximumStringLength: maximumStringLength)
    refill()
  }

  /// The number of bytes guaranteed to be in the window before a number or word is read.
  ///
  /// A longer number in a document read in pieces is an error. Strings may have any length.
  package static let lookahead = 4096

  /// Moves the unread bytes to the start of the window and fills the rest.
  private mutating func refill() {
    guard var source else { return }
    let rest = position..<endIndex
    endIndex = bytes.withUnsafeMutableBytes { window in
      window.copyMemory(from: UnsafeRawBufferPointer(rebasing: window[rest]))
      var filled = rest.count
      while filled < window.count {
        let count = source.read(UnsafeMutableRawBufferPointer(rebasing: window[filled...]))
        guard count > 0 else { break }
        filled += count
      }
      return filled
    }
    source.passed += position
    self.source = source
    position = 0
    refillIndex = endIndex < bytes.count ? .max : endIndex - Self.lookahead
  }

  /// Returns the kind of the next value without reading it.
  public mutating func peek() throws(JSONError) -> Kind {
    skipSpace()
    guard position < endIndex else { throw error("the text ends where a value is expected") }
    switch bytes[position] {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    case UInt8(ascii: "-"): return nonFiniteLength == nil ? .number : .null
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean
    case UInt8(ascii: "n"): return .null
    default:
      guard nonFiniteLength == nil else { return .null }
      throw error("no JSON value starts here")
    }
  }

  /// Enters an object; ``nextKey()`` returns its members.
  public mutating func beginObject() throws(JSONError) {
    try begin("{", "an object")
  }

  /// Returns the key of the next member of the object, or leaves the object and returns `nil` after
  /// the last.
  ///
  /// The member's value must be read or skipped before the next call.
  public mutating func nextKey() throws(JSONError) -> String? {
    guard try advanceInContainer(closing: "}") else { return nil }
    let key = try string()
    skipSpace()
    guard take(":") else { throw error("a colon is missing after a key") }
    return key
  }

  /// Skips the next key of the object if it equals a given key; the member's value must be read or
  /// skipped next.
  ///
  /// A document written by this program has its members in a known order. Requesting each key in
  /// turn takes a tenth of the time of ``nextKey()``.
  ///
  /// - Parameter written: The key with its quotes and colon, without spaces before it.
  /// - Returns: Whether the key was skipped; if not, nothing was read.
  package mutating func skipKey(_ written: StaticString) -> Bool {
    if position > refillIndex { refill() }
    guard let container = openContainers.last, container.isObject else { return false }
    var start = position
    if container.hasElement {
      guard start < endIndex, bytes[start] == UInt8(ascii: ",") else { return false }
      start += 1
    }
    let end = start + written.utf8CodeUnitCount
    guard end <= endIndex,
      written.withUTF8Buffer({ $0.elementsEqual(bytes[start..<end]) })
    else { return false }
    position = end
    if !container.hasElement { openContainers[openContainers.count - 1].hasElement = true }
    return true
  }

  /// Enters an array; ``nextElement()`` returns whether there are more elements.
  public mutating func beginArray() throws(JSONError) {
    try begin("[", "an array")
  }

  /// Returns `true` if another element follows, which must be read or skipped; otherwise leaves the
  /// array.
  public mutating func nextElement() throws(JSONError) -> Bool {
    try advanceInContainer(closing: "]")
  }

  /// Verifies that only white space follows.
  public mutating func end() throws(JSONError) {
    skipSpace()
    guard position == endIndex else { throw error("more text follows the value") }
  }

  /// Reads a string as text; bytes that are not UTF-8 become U+FFFD.
  public mutating func string() throws(JSONError) -> String {
    let start = try openString()
    if let end = endOfPlainString(from: start) {
      position = end + 1
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }
    return String(decoding: try unescapedString(from: start), as: UTF8.self)
  }

  /// Reads a string as bytes: its UTF-8, with each lone surrogate `\udc80`–`\udcff` as the byte it
  /// represents.
  public mutating func stringBytes() throws(JSONError) -> [UInt8] {
    var result: [UInt8] = []
    try appendStringBytes(to: &result)
    return result
  }

  /// Reads a string like ``stringBytes()`` and appends its bytes to an array.
  public mutating func appendStringBytes(to result: inout [UInt8]) throws(JSONError) {
    let start = try openString()
    if let end = endOfPlainString(from: start) {
      position = end + 1
      result.append(contentsOf: bytes[start..<end])
    } else {
      result.append(contentsOf: try unescapedString(from: start))
    }
  }

  /// Reads a string like ``stringBytes()`` and passes its bytes to a closure, without a copy unless
  /// the string has escapes.
  package mutating func withStringBytes<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) throws(JSONError) -> Result {
    let start = try openString()
    if let end = endOfPlainString(from: start) {
      position = end + 1
      return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[start..<end])) }
    }
    return try unescapedString(from: start).withUnsafeBufferPointer(body)
  }

  /// Reads `true` or `false`.
  public mutating func boolean() throws(JSONError) -> Bool {
    skipSpace()
    if takeWord("true") { return true }
    if takeWord("false") { return false }
    throw error("true or false is expected")
  }

  /// Skips `null` if it is the next value, and returns whether it was.
  public mutating func skipNull() throws(JSONError) -> Bool {
    skipSpace()
    if takeWord("null") { return true }
    guard let length = nonFiniteLength else { return false }
    position += length
    return true
  }

  /// Reads a number; a number beyond the range of `Double` is an error.
  public mutating func double() throws(JSONError) -> Double {
    let number = try scanNumber()
    if let mantissa = number.exactMantissa, number.decimals <= DecimalNumber.maximumDecimals {
      let value = DecimalNumber(mantissa: mantissa, decimals: number.decimals).value
      return number.isNegative ? -value : value
    }
    let text = String(decoding: bytes[number.range], as: UTF8.self)
    guard let value = Double(text), value.isFinite else {
      throw JSONError(offset: offset - number.range.count, reason: "a number is too large")
    }
    return value
  }

  /// Reads an integer; a fraction, an exponent or a value outside `Int64` is an error.
  public mutating func integer() throws(JSONError) -> Int64 {
    let number = try scanNumber()
    if let mantissa = number.exactMantissa, number.decimals == 0 {
      return number.isNegative ? -Int64(mantissa) : Int64(mantissa)
    }
    guard let value = Int64(String(decoding: bytes[number.range], as: UTF8.self)) else {
      throw JSONError(
        offset: offset - number.range.count, reason: "a whole number of at most 64 bits is expected"
      )
    }
    return value
  }

  /// Skips the next value of any type.
  public mutating func skipValue() throws(JSONError) {
    let depth = openContainers.count
    repeat {
      if openContainers.count > depth, let container = openContainers.last {
        let hasNext = container.isObject ? try nextKey() != nil : try nextElement()
        guard hasNext else { continue }
      }
      switch try peek() {
      case .object: try beginObject()
      case .array: try beginArray()
      case .string: try withStringBytes { _ in }
      case .number: _ = try scanNumber()
      case .boolean: _ = try boolean()
      case .null:
        guard try skipNull() else { throw error("null is expected") }
      }
    } while openContainers.count > depth
  }

  // MARK: - Containers

  private mutating func begin(_ bracket: Unicode.Scalar, _ name: String) throws(JSONError) {
    skipSpace()
    guard take(bracket) else { throw error("\(name) is expected") }
    guard openContainers.count < Self.maximumDepth else {
      throw error("more than \(Self.maximumDepth) levels of nesting")
    }
    openContainers.append(OpenContainer(isObject: bracket == "{"))
  }

  /// Advances to the next element or key; leaves the array or object and returns `false` if there
  /// is none.
  private mutating func advanceInContainer(closing bracket: Unicode.Scalar) throws(JSONError)
    -> Bool
  {
    skipSpace()
    guard let container = openContainers.last else { throw error("no array or object is open") }
    if take(bracket) {
      openContainers.removeLast()
      return false
    }
    if container.hasElement {
      guard take(",") else { throw error("a comma or \(bracket) is expected") }
      skipSpace()
      guard position < endIndex, UInt32(bytes[position]) != bracket.value else {
        throw error("a value is expected after a comma")
      }
    } else {
      openContainers[openContainers.count - 1].hasElement = true
    }
    return true
  }

  // MARK: - Strings

  private mutating func openString() throws(JSONError) -> Int {
    skipSpace()
    guard take("\"") else { throw error("a string is expected") }
    return position
  }

  /// Returns the index of the closing quote if the string has no escapes and no control characters.
  private func endOfPlainString(from start: Int) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      var index = start
      while index + 8 <= endIndex {
        let length = plainLength(word(bytes, index))
        index += length
        guard length == 8 else { return bytes[index] == UInt8(ascii: "\"") ? index : nil }
      }
      while index < endIndex {
        let byte = bytes[index]
        if byte == UInt8(ascii: "\"") { return index }
        if byte == UInt8(ascii: "\\") || byte < 0x20 { return nil }
        index += 1
      }
      return nil
    }
  }

  /// Reads a string from its first byte, decoding escapes and refilling the window as needed.
  private mutating func unescapedString(from start: Int) throws(JSONError) -> [UInt8] {
    position = start
    var result: [UInt8] = []
    let maximumLength = source?.maximumStringLength ?? .max
    while true {
      if position > refillIndex {
        refill()
        guard result.count <= maximumLength else { throw error("a string is too long") }
      }
      guard position < endIndex else { break }
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return result
      case UInt8(ascii: "\\"): try appendEscape(to: &result)
      case 0..<0x20: throw error("a control character in a string must be escaped")
      default: result.append(byte)
      }
    }
    throw error("a string is not closed")
  }

  private mutating func appendEscape(to result: inout [UInt8]) throws(JSONError) {
    guard position < endIndex else { throw error("a string is not closed") }
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(letter)
    case UInt8(ascii: "b"): result.append(0x08)
    case UInt8(ascii: "f"): result.append(0x0C)
    case UInt8(ascii: "n"): result.append(0x0A)
    case UInt8(ascii: "r"): result.append(0x0D)
    case UInt8(ascii: "t"): result.append(0x09)
    case UInt8(ascii: "u"): try appendUnicodeEscape(to: &result)
    default: throw error("an unknown escape in a string")
    }
  }

  private mutating func appendUnicodeEscape(to result: inout [UInt8]) throws(JSONError) {
    let unit = try hexUnit()
    if (0xD800..<0xDC00).contains(unit), position + 1 < endIndex,
      bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
    {
      let afterHigh = position
      position += 2
      let low = try hexUnit()
      if (0xDC00..<0xE000).contains(low) {
        let scalar = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
        result.append(contentsOf: Character(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
        return
      }
      position = afterHigh
    }
    if (0xDC80...0xDCFF).contains(unit) {
      result.append(UInt8(unit - 0xDC00))
    } else {
      result.append(contentsOf: Character(Unicode.Scalar(unit) ?? "\u{FFFD}").utf8)
    }
  }

  private mutating func hexUnit() throws(JSONError) -> UInt16 {
    guard endIndex - position >= 4 else { throw error("four hexadecimal digits are expected") }
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Hexadecimal.value(ofDigit: bytes[position]) else {
        throw error("four hexadecimal digits are expected")
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }

  // MARK: - Numbers

  private struct Number {
    var range: Range<Int>
    var isNegative: Bool
    /// All digits as one integer; `nil` if above 2^53 or if the number has an exponent.
    var exactMantissa: UInt64?
    /// The number of digits after the decimal point.
    var decimals: Int
  }

  private mutating func scanNumber() throws(JSONError) -> Number {
    skipSpace()
    let start = position
    let isNegative = take("-")
    var mantissa: UInt64 = 0
    var isExact = true
    let wholeDigits = scanDigits(into: &mantissa, &isExact)
    guard wholeDigits > 0 else { throw error("a number is expected") }
    guard wholeDigits == 1 || bytes[position - wholeDigits] != UInt8(ascii: "0") else {
      throw error("a number must not start with 0")
    }
    var decimals = 0
    if take(".") {
      decimals = scanDigits(into: &mantissa, &isExact)
      guard decimals > 0 else { throw error("a digit is expected after the point") }
    }
    if take("e") || take("E") {
      // Exponents are rare, so these numbers go through the standard library.
      if !take("+") { _ = take("-") }
      var ignored: UInt64 = 0
      var isIgnored = true
      guard scanDigits(into: &ignored, &isIgnored) > 0 else {
        throw error("a digit is expected in the exponent")
      }
      isExact = false
    }
    return Number(
      range: start..<position, isNegative: isNegative, exactMantissa: isExact ? mantissa : nil,
      decimals: decimals)
  }

  /// The length of the word for a number without a value that comes next; `nil` if none does, or if
  /// such words are errors.
  private var nonFiniteLength: Int? {
    guard readsNonFiniteAsNull, position < endIndex else { return nil }
    let sign = bytes[position]
    let start = position + (sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") ? 1 : 0)
    var end = start
    while end < endIndex, end - start <= Self.longestNonFinite,
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[end] | 0x20)
    {
      end += 1
    }
    let word = bytes[start..<end].lazy.map { $0 | 0x20 }
    let isKnown = Self.nonFiniteWords.contains { word.elementsEqual($0.utf8) }
    return isKnown ? end - position : nil
  }

  /// The words in lowercase, as Python's `json` and C's `printf` write them.
  private static let nonFiniteWords = ["nan", "inf", "infinity"]
  private static let longestNonFinite = 8

  /// Appends digits to a mantissa; returns the number of digits read.
  private mutating func scanDigits(into mantissa: inout UInt64, _ isExact: inout Bool) -> Int {
    let start = position
    while position < endIndex, case let digit = bytes[position] &- 0x30, digit <= 9 {
      if mantissa >= Self.mantissaLimit { isExact = false }
      if isExact { mantissa = mantissa * 10 + UInt64(digit) }
      position += 1
    }
    if mantissa > 1 << 53 { isExact = false }
    return position - start
  }

  /// The bound below which another digit keeps a mantissa below 2^63.
  private static let mantissaLimit: UInt64 = 1 << 59

  // MARK: - Bytes

  private mutating func skipSpace() {
    while true {
      if position > refillIndex { refill() }
      guard position < endIndex else { return }
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < endIndex, UInt32(bytes[position]) == character.value else { return false }
    position += 1
    return true
  }

  private mutating func takeWord(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard endIndex - position >= length else { return false }
    let isEqual = word.withUTF8Buffer { $0.elementsEqual(bytes[position..<position + length]) }
    if isEqual { position += length }
    return isEqual
  }

  private func error(_ reason: String) -> JSONError {
    JSONError(offset: offset, reason: reason)
  }
}

/// An error in a JSON document: malformed text, or a value of another type than expected.
public struct JSONError: Error, Hashable, CustomStringConvertible {
  /// The offset of the error in bytes from the start of the document.
  public var offset: Int
  /// A description of the error.
  public var reason: String
  /// Whether a newer version of the program wrote the document, so that it is whole.
  package var isOfNewerVersion = false

  /// Creates an error at an offset.
  public init(offset: Int, reason: String) {
    self.offset = offset
    self.reason = reason
  }

  /// The reason and the offset, without any part of the document.
  public var description: String { "\(reason) (byte \(offset))" }
}
