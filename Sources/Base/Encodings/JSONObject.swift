/// A JSON object that is small enough to be read whole, so that each field is a line:
///
/// ```swift
/// let object = try JSONObject(document: bytes)
/// guard let id = try object.string("id") else { throw object.error("the place has no id") }
/// name = try object.string("name") ?? ""
/// notes = try object.array("notes") { reader throws(JSONError) in try Note(&reader) } ?? []
/// ```
///
/// The object is checked when it is created, and its values are read when they are asked for. A
/// missing member is `nil`; a value of another type is an error, at its place in the document. Of
/// members with the same key the last one counts, and members that nobody asks for are ignored.
///
/// Large documents are read in their order by ``JSONReader``, which reads each byte once.
package struct JSONObject {
  /// The offset of the object in bytes from the start of its document.
  package let offset: Int
  /// The members, in the order of the document.
  private let members: [Member]
  /// A reader before the object.
  private let reader: JSONReader

  private struct Member {
    let key: String
    /// The position of the value.
    let start: Int
  }

  /// Reads the next value.
  ///
  /// - Throws: `JSONError` if the value is malformed or not an object.
  /// - Precondition: The reader's document is in memory as a whole.
  /// - Complexity: O(*n*), where *n* is the length of the object in bytes.
  package init(_ reader: inout JSONReader) throws(JSONError) {
    precondition(reader.isInMemory)
    _ = try reader.peek()
    offset = reader.offset
    self.reader = reader
    var members: [Member] = []
    try reader.beginObject()
    while let key = try reader.nextKey() {
      _ = try reader.peek()
      members.append(Member(key: key, start: reader.position))
      try reader.skipValue()
    }
    self.members = members
  }

  /// Reads a document that is an object. A byte order mark before it is ignored.
  ///
  /// - Throws: `JSONError` if the document is malformed, not an object, or followed by other text.
  package init(document: [UInt8]) throws(JSONError) {
    var reader = JSONReader(document: document)
    try self.init(&reader)
    try reader.end()
  }

  /// The keys, in the order of the document; a repeated key as often as it is there.
  package var keys: [String] { members.map(\.key) }

  /// Returns an error about the object as a whole.
  package func error(_ reason: String) -> JSONError { JSONError(offset: offset, reason: reason) }

  /// Returns whether the object states a format and a version in its members `format` and
  /// `version`.
  package func states(format: String, version: Int64) throws(JSONError) -> Bool {
    let (stated, number) = (try string("format"), try integer("version"))
    return stated == format && number == version
  }

  /// Checks the format and the version that a state file states.
  ///
  /// - Parameters:
  ///   - format: The value of the member `format`.
  ///   - version: The value of the member `version`.
  ///   - contents: A noun for the contents, used in the message: `a list of sessions`.
  /// - Throws: `JSONError` if the object states another format or version; one with
  ///   `isOfNewerVersion` for a later version.
  package func check(
    format: String, version: Int64, of contents: String
  ) throws(JSONError) {
    guard try string("format") == format else { throw error("it is not \(contents)") }
    let found = try integer("version") ?? 0
    guard found <= version else { throw .newer(version: found, supported: version) }
    guard found == version else { throw error("it has version \(found) of its format") }
  }

  // MARK: - Values

  /// Reads a value by a closure; `nil` where the member is missing.
  package func value<Value>(
    _ key: String, _ read: (inout JSONReader) throws(JSONError) -> Value
  ) throws(JSONError) -> Value? {
    guard var reader = reader(of: key) else { return nil }
    return try read(&reader)
  }

  /// Returns the type of a value; `nil` where the member is missing.
  package func kind(of key: String) -> JSONReader.Kind? {
    guard var reader = reader(of: key) else { return nil }
    return try? reader.peek()
  }

  /// Returns a string; `nil` where the member is missing.
  package func string(_ key: String) throws(JSONError) -> String? {
    try value(key) { reader throws(JSONError) in try reader.string() }
  }

  /// Returns an integer; `nil` where the member is missing.
  package func integer(_ key: String) throws(JSONError) -> Int64? {
    try value(key) { reader throws(JSONError) in try reader.integer() }
  }

  /// Returns an integer, the nearest `Int` if it is out of its range; `nil` where the member is
  /// missing.
  package func int(_ key: String) throws(JSONError) -> Int? {
    try integer(key).map { Int(clamping: $0) }
  }

  /// Returns a number; `nil` where the member is missing.
  package func double(_ key: String) throws(JSONError) -> Double? {
    try value(key) { reader throws(JSONError) in try reader.double() }
  }

  /// Returns a Boolean; `nil` where the member is missing.
  package func boolean(_ key: String) throws(JSONError) -> Bool? {
    try value(key) { reader throws(JSONError) in try reader.boolean() }
  }

  /// Returns a file name or path, written as ``NameText``; `nil` where the member is missing.
  package func nameBytes(_ key: String) throws(JSONError) -> [UInt8]? {
    try value(key) { reader throws(JSONError) in try reader.nameBytes() }
  }

  /// Returns an object; `nil` where the member is missing.
  package func object(_ key: String) throws(JSONError) -> JSONObject? {
    try value(key) { reader throws(JSONError) in try JSONObject(&reader) }
  }

  /// Reads the elements of an array by a closure; `nil` where the member is missing.
  package func array<Element>(
    _ key: String, _ read: (inout JSONReader) throws(JSONError) -> Element
  ) throws(JSONError) -> [Element]? {
    guard var reader = reader(of: key) else { return nil }
    var elements: [Element] = []
    try reader.beginArray()
    while try reader.nextElement() { elements.append(try read(&reader)) }
    return elements
  }

  /// Returns the strings of an array; `nil` where the member is missing.
  package func strings(_ key: String) throws(JSONError) -> [String]? {
    try array(key) { reader throws(JSONError) in try reader.string() }
  }

  /// Calls a closure with each member, in the order of the document; a repeated key as often as it
  /// is there. The closure reads the value.
  ///
  /// - Complexity: O(*n*), where *n* is the number of members, besides the closure.
  package func forEach(
    _ body: (_ key: String, _ reader: inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    for member in members {
      var reader = reader
      reader.position = member.start
      try body(member.key, &reader)
    }
  }

  private func reader(of key: String) -> JSONReader? {
    guard let member = members.last(where: { $0.key == key }) else { return nil }
    var reader = reader
    reader.position = member.start
    return reader
  }
}
