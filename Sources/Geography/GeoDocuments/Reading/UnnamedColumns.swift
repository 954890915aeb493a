import Spatial

/// Recognises the columns of a table without a header by the values in its first rows.
enum UnnamedColumns {
  /// The maximum number of rows that are examined.
  private static let rowCount = 100
  /// The minimum number of decimals that a column of degrees has in some row.
  private static let decimalCount = 3

  /// Recognises the columns of a position, a name and a note.
  ///
  /// - Parameter table: The table at its start.
  /// - Returns: The columns; `nil` where no column, or pair of columns, holds a position in every
  ///   row.
  /// - Throws: ``PlaceFileError/unclearOrder(_:_:name:)`` for two columns of numbers that may be
  ///   latitude and longitude as well as the other way round.
  static func columns(
    _ table: CSVTable
  ) throws(PlaceFileError) -> [(field: PlaceField, place: Int)]? {
    var table = table
    var rows: [[String]] = []
    while rows.count < rowCount, let row = table.next() {
      let fields = row.map { PlaceText.line($0, limit: 4096) }
      if fields.contains(where: { !$0.isEmpty }) { rows.append(fields) }
    }
    guard let width = rows.map(\.count).min(), width <= 100 else { return nil }
    if let place = (0..<width).first(where: { place in rows.allSatisfy { isPosition($0[place]) } })
    {
      return [(.position, place)] + texts(rows, besides: [place])
    }
    guard
      let first = (0..<max(width - 1, 0)).first(where: { place in
        isLettered(rows, place) || isDegrees(rows, place) && isDegrees(rows, place + 1)
      })
    else { return nil }
    let others = texts(rows, besides: [first, first + 1])
    if isLettered(rows, first) { return [(.latitude, first), (.longitude, first + 1)] + others }
    let fits = { (latitude: Int, longitude: Int) in
      rows.allSatisfy { WrittenDegrees.coordinate($0[latitude], $0[longitude]) != nil }
    }
    switch (fits(first, first + 1), fits(first + 1, first)) {
    case (true, true) where rows.contains { $0.count > 2 }:
      let name = others.first { $0.field == .name }
      throw .unclearOrder(first + 1, first + 2, name: name.map { $0.place + 1 })
    // Two numbers alone are a position as people write it.
    case (true, _): return [(.latitude, first), (.longitude, first + 1)] + others
    case (false, true): return [(.longitude, first), (.latitude, first + 1)] + others
    case (false, false): return nil
    }
  }

  /// Returns whether a text is a whole position.
  private static func isPosition(_ text: String) -> Bool {
    guard text.contains(where: \.isNumber) else { return false }
    return WKT.geometry(text) != nil || (try? Coordinate(written: text)) != nil
  }

  /// Returns whether a column and the next one hold angles with the letters of hemispheres.
  private static func isLettered(_ rows: [[String]], _ place: Int) -> Bool {
    rows.allSatisfy { row in
      let angles = [row[place], row[place + 1]]
      return angles.allSatisfy { $0.contains(where: \.isLetter) && $0.contains(where: \.isNumber) }
        && (try? Coordinate(written: angles.joined(separator: " "))) != nil
    }
  }

  /// Returns whether a column holds numbers that may be degrees.
  private static func isDegrees(_ rows: [[String]], _ place: Int) -> Bool {
    rows.allSatisfy { WrittenDegrees.number($0[place]).map { abs($0) <= 180 } ?? false }
      && rows.contains { row in
        let decimals = row[place].drop { $0 != "." && $0 != "," }
        return decimals.count > decimalCount
      }
  }

  /// Returns the first column with words as the name, and the next one as a note.
  private static func texts(
    _ rows: [[String]], besides places: [Int]
  ) -> [(field: PlaceField, place: Int)] {
    let width = rows.map(\.count).max() ?? 0
    let words = (0..<width).filter { place in
      !places.contains(place)
        && rows.contains { $0.count > place && $0[place].contains(where: \.isLetter) }
    }
    return Array(zip([PlaceField.name, .note], words)).map { (field: $0, place: $1) }
  }
}
