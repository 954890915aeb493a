/// The rows of comma-separated values (RFC 4180), with the separators and line ends that programs
/// write.
struct CSVTable {
  /// The comma, semicolon or tab between fields.
  let delimiter: UInt8
  private let bytes: [UInt8]
  private var index: Int
  /// Whether a quote that is never closed was met: quotes are characters from there on.
  private var hasOpenQuote = false

  /// The most fields of a row; further ones are left out.
  private static let maximumWidth = 1000

  /// Creates a table of a text in UTF-8.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let first = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    // Excel's note of the separator.
    if first.count == 5, first.starts(with: Array("sep=".utf8)), let separator = first.last {
      delimiter = separator
      index = 5
      skipLineEnd()
    } else {
      delimiter = Self.delimiter(of: bytes)
      index = 0
    }
  }

  /// The separator that the first line with any has most of, outside of quotes; at a tie not the
  /// comma, which may be the mark of decimals.
  private static func delimiter(of bytes: [UInt8]) -> UInt8 {
    let candidates = [0x09, UInt8(ascii: ";"), UInt8(ascii: ",")]
    var counts = [0, 0, 0]
    var isQuoted = false
    for byte in bytes.prefix(1 << 16) {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard !isQuoted else { continue }
      if byte == 0x0A || byte == 0x0D {
        if counts.contains(where: { $0 > 0 }) { break }
      } else if let place = candidates.firstIndex(of: byte) {
        counts[place] += 1
      }
    }
    let most = counts.max() ?? 0
    return most > 0 ? candidates[counts.firstIndex(of: most) ?? 2] : UInt8(ascii: ",")
  }

  /// The fields of the next row; `nil` after the last.
  mutating func next() -> [String]? {
    guard index < bytes.count else { return nil }
    var fields: [String] = []
    while true {
      let field = self.field()
      if fields.count < Self.maximumWidth { fields.append(field) }
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

  /// A field in quotes; `nil` where they are not closed.
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
      // What follows the closing quote belongs to the field, as other readers have it.
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
