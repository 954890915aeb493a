import CivilTime

/// Fields of this program's own tables.
enum CSVText {
  /// A spreadsheet takes a text that begins with one of these for a formula.
  private static let formulaStarts: Set<UInt8> = [0x3D, 0x2B, 0x2D, 0x40, 0x09, 0x0D]

  /// A field with quotes where it needs them.
  static func field(_ text: String) -> String {
    guard text.utf8.contains(where: { [0x22, 0x2C, 0x3B, 0x0A, 0x0D].contains($0) }) else {
      return text
    }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  /// A text that no spreadsheet calculates: an apostrophe stands before one that it would, and
  /// before an apostrophe that would be taken for that.
  static func guarded(_ text: String) -> String {
    isGuardNeeded(text.utf8.drop { $0 == UInt8(ascii: "'") }) ? "'" + text : text
  }

  /// The text that ``guarded(_:)`` was given.
  static func unguarded(_ text: String) -> String {
    text.hasPrefix("'") && isGuardNeeded(text.utf8.drop { $0 == UInt8(ascii: "'") })
      ? String(text.dropFirst()) : text
  }

  private static func isGuardNeeded(_ text: some Sequence<UInt8>) -> Bool {
    text.first { _ in true }.map(formulaStarts.contains) ?? false
  }

  /// Several texts as one, with `|` between them.
  static func joined(_ parts: [String]) -> String {
    parts.map { $0.replacing("\\", with: "\\\\").replacing("|", with: "\\|") }
      .joined(separator: "|")
  }

  /// The texts that ``joined(_:)`` was given; none for an empty text.
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

  /// A note with its time: `[2026-11-22T10:00:00.000Z] The text`.
  static func text(of note: PlaceRecord.Note) -> String {
    "[\(note.time?.iso8601 ?? "")] \(note.text)"
  }

  /// The note that ``text(of:)`` was given; one that a person wrote may have no time.
  static func note(_ text: String) -> (text: String, time: Instant?) {
    guard text.hasPrefix("["), let end = text.firstIndex(of: "]") else { return (text, nil) }
    let written = text[text.index(after: text.startIndex)..<end]
    let time = Instant(iso8601: String(written))
    guard written.isEmpty || time != nil else { return (text, nil) }
    return (String(text[text.index(after: end)...].drop { $0 == " " }), time)
  }
}
