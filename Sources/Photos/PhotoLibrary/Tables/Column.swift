/// A column of a table, with a value for each row, stored in the process's memory or in a mapped
/// file.
///
/// A mapped file may contain any bytes. Reading a value from it always gives a valid value: a row
/// number of another table is replaced by one that exists.
struct Column<Value: StoredValue>: Sendable {
  private var own: [Value.Stored] = []
  /// The values in a mapped file, used in place of `own` until the column is changed.
  private var mapped: MappedValues<Value.Stored>?
  /// The number of rows of the table that the values refer to.
  private var rowCount = Int(Int32.max)

  /// Creates a column without rows.
  init() {}

  /// Creates a column of stored representations, each of which was checked.
  init(own values: [Value.Stored]) {
    own = values
  }

  /// Creates a column of values in a mapped file.
  init(mapped values: MappedValues<Value.Stored>, rowCount: Int) {
    mapped = values
    self.rowCount = rowCount
  }

  /// The stored representations of the values, copied if they are in a mapped file.
  var storedValues: [Value.Stored] { mapped.map { $0[0..<$0.count] } ?? own }

  /// Returns the stored representations of some of the values.
  func storedValues(_ rows: Range<Int>) -> ArraySlice<Value.Stored> {
    mapped.map { $0[rows][...] } ?? own[rows]
  }

  /// Calls a closure with the bytes of the values, in the layout of a mapped file.
  func withBytes(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    try storedValues.withUnsafeBytes(body)
  }

  mutating func append(_ value: Value) {
    bringIntoMemory()
    own.append(value.stored)
  }

  mutating func reserveCapacity(_ count: Int) {
    bringIntoMemory()
    own.reserveCapacity(count)
  }

  /// Appends stored representations of values.
  mutating func appendStored(_ values: some Collection<Value.Stored>) {
    bringIntoMemory()
    own.append(contentsOf: values)
  }

  @inline(__always)
  private mutating func bringIntoMemory() {
    guard mapped != nil else { return }
    (own, mapped) = (storedValues, nil)
  }
}

extension Column {
  /// Returns a column with some of the rows, in the given order.
  func taking(_ rows: [Int32]) -> Self {
    storedValues.withUnsafeBytes { values in
      let taken = [Value.Stored](unsafeUninitializedCapacity: rows.count) { taken, count in
        let taken = UnsafeMutableRawBufferPointer(taken)
        // By width, since the compiler does not specialise a loop over a generic type.
        switch MemoryLayout<Value.Stored>.stride {
        case 1: Self.copy(rows, of: values.bindMemory(to: UInt8.self), to: taken)
        case 2: Self.copy(rows, of: values.bindMemory(to: UInt16.self), to: taken)
        case 4: Self.copy(rows, of: values.bindMemory(to: UInt32.self), to: taken)
        default: Self.copy(rows, of: values.bindMemory(to: UInt64.self), to: taken)
        }
        count = rows.count
      }
      return Column(own: taken)
    }
  }

  @inline(__always)
  private static func copy<Number: BitwiseCopyable>(
    _ rows: [Int32], of values: UnsafeBufferPointer<Number>,
    to taken: UnsafeMutableRawBufferPointer
  ) {
    precondition(taken.count == rows.count * MemoryLayout<Number>.stride)
    for (place, row) in rows.enumerated() {
      precondition(values.indices.contains(Int(row)))
      taken.storeBytes(
        of: values[Int(row)], toByteOffset: place &* MemoryLayout<Number>.stride, as: Number.self)
    }
  }
}

extension Column where Value.Stored: FixedWidthInteger {
  /// Returns whether every row number is below a bound.
  func namesRows(below count: Int) -> Bool { (storedValues.max() ?? -1) < count }
}

extension Column: RandomAccessCollection, MutableCollection {
  var startIndex: Int { 0 }

  var endIndex: Int { mapped?.count ?? own.count }

  subscript(row: Int) -> Value {
    @inline(__always) get {
      Value(stored: mapped.map { $0[row] } ?? own[row], rowCount: rowCount)
    }
    set {
      bringIntoMemory()
      own[row] = newValue.stored
    }
  }
}

extension Column: Equatable where Value: Equatable {
  static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }
}

/// An array of numbers in a mapped file.
struct MappedValues<Stored: BitwiseCopyable & Sendable>: Sendable {
  private nonisolated(unsafe) let start: UnsafeRawPointer
  let count: Int
  /// The owner, which keeps the file mapped.
  private let owner: any AnyObject & Sendable

  /// Creates a view of bytes; `nil` if their count is not a multiple of the number's size.
  init?(_ bytes: UnsafeRawBufferPointer, owner: any AnyObject & Sendable) {
    let stride = MemoryLayout<Stored>.stride
    guard let start = bytes.baseAddress, bytes.count % stride == 0 else { return nil }
    self.start = start
    count = bytes.count / stride
    self.owner = owner
  }

  subscript(place: Int) -> Stored {
    @inline(__always) get {
      precondition(UInt(bitPattern: place) < UInt(bitPattern: count))
      return withExtendedLifetime(owner) {
        start.loadUnaligned(
          fromByteOffset: place &* MemoryLayout<Stored>.stride, as: Stored.self)
      }
    }
  }

  /// A copy of some of the numbers.
  subscript(places: Range<Int>) -> [Stored] {
    precondition(places.lowerBound >= 0 && places.upperBound <= count)
    return withExtendedLifetime(owner) {
      let bytes = UnsafeRawBufferPointer(
        start: start + places.lowerBound * MemoryLayout<Stored>.stride,
        count: places.count * MemoryLayout<Stored>.stride)
      return [Stored](unsafeUninitializedCapacity: places.count) { numbers, filled in
        UnsafeMutableRawBufferPointer(numbers).copyMemory(from: bytes)
        filled = places.count
      }
    }
  }
}
