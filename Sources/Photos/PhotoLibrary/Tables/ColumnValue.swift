import CivilTime
import Encodings
import PhotoMetadata
import SystemPackage

/// A value that can be stored as a number of fixed width, where every bit pattern represents some
/// value.
protocol StoredValue: Sendable {
  /// The type of the number, in memory and in a mapped file.
  associatedtype Stored: BitwiseCopyable & Numeric & Sendable

  /// The type of the value in the document, for the documentation.
  static var typeName: String { get }

  /// The table whose row the value refers to; `nil` if the value is not a row number.
  static var table: IndexTable? { get }

  /// The number of a row without a value.
  static var missing: Stored { get }

  /// The number that represents the value.
  var stored: Stored { get }

  /// Creates the value of a number; an invalid number gives some valid value.
  ///
  /// - Parameters:
  ///   - stored: The number.
  ///   - rowCount: The number of rows of the table that the value refers to. The result is below
  ///     it, or 0 if the table is empty.
  init(stored: Stored, rowCount: Int)
}

extension StoredValue {
  static var table: IndexTable? { nil }
  static var missing: Stored { 0 }
}

/// A value that a column of the document can contain.
protocol ColumnValue: StoredValue {
  /// Reads an array of values.
  ///
  /// - Parameters:
  ///   - reader: The document, positioned before the array.
  ///   - count: The approximate number of values.
  /// - Returns: The stored representations of the values.
  /// - Throws: If an element is not a valid value.
  static func readColumn(
    from reader: inout JSONReader, count: Int
  ) throws(JSONError) -> [Stored]

  /// Writes values as elements of an array.
  ///
  /// - Parameters:
  ///   - values: Their stored representations. A whole column is passed, since this loop is
  ///     compiled for each type of value; a call per value through a generic type takes ten times
  ///     as long.
  ///   - writer: The writer to append the text to.
  ///   - sink: Receives the text whenever it is long.
  /// - Throws: The error of the sink.
  static func writeColumn(
    _ values: ArraySlice<Stored>, to writer: inout JSONWriter, _ sink: IndexSink
  ) throws(Errno)
}

/// A value with a number that represents `nil`.
protocol OptionalColumnValue: ColumnValue {
  /// The number that represents `nil`.
  static var none: Stored { get }

  /// Returns whether a number represents `nil` or an invalid value.
  static func isNone(_ stored: Stored, rowCount: Int) -> Bool

  /// Reads an array of values; if `null` is given, the array may contain nulls, which become that
  /// number.
  static func readColumn(
    from reader: inout JSONReader, null: Stored?, count: Int
  ) throws(JSONError) -> [Stored]

  /// Writes values as elements of an array; if `null` is given, that number is written as `null`.
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

/// A value stored as an integer in a range; the minimum of the integer's type represents `nil`.
protocol WholeColumnValue: OptionalColumnValue where Stored: FixedWidthInteger & SignedInteger {
  /// The range of valid numbers.
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

/// Sixty-four bits, written as a signed integer.
extension UInt64: WholeColumnValue {
  static var range: ClosedRange<Int64> { .min ... .max }
  var stored: Int64 { Int64(bitPattern: self) }
  init(stored: Int64) { self = UInt64(bitPattern: stored) }
}

/// Milliseconds since 1970; `Int64.min` represents `nil`.
extension Instant: WholeColumnValue {
  static var range: ClosedRange<Int64> { .min + 1 ... .max }
  var stored: Int64 { max(millisecondsSince1970, .min + 1) }
  init(stored: Int64) { self.init(millisecondsSince1970: stored) }
}

/// The number of minutes that a local time is ahead of UTC.
struct OffsetMinutes: WholeColumnValue, Equatable {
  static var range: ClosedRange<Int16> { -1440...1440 }
  let stored: Int16
  init(stored: Int16) { self.stored = stored }

  /// Creates an offset; `nil` if it is out of range.
  init?(_ minutes: Int) {
    guard let stored = Int16(exactly: minutes), Self.range.contains(stored) else { return nil }
    self.stored = stored
  }

  /// The meaning of a column of offsets, which also marks dates without a time.
  static let meaning =
    "minutes that the camera's clock is ahead of UTC; -1440 if only the day is known, 1440 if it is"
    + " the day in the file's name, or less is known"

  /// Creates the offset stored for a capture time, or for a partial date without one.
  init?(_ time: CaptureTime?, hasPartialDate: Bool) {
    let isPartial = time == nil && hasPartialDate
    guard let minutes = isPartial ? CaptureTime.dayInNameOffset : time?.storedOffset else {
      return nil
    }
    self.init(minutes)
  }

  /// Returns whether a row without a capture time has a partial date.
  static func isOfPartialDate(_ time: Instant?, _ offset: OffsetMinutes?) -> Bool {
    time == nil && offset.map { Int($0.stored) } == CaptureTime.dayInNameOffset
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

/// A number; NaN represents `nil`.
extension Double: OptionalColumnValue {
  static var typeName: String { "number" }
  static var none: Double { .nan }
  var stored: Double { self }
  init(stored: Double, rowCount: Int) { self = stored }
  static func isNone(_ stored: Double, rowCount: Int) -> Bool { stored.isNaN }

  /// A null becomes NaN in any column, which is not a valid coordinate.
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

/// The index among all cases. Mapped files contain it, so it must not change; a new case comes
/// last.
extension PositionSource: ColumnValue {
  static var typeName: String { "text" }
  var stored: UInt8 {
    UInt8(truncatingIfNeeded: Self.allCases.firstIndex(of: self) ?? 0)
  }

  init(stored: UInt8, rowCount: Int) {
    self = Self.allCases.indices.contains(Int(stored)) ? Self.allCases[Int(stored)] : .exif
  }

  /// Most sources equal the one before, which makes reading fast.
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
  /// Reads an array of integers in a range. A `null` becomes the given number, and is an error
  /// without one.
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
  /// The number of integers written at once.
  private static let batchCount = 1024

  /// Writes integers, and `null` for the number that represents it.
  fileprivate mutating func numbers<Number: FixedWidthInteger>(
    _ values: ArraySlice<Number>, null: Number? = nil, to sink: IndexSink
  ) throws(Errno) {
    // As with the members of most spots.
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
