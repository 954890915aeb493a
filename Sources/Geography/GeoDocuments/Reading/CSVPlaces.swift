import CivilTime
import Encodings
import Spatial

/// The user's assignment of fields to columns of a table: `latitude=Y,longitude=X,name=Title`.
package struct PlaceColumns: Hashable, Sendable {
  /// The fields, each with the name of a column or its number from 1.
  let columns: [Column]

  struct Column: Hashable {
    let field: PlaceField
    let name: String
  }

  /// The valid names of fields, for messages.
  package static let fields =
    "latitude, longitude, position, name, kind, note, collection, radius, time, id, address, url"

  /// Parses pairs `field=column`, separated by commas; returns `nil` where the text is malformed or
  /// a field is unknown.
  package init?(_ text: String) {
    var columns: [Column] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, let field = PlaceField(rawValue: PlaceField.folded(String(sides[0]))),
        !sides[1].isEmpty
      else { return nil }
      columns.append(Column(field: field, name: String(sides[1])))
    }
    self.columns = columns
  }
}

/// Reads tables of places: any whose header names the columns, Google's lists
/// (`Title,Note,URL,Comment`), the tables of Google's My Maps (`WKT,name,description`), and this
/// program's own.
///
/// Lines before the header are skipped, since Google writes the description of a list there.
/// Decimals may have a comma. Where ``PlaceField`` recognises no columns for the position, or
/// several, the user must name them.
enum CSVPlaces {
  /// The header of this program's own tables.
  static let ownColumns = [
    "id", "name", "latitude", "longitude", "kind", "radius", "collections", "notes", "photos",
    "created", "changed",
  ]

  static func read(
    _ text: [UInt8], columns: PlaceColumns?, collection: String?
  ) throws(PlaceFileError) -> PlaceFile {
    var file = PlaceFile(format: .csv)
    var table = CSVTable(text)
    let header = try Header(&table, columns)
    if header.isGoogle { file.dialect = "Google's saved places" }
    if header.own != nil { file.dialect = "CSV of PhotoSpots" }
    var line = header.rowCount
    var pending = header.firstRow
    while let row = pending ?? table.next() {
      pending = nil
      line += 1
      if let columns = header.own {
        try addOwn(row, line, columns, to: &file)
      } else {
        try add(row, line, header, collection, to: &file)
      }
    }
    file.skip(.unreadValue, count: table.droppedFieldCount)
    return file
  }

  private static func add(
    _ row: [String], _ line: Int, _ header: Header, _ collection: String?, to file: inout PlaceFile
  ) throws(PlaceFileError) {
    var values = PlaceValues()
    var unread = header.unread(in: row)
    for (field, place) in header.columns where place < row.count && !row[place].isEmpty {
      if !values.take(row[place], as: field) { unread.append(header.name(of: place)) }
    }
    if values.isEmpty, unread.isEmpty { return }
    let name = PlaceText.line(values.text(.name), limit: RecordLimits.nameLength)
    let coordinate: Coordinate
    switch values.coordinate {
    case .success(let found): coordinate = found
    case .failure(let absence):
      return file.skip(absence.reason, name.isEmpty ? "row \(line)" : name)
    }
    var record = PlaceRecord(coordinate: coordinate)
    record.unread = unread
    if header.isGoogle {
      record.sourceID = values.links.first.flatMap(SourceID.global)
      record.add(collection: collection ?? "")
    }
    values.apply(to: &record)
    if !header.isGoogle {
      for link in values.links { record.add(note: link, time: record.created) }
    }
    try file.add(record)
  }

  /// Adds a row in the form that ``PlaceWriter`` writes, whose decimals may have a comma now.
  private static func addOwn(
    _ row: [String], _ line: Int, _ columns: OwnColumns, to file: inout PlaceFile
  ) throws(PlaceFileError) {
    if row.allSatisfy(\.isEmpty) { return }
    let id = PlaceText.line(columns.field("id", in: row), limit: 1000)
    // Some programs pad all cells.
    let row = id == columns.field("id", in: row) ? row : row.map(StoredText.trimmed)
    let field = { (name: String) in columns.field(name, in: row) }
    let degrees = ["latitude", "longitude"].map { columns.number($0, in: row) }
    let name = field("name")
    guard let coordinate = WrittenDegrees.coordinate(degrees[0], degrees[1]) else {
      let reason: PlaceFile.Reason =
        degrees.allSatisfy(\.isEmpty) ? .withoutPosition : .unreadablePosition
      return file.skip(reason, name.isEmpty ? "row \(line)" : name)
    }
    var record = PlaceRecord(coordinate: coordinate)
    if PlaceRecord.isPlaceID(id) {
      record.ownID = id
    } else {
      record.sourceID = SourceID.global(id)
    }
    record.unread = columns.unread(in: row)
    record.set(name: name)
    record.set(kind: field("kind"))
    record.set(radius: field("radius"))
    record.set(created: field("created"))
    record.set(changed: field("changed"))
    for name in CSVText.parts(field("collections")) { record.add(collection: name) }
    record.hasAllCollections = columns.has("collections")
    record.hasAllNotes = columns.has("notes")
    for empty in PlaceRecord.EmptyField.allCases
    where columns.has(empty.rawValue) && StoredText.line(field(empty.rawValue)).isEmpty {
      record.emptyFields.insert(empty)
    }
    for note in CSVText.parts(field("notes")) {
      let (text, time) = CSVText.note(note)
      record.add(ownNote: text, time: time)
    }
    for photo in CSVText.parts(field("photos")) {
      record.add(photo: NameText.name(of: photo.utf8))
    }
    try file.add(record)
  }
}

