import CivilTime
import Interchange
import PhotoMetadata
import SystemPackage

/// What may be kept as a number of fixed width, for which every pattern of bits stands for some
/// value.
protocol StoredValue: Sendable {
  /// The number, as it lies in memory and in a mapped file.
  associatedtype Stored: BitwiseCopyable & Numeric & Sendable

  /// What the value is in the document, as its documentation says it.
  static var typeName: String { get }

  /// The table that the value names a row of; `nil` where it is a value of its own.
  static var table: IndexTable? { get }

  /// The number of a row of which nothing is said.
  static var missing: Stored { get }

  /// The number of the value.
  var stored: Stored { get }

  /// The value of a number, which may be one that no value has: then a value all the same.
  ///
  /// - Parameters:
  ///   - stored: The number.
  ///   - rowCount: How many rows the table has that the value names a row of; no number at or
  ///     beyond it is returned, but 0 where there are none.
  init(stored: Stored, rowCount: Int)
}

extension StoredValue {
  static var table: IndexTable? { nil }
  static var missing: Stored { 0 }
}

/// What a column of the document may hold.
protocol ColumnValue: StoredValue {
  /// Reads an array of values.
  ///
  /// - Parameters:
  ///   - reader: The document, in front of the array.
  ///   - count: About how many they are.
  /// - Returns: The numbers of the values.
  /// - Throws: Where one is no such value.
  static func readColumn(
    from reader: inout JSONReader, count: Int
  ) throws(JSONError) -> [Stored]

  /// Writes values as elements of an array.
  ///
  /// - Parameters:
  ///   - values: Their numbers. A whole column at a time, since the loop over it is compiled for
  ///     each kind of value; a call for each value through a generic type takes ten times as long.
  ///   - writer: Takes the text.
  ///   - sink: Takes the text whenever it is long.
  /// - Throws: What the sink throws.
  static func writeColumn(
    _ values: ArraySlice<Stored>, to writer: inout JSONWriter, _ sink: IndexSink
  ) throws(Errno)
}

/// A value that has a number to stand for none.
protocol OptionalColumnValue: ColumnValue {
  /// The number of none.
  static var none: Stored { get }

  /// Whether a number stands for none, or for a value that cannot be.
  static func isNone(_ stored: Stored, rowCount: Int) -> Bool

  /// Reads an array of values, and of nulls where a number stands for them.
  static func readColumn(
    from reader: inout JSONReader, null: Stored?, count: Int
  ) throws(JSONError) -> [Stored]

  /// Writes values as elements of an array, and `null` where a number stands for it.
  static func writeColumn(
    _ values: ArraySlice<Stored>, null: Stored?, to writer: inout JSONWriter, _ sink: IndexSink
  ) throws(Errno)
}

extension OptionalColumnValue {
  static func readColumn(
    from reader: inout JSONReader, count: Int
  ) throws(JSONError) -> [Stored] {
    try readColumn(from: &reader, null: nil, count: count)
  }

  static func writeColumn(
    _ values: ArraySlice<Stored>, to writer: inout JSONWriter, _ sink: IndexSink
  ) throws(Errno) {
    try writeColumn(values, null: nil, to: &writer, sink)
  }
}

extension Optional: StoredValue where Wrapped: OptionalColumnValue {
  static var typeName: String { Wrapped.typeName + " or null" }
  static var table: IndexTable? { Wrapped.table }
  static var missing: Wrapped.Stored { Wrapped.none }
  var stored: Wrapped.Stored { self?.stored ?? Wrapped.none }

  init(stored: Wrapped.Stored, rowCount: Int) {
    self =
      Wrapped.isNone(stored, rowCount: rowCount)
      ? nil : Wrapped(stored: stored, rowCount: rowCount)
  }
}

extension Optional: ColumnValue where Wrapped: OptionalColumnValue {
  static func readColumn(
    from reader: inout JSONReader, count: Int
  ) throws(JSONError) -> [Wrapped.Stored] {
    try Wrapped.readColumn(from: &reader, null: Wrapped.none, count: count)
  }

  static func writeColumn(
    _ values: ArraySlice<Wrapped.Stored>, to writer: inout JSONWriter, _ sink: IndexSink
  ) throws(Errno) {
    try Wrapped.writeColumn(values, null: Wrapped.none, to: &writer, sink)
  }
}

// MARK: - Whole numbers

/// A value that is kept as a whole number of a range; the least number of the width stands for
/// none.
protocol WholeColumnValue: OptionalColumnValue where Stored: FixedWidthInteger & SignedInteger {
  /// What numbers may be.
  static var range: ClosedRange<Stored> { get }

