import Interchange
import SystemPackage

/// A column of a table, as it is declared: the one place that says what it is called, what it
/// holds, and where it is kept. The document is read and written by it, the mapped file made and
/// opened, and the table of the format in the documentation is held to it.
struct ColumnSchema<Table>: Sendable {
  /// The name in the document.
  let name: String
  /// What it holds, with its unit.
  let meaning: String
  /// Where it is kept.
  let places: ColumnPlaces
  /// Whether a document may be without it: then every row holds null, or 0.
  let mayBeMissing: Bool

  /// A column of the kind without rows.
  let empty: @Sendable () -> any StoredColumn
  /// The column of a table.
  let get: @Sendable (Table) -> any StoredColumn
  /// Puts a column of the kind into a table.
  let set: @Sendable (inout Table, any StoredColumn) -> Void

  /// Takes the column of a table from a mapped file, where it is whole and has so many rows.
  ///
  /// Compiled for the column's own type, as are the names below: to put a column into an
  /// existential the runtime looks its type up among all conformances of the program, 25 µs a type,
  /// and questions open all columns.
  let map: @Sendable (inout Table, inout MappedReader, Int?) -> Bool
  /// What a row is in the document, as its documentation says it.
  private let typeName: @Sendable () -> String
  /// How many bytes a row takes in the mapped file, as its documentation says it.
  private let width: @Sendable () -> String

  /// Declares a column.
  ///
  /// - Parameters:
  ///   - name: The name in the document.
  ///   - access: Calls a closure with the column of a table. No key path, since making those of all
  ///     columns takes a millisecond at each start.
  ///   - meaning: What it holds, with its unit.
  ///   - places: Where it is kept.
  ///   - mayBeMissing: Whether a document may be without it.
  init<Column: StoredColumn>(
    _ name: String, _ access: @escaping @Sendable (inout Table, (inout Column) -> Void) -> Void,
    _ meaning: String, places: ColumnPlaces = .everywhere, mayBeMissing: Bool = false
  ) {
    self.name = name
    self.meaning = meaning
    self.places = places
    self.mayBeMissing = mayBeMissing
    empty = { Column() }
    get = { table in
      var (table, column) = (table, Column())
      access(&table) { column = $0 }
      return column
    }
    set = { table, column in
      guard let column = column as? Column else { preconditionFailure("a column of another kind") }
      access(&table) { $0 = column }
    }
    map = { table, reader, rowCount in
      var isMapped = false
      access(&table) { isMapped = $0.map(from: &reader) && $0.count == rowCount }
      return isMapped
    }
    typeName = { Column.typeName }
    width = { Column.width }
  }
}

extension ColumnSchema {
  /// The column's row in the documentation of the format.
  var documentation: String {
    let document =
      places == .mappedOnly ? "–" : typeName() + (mayBeMissing ? "; may be missing" : "")
    let mapped = places == .documentOnly ? "–" : width()
    return "| `\(name)` | \(meaning) | \(document) | \(mapped) |"
  }
}

/// Where a column is kept.
enum ColumnPlaces: Sendable {
  case everywhere
  /// What only a scan needs: not in the mapped file, and not read for questions.
  case documentOnly
  /// What is made for other programs to read: not read from the document.
  case writtenOnly
  /// What follows from other columns: not in the document.
  case mappedOnly
}

/// Takes a part of a document's text.
typealias IndexSink = ([UInt8]) throws(Errno) -> Void

/// What a table can do with each of its columns, whatever it holds.
protocol StoredColumn: Sendable {
  /// What a row is in the document, as its documentation says it.
  static var typeName: String { get }

  /// How many bytes a row takes in the mapped file, as its documentation says it.
  static var width: String { get }

  /// Creates a column without rows.
  init()

  /// How many rows it has.
  var count: Int { get }

  /// Writes the values, each an element of an array.
  func write(to writer: inout JSONWriter, _ sink: IndexSink) throws(Errno)

  /// Reads an array of values, in place of those that are there.
  mutating func read(from reader: inout JSONReader, count: Int) throws(JSONError)

  /// Takes on so many rows that hold null or 0.
  mutating func fill(_ count: Int)

  /// Some of its rows, in the order in which they are given.
  func taking(_ rows: [Int32]) -> Self

