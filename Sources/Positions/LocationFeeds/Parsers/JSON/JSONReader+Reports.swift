import Encodings

/// Reading values from programs that vary in their types: a number may be a string, and a value of
/// another type counts as unknown.
extension JSONReader {
  /// Creates a reader of a report, in which `NaN` and `Infinity` are unknown values: gpsd's clients
  /// use them for missing values, and Python writes them as these words.
  init(report bytes: [UInt8], range: Range<Int>? = nil) {
    self.init(bytes, range: range ?? bytes.indices)
    readsNonFiniteAsNull = true
  }

  /// Reads a number, or a string that holds one. Skips any other value and returns `nil`.
  mutating func looseNumber() throws(JSONError) -> Double? {
    switch try peek() {
    case .number: return try double()
    case .string: return Double(decimal: try stringBytes()[...])
    default:
      try skipValue()
      return nil
    }
  }

  /// Reads a string, or a whole number as its digits. Skips any other value and returns `nil`.
  mutating func looseText() throws(JSONError) -> String? {
    switch try peek() {
    case .string: return try string()
    case .number: return Int64(exactly: try double()).map(String.init)
    default:
      try skipValue()
      return nil
    }
  }

  /// Reads a time: a string in the forms of ``ReportedTime``, or a number of seconds or
  /// milliseconds since 1970.
  mutating func reportedTime() throws(JSONError) -> ReportedTime {
    switch try peek() {
    case .number: return ReportedTime(since1970: try double())
    case .string: return ReportedTime(text: try stringBytes()[...])
    case .null:
      try skipValue()
      return .missing
    default:
      try skipValue()
      return .unreadable
    }
  }

  /// Reads an object's members with a closure that reads or skips each value. Skips a value that is
  /// not an object.
  mutating func members(
    _ read: (inout JSONReader, _ key: String) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard try peek() == .object else { return try skipValue() }
    try beginObject()
    while let key = try nextKey() { try read(&self, key) }
  }

  /// Reads an array's elements with a closure that reads or skips each one. Skips a value that is
  /// not an array.
  mutating func elements(
    _ read: (inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard try peek() == .array else { return try skipValue() }
    try beginArray()
    while try nextElement() { try read(&self) }
  }
}

extension LineFault {
  /// Creates the fault of a line or record that is not JSON, with the error's offset relative to
  /// its start.
  static func json(_ error: JSONError, inLine line: Range<Int>) -> LineFault {
    .json(JSONError(offset: error.offset - line.lowerBound, reason: error.reason))
  }
}