  init(stored: Stored)
}

extension WholeColumnValue {
  static var typeName: String { "whole number" }
  static var none: Stored { .min }

  static func isNone(_ stored: Stored, rowCount: Int) -> Bool { !range.contains(stored) }

  init(stored: Stored, rowCount: Int) {
    self.init(stored: min(max(stored, Self.range.lowerBound), Self.range.upperBound))
  }

  static func readColumn(
    from reader: inout JSONReader, null: Stored?, count: Int
  ) throws(JSONError) -> [Stored] {
    try reader.numbers(range, null: null, count: count)
  }

  static func writeColumn(
    _ values: ArraySlice<Stored>, null: Stored?, to writer: inout JSONWriter, _ sink: IndexSink
  ) throws(Errno) {
    try writer.numbers(values, null: null, to: sink)
  }
}

extension Int64: WholeColumnValue {
  static var range: ClosedRange<Int64> { .min ... .max }
  var stored: Int64 { self }
  init(stored: Int64) { self = stored }
}

extension Int32: WholeColumnValue {
  static var range: ClosedRange<Int32> { 0 ... .max }
  var stored: Int32 { self }
  init(stored: Int32) { self = stored }
}

/// Sixty-four bits, which are written as a signed number.
extension UInt64: WholeColumnValue {
  static var range: ClosedRange<Int64> { .min ... .max }
  var stored: Int64 { Int64(bitPattern: self) }
  init(stored: Int64) { self = UInt64(bitPattern: stored) }
}

/// Milliseconds since 1970; the least of all stands for none.
extension Instant: WholeColumnValue {
  static var range: ClosedRange<Int64> { .min + 1 ... .max }
  var stored: Int64 { max(millisecondsSince1970, .min + 1) }
  init(stored: Int64) { self.init(millisecondsSince1970: stored) }
}

/// Minutes that a local time is ahead of UTC.
struct OffsetMinutes: WholeColumnValue, Equatable {
  static var range: ClosedRange<Int16> { -1440...1440 }
  let stored: Int16
  init(stored: Int16) { self.stored = stored }

  /// Creates an offset; `nil` where it is out of range.
  init?(_ minutes: Int) {
    guard let stored = Int16(exactly: minutes), Self.range.contains(stored) else { return nil }
    self.stored = stored
  }
}

/// A rating in stars, 0–5, or −1 for rejected.
struct Stars: WholeColumnValue, Equatable {
  static var range: ClosedRange<Int8> { -1...5 }
  let stored: Int8
  init(stored: Int8) { self.stored = stored }
}

// MARK: - Rows of tables

extension RowID: StoredValue, ColumnValue, OptionalColumnValue {
  static var typeName: String { "row of \(Table.table.name)" }
  static var table: IndexTable? { Table.table }
  static var none: Int32 { -1 }
  var stored: Int32 { number }

  static func isNone(_ stored: Int32, rowCount: Int) -> Bool {
    UInt(truncatingIfNeeded: UInt32(bitPattern: stored)) >= UInt(bitPattern: rowCount)
  }

  init(stored: Int32, rowCount: Int) {
    self.init(number: Self.isNone(stored, rowCount: rowCount) ? 0 : stored)
  }

  static func readColumn(
    from reader: inout JSONReader, null: Int32?, count: Int
  ) throws(JSONError) -> [Int32] {
    try reader.numbers(0...Int32.max, null: null, count: count)
  }

  static func writeColumn(
    _ values: ArraySlice<Int32>, null: Int32?, to writer: inout JSONWriter, _ sink: IndexSink
  ) throws(Errno) {
    try writer.numbers(values, null: null, to: sink)
  }
}

// MARK: - Others

/// NaN stands for none.
extension Double: OptionalColumnValue {
  static var typeName: String { "number" }
  static var none: Double { .nan }
  var stored: Double { self }
  init(stored: Double, rowCount: Int) { self = stored }
  static func isNone(_ stored: Double, rowCount: Int) -> Bool { stored.isNaN }

  /// A null is NaN in any column, which is no position.
  static func readColumn(
    from reader: inout JSONReader, null: Double?, count: Int
  ) throws(JSONError) -> [Double] {
    var column: [Double] = []
    column.reserveCapacity(count)
    try reader.doubles { column.append(contentsOf: $0) }
    return column
  }