  /// Adds the bytes of the values.
  func addSections(to sections: inout MappedSections)

  /// Takes the values from a mapped file, where they are whole.
  mutating func map(from reader: inout MappedReader) -> Bool
}

/// A table whose columns are declared.
protocol DeclaredTable: Sendable {
  /// Tells its rows from those of other tables.
  associatedtype Row: TableRows
  /// What the table is called in the document.
  static var name: String { get }
  /// The columns, in the order in which they are written. The first that is in the document tells
  /// how many rows there are.
  static var columns: [ColumnSchema<Self>] { get }
  /// How many rows there are.
  var count: Int { get }
}

extension DeclaredTable {
  static var name: String { Row.table.name }
  var isEmpty: Bool { count == 0 }
  var indices: Range<Int> { 0..<count }
  /// All rows.
  var ids: some RandomAccessCollection<RowID<Row>> { indices.lazy.map { RowID($0) } }

  /// Writes the table as an object of columns, the members of which may be preceded by others.
  func write(
    to writer: inout JSONWriter, _ sink: IndexSink,
    before head: (inout JSONWriter) -> Void = { _ in }
  ) throws(Errno) {
    try writer.object(Self.name) { (writer) throws(Errno) in
      head(&writer)
      for column in Self.columns where column.places != .mappedOnly {
        try writer.array(column.name) { (writer) throws(Errno) in
          try column.get(self).write(to: &writer, sink)
        }
      }
    }
  }
}

/// A table while it is being read.
struct TableReading<Table: DeclaredTable> {
  private var table: Table
  /// How many rows each column has that was read, or passed over.
  private var counts: [String: Int] = [:]
  /// Whether what only a scan needs is read.
  private let includesScanColumns: Bool

  init(_ empty: Table, includingScanColumns includesScanColumns: Bool = true) {
    table = empty
    self.includesScanColumns = includesScanColumns
  }

  private static var documentColumns: [ColumnSchema<Table>] {
    Table.columns.filter { $0.places == .everywhere || $0.places == .documentOnly }
  }

  /// Reads an object of columns.
  mutating func read(_ reader: inout JSONReader) throws(JSONError) {
    let columns = Self.documentColumns
    // As many as the first column has.
    var expected = 0
    try reader.beginObject()
    while let key = try reader.nextKey() {
      guard let schema = columns.first(where: { $0.name == key }) else {
        try reader.skipValue()
        continue
      }
      if schema.places == .documentOnly, !includesScanColumns {
        counts[key] = try reader.skipIntegers()
        continue
      }
      var column = schema.empty()
      try column.read(from: &reader, count: expected)
      expected = max(expected, column.count)
      counts[key] = column.count
      schema.set(&table, column)
    }
  }

  /// The table, all of whose columns have the same length.
  func finish() throws(IndexFormatError) -> Table {
    var table = table
    let columns = Self.documentColumns
    let count = columns.first.flatMap { counts[$0.name] } ?? 0
    for schema in columns where counts[schema.name] != count {
      guard counts[schema.name] == nil, schema.mayBeMissing else {
        throw .damaged(
          "the column \(Table.name).\(schema.name) is missing or has another length")
      }
      if schema.places == .documentOnly, !includesScanColumns { continue }
      var column = schema.empty()
      column.fill(count)
      schema.set(&table, column)
    }
    return table
  }
}

// MARK: - Columns

extension Column: StoredColumn where Value: ColumnValue {
  static var typeName: String { Value.typeName }
  static var width: String { "\(MemoryLayout<Value.Stored>.size)" }

  func write(to writer: inout JSONWriter, _ sink: IndexSink) throws(Errno) {
    try Value.writeColumn(storedValues[...], to: &writer, sink)
  }

  mutating func read(from reader: inout JSONReader, count: Int) throws(JSONError) {
    self = Column(own: try Value.readColumn(from: &reader, count: count))
  }

  mutating func fill(_ count: Int) {
    self = Column(own: Array(repeating: Value.missing, count: count))
  }

  func addSections(to sections: inout MappedSections) { sections.add(self) }

  mutating func map(from reader: inout MappedReader) -> Bool {
    guard let mapped = reader.column(of: Value.self) else { return false }
    self = mapped
    return true
  }
}

