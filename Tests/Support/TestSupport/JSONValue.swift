import Encodings

/// A JSON document as a tree.
public enum JSONValue: Equatable {
  case object([String: JSONValue])
  case array([JSONValue])
  case string(String)
  case number(Double)
  case boolean(Bool)
  case null

  /// Parses a document.
  public init(_ bytes: [UInt8]) throws {
    var reader = JSONReader(bytes)
    self = try Self.read(&reader)
    try reader.end()
  }

  private static func read(_ reader: inout JSONReader) throws -> JSONValue {
    switch try reader.peek() {
    case .object:
      var members: [String: JSONValue] = [:]
      try reader.beginObject()
      while let key = try reader.nextKey() { members[key] = try read(&reader) }
      return .object(members)
    case .array:
      var elements: [JSONValue] = []
      try reader.beginArray()
      while try reader.nextElement() { elements.append(try read(&reader)) }
      return .array(elements)
    case .string: return .string(try reader.string())
    case .number: return .number(try reader.double())
    case .boolean: return .boolean(try reader.boolean())
    case .null:
      _ = try reader.skipNull()
      return .null
    }
  }

  /// The member of an object by its name.
  public subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }
  /// The element of an array by its number.
  public subscript(place: Int) -> JSONValue? { items.indices.contains(place) ? items[place] : nil }
  /// The members of an object; empty for other values.
  public var members: [String: JSONValue] {
    if case .object(let members) = self { members } else { [:] }
  }
  /// The members' names.
  public var keys: Set<String> { Set(members.keys) }
  /// The elements of an array; empty for other values.
  public var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }
  /// The elements of an array, or of a list's `items`.
  public var items: [JSONValue] {
    switch self {
    case .array(let elements): elements
    case .object(let members): members["items"]?.items ?? []
    default: []
    }
  }
  /// The text of a string.
  public var text: String? { if case .string(let text) = self { text } else { nil } }
  /// The value of a number.
  public var number: Double? { if case .number(let number) = self { number } else { nil } }
}
