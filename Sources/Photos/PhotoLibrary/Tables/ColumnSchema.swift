import Encodings
import SystemPackage

/// The declaration of a table's column: its name, its contents and where it is stored. The
/// declaration is used to read and write the document and the mapped file, and a test compares the
/// format's documentation with it.
struct ColumnSchema<Table>: Sendable {
  /// The name in the document.
  let name: String
  /// A description of the contents, with the unit.
  let meaning: String
  /// Where the column is stored.
  let places: ColumnPlaces
  /// Whether a document may lack the column; every row is then null, or 0.
  let mayBeMissing: Bool

  /// Creates an empty column of the same type.
  let empty: @Sendable () -> any StoredColumn
  /// Returns the column of a table.
  let get: @Sendable (Table) -> any StoredColumn
  /// Replaces the column of a table with another of the same type.
  let set: @Sendable (inout Table, any StoredColumn) -> Void

  /// Reads the column of a table from a mapped file; false if it is damaged or its number of rows
  /// differs from the one given.
  ///
  /// Compiled for the column's concrete type, as are the names below. Boxing a column in an
  /// existential makes the runtime search all conformances of the program for its type, 25 µs a
  /// type, and questions open all columns.
  let map: @Sendable (inout Table, inout MappedReader, Int?) -> Bool
  /// The type of a row in the document, for the documentation.
  private let typeName: @Sendable () -> String
  /// The number of bytes of a row in the mapped file, for the documentation.
  private let width: @Sendable () -> String

  /// Declares a column.
  ///
  /// - Parameters:
  ///   - name: The name in the document.
  ///   - access: Calls a closure with the column of a table. A key path is not used, since creating
  ///     those of all columns takes a millisecond at each start.
  ///   - meaning: A description of the contents, with the unit.
  ///   - places: Where the column is stored.
  ///   - mayBeMissing: Whether a document may lack the column.
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

/// The files in which a column is stored.
enum ColumnPlaces: Sendable {
  case everywhere
  /// Only in the document, and only read by scans.
  case documentOnly
  /// Only written to the document, for other programs.
  case writtenOnly
  /// Only in the mapped file, since it is derived from other columns.
  case mappedOnly
}

/// A receiver of chunks of a document's text.
typealias IndexSink = ([UInt8]) throws(Errno) -> Void

/// The operations of a column that do not depend on its type of value.
protocol StoredColumn: Sendable {
  /// The type of a row in the document, for the documentation.
  static var typeName: String { get }

  /// The number of bytes of a row in the mapped file, for the documentation.
  static var width: String { get }

  /// Creates an empty column.
  init()

  /// The number of rows.
  var count: Int { get }

  /// Writes the values as elements of an array.
  func write(to writer: inout JSONWriter, _ sink: IndexSink) throws(Errno)

  /// Reads an array of values, replacing the existing ones.
  mutating func read(from reader: inout JSONReader, count: Int) throws(JSONError)

  /// Replaces the contents with a number of rows of null or 0.
  mutating func fill(_ count: Int)

  /// Returns a column with some of the rows, in the given order.
  func taking(_ rows: [Int32]) -> Self

  /// Adds the bytes of the values to a mapped file.
  func addSections(to sections: inout MappedSections)

  /// Reads the values from a mapped file; false if they are damaged.
  mutating func map(from reader: inout MappedReader) -> Bool
}

/// A table whose columns are declared.
protocol DeclaredTable: Sendable {
  /// The type that distinguishes its row numbers from those of other tables.
  associatedtype Row: TableRows
  /// The name of the table in the document.
  static var name: String { get }
  /// The columns, in the order in which they are written. The first of them in the document
  /// determines the number of rows.
  static var columns: [ColumnSchema<Self>] { get }
  /// The number of rows.
  var count: Int { get }
}

extension DeclaredTable {
  static var name: String { Row.table.name }
  var isEmpty: Bool { count == 0 }
  var indices: Range<Int> { 0..<count }
  /// The numbers of all rows.
  var ids: some RandomAccessCollection<RowID<Row>> { indices.lazy.map { RowID($0) } }

  /// Writes the table as an object of columns, optionally preceded by other members.
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

/// A table that is being read.
struct TableReading<Table: DeclaredTable> {
  private var table: Table
  /// The number of rows of each column that was read or skipped.
  private var counts: [String: Int] = [:]
  /// Whether the columns that only a scan needs are read.
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
    // The length of the first column, as an estimate for the others.
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

  /// Returns the table after checking that all columns have the same length.
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

/// A column whose rows are lists of different lengths, stored as the elements of all lists and the
/// end of each.
protocol ListedColumn: StoredColumn {
  /// The type of the lists' elements.
  associatedtype Listed: StoredValue
  /// The elements of all rows, concatenated.
  var elements: Column<Listed> { get }
  /// The end of each row in ``elements``.
  var ends: Column<Int32> { get }

  init(elements: Column<Listed>, ends: Column<Int32>)
}

extension ListedColumn {
  /// Returns the range of a row in ``elements``; always within bounds, even if the stored ends are
  /// invalid.
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

  /// Passes the text to the sink once it is at least a megabyte long.
  mutating func handOver(to sink: IndexSink) throws(Errno) {
    if bytes.count >= 1 << 20 { try sink(takeBytes()) }
  }
}
