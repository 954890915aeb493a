import Encodings
import HTTPClient
import PhotoLibrary

extension WebAnswer {
  /// Reads the body as JSON.
  ///
  /// - Parameters:
  ///   - library: The library whose server answered.
  ///   - read: Reads the value.
  /// - Returns: The value.
  /// - Throws: ``RemoteError/webPage(_:)`` for HTML, ``RemoteError/foreign(_:_:)`` where `read`
  ///   throws.
  func json<Value>(
    of library: RemoteLibrary, _ read: (inout JSONReader) throws(JSONError) -> Value
  ) throws(RemoteError) -> Value {
    if body.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") { throw .webPage(library) }
    var reader = JSONReader(body)
    do throws(JSONError) { return try read(&reader) } catch {
      throw .foreign(library, error.reason)
    }
  }
}

// Members that are missing or of another type are treated as unknown: answers differ between
// versions of a server.

extension JSONObject {
  /// Returns a string; `nil` for any other value.
  func text(_ key: String) throws(JSONError) -> String? {
    try kind(of: key) == .string ? string(key) : nil
  }

  /// Returns a number, or a string that holds one; `nil` for any other value.
  func number(_ key: String) throws(JSONError) -> Double? {
    switch kind(of: key) {
    case .number: return try double(key)
    case .string: return try string(key).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    default: return nil
    }
  }

  /// Returns a Boolean; `nil` for any other value.
  func flag(_ key: String) throws(JSONError) -> Bool? {
    try kind(of: key) == .boolean ? boolean(key) : nil
  }

  /// Reads the elements of a list, at most ``RemoteLimits/longestPage``; none for any other value.
  func list<Element>(
    _ key: String, _ read: (inout JSONReader) throws(JSONError) -> Element?
  ) throws(JSONError) -> [Element] {
    try value(key) { (reader) throws(JSONError) in
      var elements: [Element] = []
      try reader.elements { (reader) throws(JSONError) in
        if let element = try read(&reader) { elements.append(element) }
      }
      return elements
    } ?? []
  }
}

extension JSONReader {
  /// Reads an object; skips any other value and returns `nil`.
  mutating func objectIfAny() throws(JSONError) -> JSONObject? {
    guard try peek() == .object else {
      try skipValue()
      return nil
    }
    return try JSONObject(&self)
  }

  /// Reads an array's elements, at most ``RemoteLimits/longestPage``; skips any other value.
  mutating func elements(
    _ body: (inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard try peek() == .array else { return try skipValue() }
    var count = 0
    try beginArray()
    while try nextElement() {
      count += 1
      guard count <= RemoteLimits.longestPage else {
        throw JSONError(offset: offset, reason: "a list is too long")
      }
      try body(&self)
    }
  }
}
