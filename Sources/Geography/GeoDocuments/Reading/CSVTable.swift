/// The rows of comma-separated values (RFC 4180), with the delimiters and line ends that programs
/// use in practice.
struct CSVTable {
  /// The delimiter: comma, semicolon, tab or vertical bar.
  let delimiter: UInt8
  private let bytes: [UInt8]
  private var index: Int
  /// Whether an unclosed quotation mark was found. From then on quotation marks are ordinary
  /// characters.
  private var hasOpenQuote = false

  /// The number of fields that were dropped, since their rows have more than the maximum.
  private(set) var droppedFieldCount = 0

  /// The maximum number of fields in a row.
  private static let maximumWidth = 1000

  /// Creates a table from UTF-8 text.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let first = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    // `sep=;`: Excel's declaration of the delimiter.
    if first.count == 5, first.starts(with: Array("sep=".utf8)), let separator = first.last {
      delimiter = separator
      index = 5
      skipLineEnd()
    } else {
      delimiter = Self.delimiter(of: bytes)
      index = 0
    }
  }

  /// Returns the most frequent delimiter in the first line that has any, outside of quotes. In a
  /// tie, the comma loses, since it may be a decimal mark. The vertical bar counts only in a line
  /// without the others, since it separates parts of fields, too.
  private static func delimiter(of bytes: [UInt8]) -> UInt8 {
    let candidates = [0x09, UInt8(ascii: ";"), UInt8(ascii: ",")]
    var counts = [0, 0, 0]
    var hasBar = false
    var isQuoted = false
    for byte in bytes.prefix(1 << 16) {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard !isQuoted else { continue }
      if byte == 0x0A || byte == 0x0D {
        if hasBar || counts.contains(where: { $0 > 0 }) { break }
      } else if let place = candidates.firstIndex(of: byte) {
        counts[place] += 1
      } else if byte == UInt8(ascii: "|") {
        hasBar = true
      }
    }
    let most = counts.max() ?? 0
    if most == 0, hasBar { return UInt8(ascii: "|") }
    return most > 0 ? candidates[counts.firstIndex(of: most) ?? 2] : UInt8(ascii: ",")
  }

  /// Returns the fields of the next row; `nil` after the last one.
  mutating func next() -> [String]? {
    guard index < bytes.count else { return nil }
    var fields: [String] = []
    while true {
      let field = self.field()
      if fields.count < Self.maximumWidth {
        fields.append(field)
      } else if !field.isEmpty {
        droppedFieldCount += 1
      }
      guard index < bytes.count, bytes[index] == delimiter else { break }
      index += 1
    }
    skipLineEnd()
    return fields
  }

  private mutating func field() -> String {
    var start = index
    while start < bytes.count, bytes[start] == 0x20 { start += 1 }
    if !hasOpenQuote, start < bytes.count, bytes[start] == UInt8(ascii: "\""),
      let field = quoted(from: start + 1)
    {
      return field
    }
    start = index
    while index < bytes.count, !endsField(bytes[index]) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// Returns a quoted field; `nil` where the quotation mark is not closed.
  private mutating func quoted(from start: Int) -> String? {
    var text: [UInt8] = []
    var place = start
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      guard byte == UInt8(ascii: "\"") else {
        text.append(byte)
        continue
      }
      if place < bytes.count, bytes[place] == UInt8(ascii: "\"") {
        text.append(byte)
        place += 1
        continue
      }
      // Text after the closing quotation mark belongs to the field, as in other readers.
      while place < bytes.count, !endsField(bytes[place]) {
        text.append(bytes[place])
        place += 1
      }
      index = place
      return String(decoding: text, as: UTF8.self)
    }
    hasOpenQuote = true
    return nil
  }

  private func endsField(_ byte: UInt8) -> Bool {
    byte == delimiter || byte == 0x0A || byte == 0x0D
  }

  private mutating func skipLineEnd() {
    if index < bytes.count, bytes[index] == 0x0D { index += 1 }
    if index < bytes.count, bytes[index] == 0x0A { index += 1 }
  }
}