/// The columns of this program's own table, also where a spreadsheet moved, added, removed or
/// capitalised some.
struct OwnColumns {
  /// The place of each column in a row, by its name in ``CSVPlaces/ownColumns``.
  private var places: [String: Int] = [:]
  /// The other columns.
  private var others: [(name: String, place: Int)] = []

  /// The columns without which a table is not this program's own.
  private static let required = ["id", "latitude", "longitude"]
  /// The minimum number of further columns of ours that distinguish the table from other ones;
  /// with fewer, the ids do.
  private static let minimumOthers = 4
  /// The number of rows in which ids are searched.
  private static let searchedRows = 20

  /// Recognises the columns by their names, and by the ids where most columns were removed; `nil`
  /// where the table is another one, or has two columns of one name.
  init?(_ row: [String], before rows: CSVTable) {
    for (place, text) in row.enumerated() {
      let name = PlaceText.line(text, limit: 100).lowercased()
      guard CSVPlaces.ownColumns.contains(name) else {
        others.append((Header.name(text, place), place))
        continue
      }
      guard places.updateValue(place, forKey: name) == nil else { return nil }
    }
    guard Self.required.allSatisfy({ places[$0] != nil }) else { return nil }
    let isComplete = places.count >= Self.required.count + Self.minimumOthers
    guard isComplete || hasOwnIDs(rows) else { return nil }
  }

  /// Returns whether an id in the first rows is of this program. The rows beside it may be new.
  private func hasOwnIDs(_ rows: CSVTable) -> Bool {
    var rows = rows
    for _ in 0..<Self.searchedRows {
      guard let row = rows.next() else { break }
      if PlaceRecord.isPlaceID(PlaceText.line(field("id", in: row), limit: 100)) { return true }
    }
    return false
  }

  /// Returns whether the table has a column.
  func has(_ name: String) -> Bool { places[name] != nil }

  /// Returns the names of the columns of others that have a value in a row.
  func unread(in row: [String]) -> [String] {
    let width = (places.values.max() ?? 0, others.last?.place ?? 0)
    let named = others.filter { $0.place < row.count && !StoredText.line(row[$0.place]).isEmpty }
    let further = row.indices.dropFirst(max(width.0, width.1) + 1)
    return named.map(\.name)
      + further.filter { !StoredText.line(row[$0]).isEmpty }.map { Header.name("", $0) }
  }

  /// Returns the field of a column; empty where the row or the table has none.
  func field(_ name: String, in row: [String]) -> String {
    guard let place = places[name], place < row.count else { return "" }
    return CSVText.unguarded(row[place])
  }

  /// Returns the number in a column with a decimal point; it may be written with a comma.
  func number(_ name: String, in row: [String]) -> String {
    let text = PlaceText.line(field(name, in: row), limit: 100)
    return text.contains(".") ? text : text.replacing(",", with: ".", maxReplacements: 1)
  }
}

/// The columns of a table.
struct Header {
  /// The names of all columns, by their places; empty where the table has no header.
  private var names: [String] = []
  private(set) var columns: [(field: PlaceField, place: Int)] = []
  private(set) var isGoogle = false
  /// The columns of this program's own table; `nil` for other tables.
  private(set) var own: OwnColumns?
  /// The number of rows before the first place.
  private(set) var rowCount = 0
  /// The first row, if it is a place rather than a header.
  private(set) var firstRow: [String]?

  /// The number of rows in which a header is searched.
  private static let searchedRows = 20

