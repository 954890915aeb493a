import Encodings

/// A cell of a table.
package enum CSVCell {
  /// A text that people or foreign files have written. Spreadsheets do not interpret it as a
  /// formula.
  case text(String)
  /// A number, time, id or name of a column, which is written as it is.
  case plain(String)

  /// A cell without a value.
  package static let empty = CSVCell.plain("")

  /// Paths of files as bytes, separated by `|`.
  ///
  /// A `|` and a backslash in a path are written as `NameText`, so nothing needs to be unescaped
  /// before the list is split.
  package static func paths(_ paths: some Sequence<[UInt8]>) -> CSVCell {
    let texts = paths.map { path in
      NameText.text(of: path) { $0 == UInt8(ascii: "|") || $0 == UInt8(ascii: "\\") }
    }
    return .text(texts.joined(separator: "|"))
  }

  fileprivate var written: String {
    switch self {
    case .text(let text): CSVText.field(CSVText.guarded(text))
    case .plain(let text): CSVText.field(text)
    }
  }
}

/// A line of a table of comma-separated values (RFC 4180, but with LF line ends).
package enum CSVRow {
  /// Returns the line of a header.
  package static func text(header: [String]) -> String { text(header.map { .plain($0) }) }

  /// Returns the line of a row.
  package static func text(_ cells: [CSVCell]) -> String {
    cells.map(\.written).joined(separator: ",") + "\n"
  }
}
