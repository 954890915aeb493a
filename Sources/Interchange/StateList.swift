/// A file of the state folder that holds a list: a JSON object with its format, its version and the
/// list.
package struct StateList: Sendable {
  /// What the member `format` says.
  package let format: String
  /// What the member `version` says.
  package let version: Int
  /// The member that is the list.
  private let member: String
  /// What the list is of, in a message: `muted spots`.
  private let contents: String

  /// Creates the description of a kind of file.
  ///
  /// - Parameters:
  ///   - format: The value of the member `format`.
  ///   - version: The value of the member `version`.
  ///   - member: The member that is the list.
  ///   - contents: The name of the elements in messages: `muted spots`.
  package init(format: String, version: Int, member: String, contents: String) {
    (self.format, self.version, self.member, self.contents) = (format, version, member, contents)
  }

  /// Writes a list.
  package func document<Element>(
    _ elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter(layout: .indented)
    writer.object { writer in
      writer.member("format", format)
      writer.member("version", version)
      writer.array(member) { writer in
        for element in elements { write(&writer, element) }
      }
    }
    writer.newline()
    return writer.takeBytes()
  }

  /// Reads what ``document(_:_:)`` wrote; members that it does not know are passed over.
  ///
  /// - Throws: `JSONError` where it is no such list, or of another version, or a part of it cannot
  ///   be read.
  package func elements<Element>(
    in bytes: [UInt8], _ read: (inout JSONReader) throws(JSONError) -> Element
  ) throws(JSONError) -> [Element] {
    let contents = contents(in: bytes, read)
    if let damage = contents.damage { throw damage }
    guard contents.format == format else {
      throw JSONError(offset: 0, reason: "it is no list of \(self.contents)")
    }
    guard contents.version == version else {
      throw JSONError(
        offset: 0,
        reason: "it has version \(contents.version), and this program reads version \(version)")
    }
    return contents.elements
  }

  /// What can be read of a list that may be damaged.
  package struct Contents<Element> {
    /// What the member `format` says; `nil` where it cannot be read.
    package fileprivate(set) var format: String?
    /// What the member `version` says; zero where it cannot be read.
    package fileprivate(set) var version = 0
    /// The elements that can be read.
    package fileprivate(set) var elements: [Element] = []
    /// Why the first of the others, or what follows, cannot be; `nil` where everything can.
    package fileprivate(set) var damage: JSONError?
  }

  /// Reads what can be read of a list, whatever its format and version.
  package func contents<Element>(
    in bytes: [UInt8], _ read: (inout JSONReader) throws(JSONError) -> Element
  ) -> Contents<Element> {
    var contents = Contents<Element>()
    do throws(JSONError) {
      var reader = JSONReader(bytes)
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "format": contents.format = try reader.string()
        case "version": contents.version = Int(clamping: try reader.integer())
        case member: try self.read(&reader, into: &contents, read)
        default: try reader.skipValue()
        }
      }
      try reader.end()
    } catch {
      contents.damage = contents.damage ?? error
    }
    return contents
  }

  private func read<Element>(
    _ reader: inout JSONReader, into contents: inout Contents<Element>,
    _ read: (inout JSONReader) throws(JSONError) -> Element
  ) throws(JSONError) {
    try reader.beginArray()
    while try reader.nextElement() {
      var element = reader
      try reader.skipValue()
      do throws(JSONError) {
        contents.elements.append(try read(&element))
      } catch {
        contents.damage = contents.damage ?? error
      }
    }
  }
}