/// A column whose rows are lists of different lengths: the elements of all, and where each ends.
protocol ListedColumn: StoredColumn {
  /// What the lists are of.
  associatedtype Listed: StoredValue
  /// The elements of all rows, one row after another.
  var elements: Column<Listed> { get }
  /// Where each row ends in ``elements``.
  var ends: Column<Int32> { get }

  init(elements: Column<Listed>, ends: Column<Int32>)
}

extension ListedColumn {
  /// Where a row lies in ``elements``; a part of it whatever the numbers are.
  @inline(__always)
  func range(of row: Int) -> Range<Int> {
    let start = row == 0 ? 0 : min(Int(ends[row - 1]), elements.count)
    return start..<min(max(start, Int(ends[row])), elements.count)
  }

  mutating func fill(_ count: Int) {
    self = Self(elements: Column(), ends: Column(own: Array(repeating: 0, count: count)))
  }

  func taking(_ rows: [Int32]) -> Self {
    var (places, newEnds): ([Int32], [Int32]) = ([], [])
    places.reserveCapacity(elements.count)
    newEnds.reserveCapacity(rows.count)
    for row in rows {
      let range = range(of: Int(row))
      places.append(contentsOf: Int32(range.lowerBound)..<Int32(range.upperBound))
      newEnds.append(Int32(truncatingIfNeeded: places.count))
    }
    return Self(elements: elements.taking(places), ends: Column(own: newEnds))
  }

  func addSections(to sections: inout MappedSections) {
    sections.add(elements)
    sections.add(ends)
  }

  mutating func map(from reader: inout MappedReader) -> Bool {
    guard let elements = reader.column(of: Listed.self), let ends = reader.column(of: Int32.self)
    else { return false }
    self = Self(elements: elements, ends: ends)
    return true
  }
}

extension TextColumn: StoredColumn, ListedColumn {
  static var typeName: String { "text" }
  static var width: String { "its bytes + 4" }

  func write(to writer: inout JSONWriter, _ sink: IndexSink) throws(Errno) {
    try writer.elements(self, to: sink) { $0.string(bytes: $1) }
  }

  mutating func read(from reader: inout JSONReader, count: Int) throws(JSONError) {
    var (texts, ends): ([UInt8], [Int32]) = ([], [])
    ends.reserveCapacity(count)
    try reader.strings(onto: &texts, ends: &ends)
    self = TextColumn(elements: Column(own: texts), ends: Column(own: ends))
  }
}

extension ListColumn: StoredColumn, ListedColumn {
  static var typeName: String { "list of \(Element.typeName)" }
  static var width: String { "\(MemoryLayout<Element.Stored>.size) each + 4" }

  func write(to writer: inout JSONWriter, _ sink: IndexSink) throws(Errno) {
    let (values, ends) = (elements.storedValues, ends.storedValues)
    var start = 0
    for end in ends {
      try writer.array { (writer) throws(Errno) in
        try Element.writeColumn(values[start..<Int(end)], to: &writer, sink)
      }
      start = Int(end)
      try writer.handOver(to: sink)
    }
  }

  mutating func read(from reader: inout JSONReader, count: Int) throws(JSONError) {
    var (elements, ends): ([Element.Stored], [Int32]) = ([], [])
    try reader.beginArray()
    while try reader.nextElement() {
      elements += try Element.readColumn(from: &reader, count: 0)
      guard let end = Int32(exactly: elements.count) else {
        throw JSONError(offset: reader.offset, reason: "a column of too many elements")
      }
      ends.append(end)
    }
    self = ListColumn(elements: Column(own: elements), ends: Column(own: ends))
  }
}

extension JSONWriter {
  /// Writes each element of a column.
  @inline(__always)
  mutating func elements<Elements: Sequence>(
    _ elements: Elements, to sink: IndexSink, _ write: (inout JSONWriter, Elements.Element) -> Void
  ) throws(Errno) {
    for element in elements {
      write(&self, element)
      try handOver(to: sink)
    }
  }

  /// Hands the text over whenever it is a megabyte long.
  mutating func handOver(to sink: IndexSink) throws(Errno) {
    if bytes.count >= 1 << 20 { try sink(takeBytes()) }
  }
}
