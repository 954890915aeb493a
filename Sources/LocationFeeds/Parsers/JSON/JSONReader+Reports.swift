import Interchange

/// Reading values from programs that are free with their types: a number may be written as a
/// string, and what is of another type is passed over as unknown.
extension JSONReader {
  /// Reads a number or a string that holds one; anything else is read past and gives `nil`.
  mutating func looseNumber() throws(JSONError) -> Double? {
    switch try peek() {
    case .number: return try double()
    case .string: return Double(decimal: try stringBytes()[...])
    default:
      try skipValue()
      return nil
    }
  }

  /// Reads a string, or a whole number as its digits; anything else is read past and gives `nil`.
  mutating func looseText() throws(JSONError) -> String? {
    switch try peek() {
    case .string: return try string()
    case .number: return Int64(exactly: try double()).map(String.init)
    default:
      try skipValue()
      return nil
    }
  }

  /// Reads a time: a string as ``ReportedTime`` has it, or a number since 1970.
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

  /// Reads an object's members with a closure that reads or skips each value; reads past anything
  /// that is no object.
  mutating func members(
    _ read: (inout JSONReader, _ key: String) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard try peek() == .object else { return try skipValue() }
    try beginObject()
    while let key = try nextKey() { try read(&self, key) }
  }

  /// Reads an array's elements with a closure that reads or skips each; reads past anything that is
  /// no array.
  mutating func elements(
    _ read: (inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard try peek() == .array else { return try skipValue() }
    try beginArray()
    while try nextElement() { try read(&self) }
  }
}

extension LineFault {
  /// The fault of a line or record that is not JSON, told by its place in that line.
  static func json(_ error: JSONError, inLine line: Range<Int>) -> LineFault {
    .json(JSONError(offset: error.offset - line.lowerBound, reason: error.reason))
  }
}
