import CivilTime

/// Encodes and decodes the texts in fields of tables.
enum CSVText {
  /// The first bytes that make spreadsheets interpret a text as a formula.
  private static let formulaStarts: Set<UInt8> = [0x3D, 0x2B, 0x2D, 0x40, 0x09, 0x0D]

  /// Returns a field, quoted if it contains a quotation mark, a line break, or a comma or
  /// semicolon: spreadsheets take either as the delimiter.
  static func field(_ text: String) -> String {
    guard text.utf8.contains(where: { [0x22, 0x2C, 0x3B, 0x0A, 0x0D].contains($0) }) else {
      return text
    }
    return "\"" + ScalarText.replacing(["\"": "\"\""], in: text) + "\""
  }

  /// Returns a text that spreadsheets do not interpret as a formula. An apostrophe is put before a
  /// text that they would, ignoring any leading apostrophes, so that the encoding is reversible.
  static func guarded(_ text: String) -> String {
    isGuardNeeded(text.utf8.drop { $0 == UInt8(ascii: "'") }) ? "'" + text : text
  }

  /// Reverses ``guarded(_:)``.
  static func unguarded(_ text: String) -> String {
    text.unicodeScalars.first == "'"
      && isGuardNeeded(text.utf8.drop { $0 == UInt8(ascii: "'") })
      ? String(text.unicodeScalars.dropFirst()) : text
  }

  private static func isGuardNeeded(_ text: some Sequence<UInt8>) -> Bool {
    text.first { _ in true }.map(formulaStarts.contains) ?? false
  }

  /// Joins texts with `|`; `|` and `\` in them are escaped with a backslash.
  static func joined(_ parts: [String]) -> String {
    parts.map { ScalarText.replacing(["\\": "\\\\", "|": "\\|"], in: $0) }.joined(separator: "|")
  }

  /// Reverses ``joined(_:)``; an empty text has no parts.
  static func parts(_ text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    var parts = [""]
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        parts[parts.count - 1].unicodeScalars.append(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "|" {
        parts.append("")
      } else {
        parts[parts.count - 1].unicodeScalars.append(scalar)
      }
    }
    return parts
  }

  /// Returns a note with its time: `[2026-11-22T10:00:00.000Z] The text`.
  static func text(of note: PlaceRecord.Note) -> String {
    "[\(note.time?.iso8601 ?? "")] \(note.text)"
  }

  /// Reverses ``text(of:)``. A text without a time in brackets is a note without a time.
  static func note(_ text: String) -> (text: String, time: Instant?) {
    let scalars = text.unicodeScalars
    guard scalars.first == "[", let end = scalars.firstIndex(of: "]") else { return (text, nil) }
    let written = scalars[..<end].dropFirst()
    let time = Instant(iso8601: String(written))
    guard written.isEmpty || time != nil else { return (text, nil) }
    let rest = scalars[end...].dropFirst()
    return (String(rest.first == " " ? rest.dropFirst() : rest), time)
  }
}

/// Replaces characters of a text one by one. `String` would not find a character that a joiner or
/// accent follows, since both are one character to it.
enum ScalarText {
  static func replacing(_ replacements: [Unicode.Scalar: String], in text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if let replacement = replacements[scalar] {
        result += replacement
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