  init(_ table: inout CSVTable, _ asked: PlaceColumns?) throws(PlaceFileError) {
    let start = table
    var first: [String]?
    while rowCount < Self.searchedRows, let row = table.next() {
      rowCount += 1
      if row.allSatisfy({ PlaceText.line($0, limit: 2).isEmpty }) { continue }
      if first == nil { first = row }
      if let asked {
        names = row
        try read(row, asked)
        return
      }
      names = row
      own = OwnColumns(row, before: table)
      if own != nil { return }
      if let columns = Self.google(row, table) {
        (self.columns, isGoogle) = (columns, true)
        return
      }
      columns = Self.known(row)
      let latitudes = columns.count { $0.field == .latitude }
      let longitudes = columns.count { $0.field == .longitude }
      if latitudes == 1, longitudes == 1 {
        isGoogle = false
        return
      }
      guard latitudes == 0, longitudes == 0 else { break }
      let positions = columns.count { $0.field == .position }
      if positions == 1 { return }
      guard positions == 0 else { break }
      // Lists such as Google's have a link for each place instead of a position.
      let names = Set(row.map(PlaceField.folded))
      if columns.contains(where: { $0.field == .url }),
        columns.contains(where: { $0.field == .name })
      {
        isGoogle = names.isSuperset(of: ["title", "note", "url"])
        return
      }
    }
    guard let first else { throw .empty }
    if asked == nil, let columns = try UnnamedColumns.columns(start) {
      (self.columns, names, rowCount, table) = (columns, [], 0, start)
      return
    }
    throw first.count > 1 ? .unclearColumns(first) : .unknownFormat
  }

  /// Returns the columns of Google's lists, `Title,Note,URL,Tags,Comment`, whose names are in the
  /// language of the account: they are known by their order and the links in the rows. `nil` for
  /// other tables.
  private static func google(
    _ row: [String], _ table: CSVTable
  ) -> [(field: PlaceField, place: Int)]? {
    let names = row.map { PlaceText.line($0, limit: 100) }
    let isLink = { (text: String) in text.hasPrefix("http://") || text.hasPrefix("https://") }
    guard (3...5).contains(names.count), names.allSatisfy({ !$0.isEmpty && !isLink($0) }) else {
      return nil
    }
    var rows = table
    var hasLink = false
    for _ in 0..<searchedRows {
      guard let row = rows.next() else { break }
      guard row.count > 2, !row[2].isEmpty else { continue }
      guard isLink(row[2]), isGoogleLink(row[2]) else { return nil }
      hasLink = true
    }
    guard hasLink else { return nil }
    return names.indices.map { place in
      let field: PlaceField =
        switch place {
        case 0: .name
        case 1: .note
        case 2: .url
        default: PlaceField(columnName: names[place]) == .collection ? .collection : .note
        }
      return (field, place)
    }
  }

  /// Returns whether a link leads to Google, also by its short addresses.
  private static func isGoogleLink(_ link: String) -> Bool {
    let address = link.drop { $0 != "/" }.drop { $0 == "/" }
    let host = address.prefix { !"/?#:".contains($0) }.lowercased()
    return host.split(separator: ".").contains("google") || host == "goo.gl"
      || host.hasSuffix(".goo.gl") || host == "g.co"
  }

  private mutating func read(
    _ row: [String], _ asked: PlaceColumns
  ) throws(PlaceFileError) {
    for column in asked.columns {
      guard let place = Self.place(of: column.name, in: row) else {
        throw .noColumn(column.name, columns: row)
      }
      columns.append((column.field, place))
    }
    let chosen = Set(columns.map(\.field))
    let places = Set(columns.map(\.place))
    for other in Self.known(row)
    where !chosen.contains(other.field) && !places.contains(other.place) {
      columns.append(other)
    }
    let hasPosition =
      columns.contains { $0.field == .latitude } && columns.contains { $0.field == .longitude }
      || columns.contains { $0.field == .position || $0.field == .url }
    guard hasPosition else { throw .unclearColumns(row) }
    // If the first row holds a latitude, there is no header, and the row is a place.
    if let latitude = columns.first(where: { $0.field == .latitude }),
      WrittenDegrees.number(row[latitude.place].replacing(",", with: ".")) != nil
    {
      firstRow = row
      names = []
      rowCount -= 1
      columns = columns.filter { chosen.contains($0.field) }
    }
  }

  /// Returns the name of a column, or its number from 1 where it has none.
  func name(of place: Int) -> String {
    Self.name(place < names.count ? names[place] : "", place)
  }

  static func name(_ text: String, _ place: Int) -> String {
    let name = PlaceText.line(text, limit: 60)
    return name.isEmpty ? "column \(place + 1)" : name
  }

  /// Returns the names of the columns without a field that have a value in a row.
  func unread(in row: [String]) -> [String] {
    let known = Set(columns.map(\.place))
    return row.indices.filter { !known.contains($0) && !StoredText.line(row[$0]).isEmpty }
      .map(name)
  }

  private static func known(_ row: [String]) -> [(field: PlaceField, place: Int)] {
    row.indices.compactMap { place in
      PlaceField(columnName: row[place]).map { ($0, place) }
    }
  }

  /// Returns the index of a column by its name, in any spelling, or by its number.
  private static func place(of name: String, in row: [String]) -> Int? {
    if let place = row.firstIndex(where: { PlaceText.line($0, limit: 1000) == name }) {
      return place
    }
    let folded = PlaceField.folded(name)
    if !folded.isEmpty, let place = row.firstIndex(where: { PlaceField.folded($0) == folded }) {
      return place
    }
    guard let number = Int(name), row.indices.contains(number - 1) else { return nil }
    return number - 1
  }
}
