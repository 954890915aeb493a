/// The texts of a table as bytes, one after another.
struct TextColumn: Sendable {
  /// The bytes of all.
  private(set) var elements = Column<UInt8>()
  /// Where each ends in ``elements``.
  private(set) var ends = Column<Int32>()

  init() {}

  /// Creates a column of bytes, and of where each text ends in them, increasing.
  init(elements: Column<UInt8>, ends: Column<Int32>) {
    self.elements = elements
    self.ends = ends
  }

  mutating func append(_ text: some Collection<UInt8>) {
    elements.appendStored(text)
    ends.append(Int32(truncatingIfNeeded: elements.count))
  }
}

extension TextColumn: RandomAccessCollection, Equatable {
  var startIndex: Int { 0 }
  var endIndex: Int { ends.count }

  subscript(row: Int) -> ArraySlice<UInt8> { elements.storedValues(range(of: row)) }
}

/// The lists of a table, one after another.
struct ListColumn<Element: ColumnValue & Equatable>: Sendable {
  /// The elements of all.
  private(set) var elements = Column<Element>()
  /// Where each ends in ``elements``.
  private(set) var ends = Column<Int32>()

  init() {}

  /// Creates a column of elements, and of where each list ends in them, increasing.
  init(elements: Column<Element>, ends: Column<Int32>) {
    self.elements = elements
    self.ends = ends
  }

  mutating func append(_ list: some Collection<Element>) {
    for element in list { elements.append(element) }
    ends.append(Int32(truncatingIfNeeded: elements.count))
  }
}

extension ListColumn: RandomAccessCollection, Equatable {
  var startIndex: Int { 0 }
  var endIndex: Int { ends.count }

  subscript(row: Int) -> Slice<Column<Element>> { elements[range(of: row)] }
}

extension UInt8: StoredValue {
  static var typeName: String { "byte" }
  var stored: UInt8 { self }
  init(stored: UInt8, rowCount: Int) { self = stored }
}
