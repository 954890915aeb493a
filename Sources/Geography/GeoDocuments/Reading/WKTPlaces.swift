import Encodings

/// Reads files with a geometry as well-known text in each line (``WKT``), which may be followed by
/// a name and a note as in a table: `POINT (2.2945 48.8584), Tower`.
enum WKTPlaces {
  /// Returns whether the first line that is neither empty nor a comment begins with a geometry.
  static func isStart(_ text: [UInt8]) -> Bool {
    let lines = text.prefix(4096).split { $0 == 0x0A || $0 == 0x0D }.lazy.map(PlaceText.line)
    let first = lines.first { !$0.isEmpty && !$0.hasPrefix("#") } ?? ""
    return WKT.length(atStartOf: first) != nil
  }

  static func read(_ text: [UInt8]) throws(PlaceFileError) -> PlaceFile {
    var file = PlaceFile(format: .wkt)
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == 0x0A }) {
      number += 1
      let line = PlaceText.line(line)
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard let length = WKT.length(atStartOf: line) else {
        file.skip(.malformed, "line \(number)")
        continue
      }
      try add(line.prefix(length), names(after: line.dropFirst(length)), number, to: &file)
    }
    return file
  }

  /// Returns the fields behind a geometry.
  private static func names(after text: Substring) -> [String] {
    let rest = text.drop { ",;|: ".contains($0) }
    guard !rest.isEmpty else { return [] }
    var table = CSVTable(Array(rest.utf8))
    return (table.next() ?? []).map { PlaceText.line($0, limit: .max) }.filter { !$0.isEmpty }
  }

  private static func add(
    _ geometry: Substring, _ names: [String], _ number: Int, to file: inout PlaceFile
  ) throws(PlaceFileError) {
    let label = names.first ?? "line \(number)"
    switch WKT.geometry(String(geometry)) {
    case .point(let coordinate):
      var record = PlaceRecord(coordinate: coordinate)
      record.set(name: names.first ?? "")
      for note in names.dropFirst() { record.add(note: note) }
      try file.add(record)
    case .empty: file.skip(.withoutPosition, label)
    case .other: file.skip(.otherGeometry, label)
    case .unreadable, nil: file.skip(.unreadablePosition, label)
    }
  }
}

extension PlaceText {
  /// Returns the bytes of a line as text without white space at its ends.
  fileprivate static func line(_ text: ArraySlice<UInt8>) -> String {
    line(String(decoding: text, as: UTF8.self), limit: .max)
  }
}
