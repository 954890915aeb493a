/// A column of texts as bytes, stored concatenated.
struct TextColumn: Sendable {
  /// The bytes of all texts.
  private(set) var elements = Column<UInt8>()
  /// The end of each text in ``elements``.
  private(set) var ends = Column<Int32>()

  init() {}

  /// Creates a column from the bytes of all texts and the end of each, increasing.
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

/// A column of lists, stored concatenated.
struct ListColumn<Element: ColumnValue & Equatable>: Sendable {
  /// The elements of all lists.
  private(set) var elements = Column<Element>()
  /// The end of each list in ``elements``.
  private(set) var ends = Column<Int32>()

  init() {}

  /// Creates a column from the elements of all lists and the end of each, increasing.
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
