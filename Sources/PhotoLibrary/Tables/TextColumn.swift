/// The texts of a table as bytes, one after another.
struct TextColumn: Sendable {
  /// The bytes of all.
  private(set) var bytes = Column<UInt8>()
  /// Where each ends in `bytes`.
  private(set) var ends = Column<Int32>()

  init() {}

  /// Creates a column of bytes, and of where each text ends in them, increasing.
  init(bytes: Column<UInt8>, ends: Column<Int32>) {
    self.bytes = bytes
    self.ends = ends
  }

  /// Where a text lies in ``bytes``.
  @inline(__always)
  func range(of row: Int) -> Range<Int> { ends.range(of: row, in: bytes.count) }

  mutating func append(_ text: some Collection<UInt8>) {
    bytes.appendStored(text)
    ends.append(Int32(truncatingIfNeeded: bytes.count))
  }
}

extension TextColumn: RandomAccessCollection, Equatable {
  var startIndex: Int { 0 }
  var endIndex: Int { ends.count }

  subscript(row: Int) -> ArraySlice<UInt8> { bytes.storedValues(range(of: row)) }
}

/// The lists of a table, one after another.
struct ListColumn<Element: StoredValue & Equatable>: Sendable {
  /// The elements of all.
  private(set) var elements = Column<Element>()
  /// Where each ends in `elements`.
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

  subscript(row: Int) -> Slice<Column<Element>> {
    elements[ends.range(of: row, in: elements.count)]
  }
}

extension Column<Int32> {
  /// What lies between the end of the row before and that of a row; a part of `0..<count` whatever
  /// the numbers are.
  @inline(__always)
  fileprivate func range(of row: Int, in count: Int) -> Range<Int> {
    let start = row == 0 ? 0 : Swift.min(Int(self[row - 1]), count)
    return start..<Swift.min(Swift.max(start, Int(self[row])), count)
  }
}

extension UInt8: StoredValue {
  static var typeName: String { "byte" }
  var stored: UInt8 { self }
  init(stored: UInt8, rowCount: Int) { self = stored }
}