  static func writeColumn(
    _ values: ArraySlice<Double>, null: Double?, to writer: inout JSONWriter, _ sink: IndexSink
  ) throws(Errno) {
    try writer.elements(values, to: sink) { $0.number($1) }
  }
}

extension Bool: ColumnValue {
  static var typeName: String { "true or false" }
  var stored: UInt8 { self ? 1 : 0 }
  init(stored: UInt8, rowCount: Int) { self = stored != 0 }

  static func readColumn(
    from reader: inout JSONReader, count: Int
  ) throws(JSONError) -> [UInt8] {
    var column: [UInt8] = []
    column.reserveCapacity(count)
    try reader.booleans { batch in column.append(contentsOf: batch.lazy.map(\.stored)) }
    return column
  }

  static func writeColumn(
    _ values: ArraySlice<UInt8>, to writer: inout JSONWriter, _ sink: IndexSink
  ) throws(Errno) {
    try writer.elements(values, to: sink) { $0.boolean($1 != 0) }
  }
}

/// The place among all cases, which must not change as long as files are mapped that hold it; a new
/// case comes last.
extension PositionSource: ColumnValue {
  static var typeName: String { "text" }
  var stored: UInt8 {
    UInt8(truncatingIfNeeded: Self.allCases.firstIndex(of: self) ?? 0)
  }

  init(stored: UInt8, rowCount: Int) {
    self = Self.allCases.indices.contains(Int(stored)) ? Self.allCases[Int(stored)] : .exif
  }

  /// Of sources mostly each is the one before it.
  static func readColumn(
    from reader: inout JSONReader, count: Int
  ) throws(JSONError) -> [UInt8] {
    var (names, ends): ([UInt8], [Int32]) = ([], [])
    let columnStart = reader.offset
    try reader.strings(onto: &names, ends: &ends)
    var sources: [UInt8] = []
    sources.reserveCapacity(ends.count)
    var (start, last) = (0, 0..<0)
    for end in ends {
      let name = start..<Int(end)
      if let source = sources.last, names[name] == names[last] {
        sources.append(source)
      } else if let source = PositionSource(rawValue: String(decoding: names[name], as: UTF8.self))
      {
        sources.append(source.stored)
      } else {
        throw JSONError(offset: columnStart, reason: "an unknown source")
      }
      (start, last) = (name.upperBound, name)
    }
    return sources
  }

  static func writeColumn(
    _ values: ArraySlice<UInt8>, to writer: inout JSONWriter, _ sink: IndexSink
  ) throws(Errno) {
    try writer.elements(values, to: sink) { writer, value in
      writer.string(PositionSource(stored: value, rowCount: 0).rawValue)
    }
  }
}

extension JSONReader {
  /// Reads an array of whole numbers in a range. `null` is what stands for `null`, which is an
  /// error where that is `nil`.
  fileprivate mutating func numbers<Number: FixedWidthInteger>(
    _ range: ClosedRange<Number>, null: Number? = nil, count: Int
  ) throws(JSONError) -> [Number] {
    var column: [Number] = []
    column.reserveCapacity(count)
    let start = offset
    let range = Int64(range.lowerBound)...Int64(range.upperBound)
    try integers(null: null == nil ? nil : Int64.min) { batch throws(JSONError) in
      var isInRange = true
      let values = [Number](unsafeUninitializedCapacity: batch.count) { values, count in
        for number in batch {
          isInRange = isInRange && (range.contains(number) || (number == .min && null != nil))
          let value = number == .min ? null ?? .min : Number(truncatingIfNeeded: number)
          values.initializeElement(at: count, to: value)
          count += 1
        }
      }
      guard isInRange else {
        throw JSONError(offset: start, reason: "a number of the column is out of range")
      }
      column.append(contentsOf: values)
    }
    return column
  }
}

extension JSONWriter {
  /// As many numbers are written together.
  private static let batchCount = 1024

  /// Writes whole numbers; `null` in the place of what stands for it.
  fileprivate mutating func numbers<Number: FixedWidthInteger>(
    _ values: ArraySlice<Number>, null: Number? = nil, to sink: IndexSink
  ) throws(Errno) {
    // As the members of most spots.
    if values.count < 8 {
      for value in values {
        if value == null { self.null() } else { integer(value) }
      }
      return try handOver(to: sink)
    }
    for start in stride(from: values.startIndex, to: values.endIndex, by: Self.batchCount) {
      let batch = values[start..<min(start + Self.batchCount, values.endIndex)]
      integers(batch.map { Int64($0) }, null: null.map { Int64($0) })
      try handOver(to: sink)
    }
  }
}
