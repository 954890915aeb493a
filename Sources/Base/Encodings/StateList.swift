/// The format of a state file that stores a list: a JSON object with the members `format`,
/// `version` and the list itself.
package struct StateList: Sendable {
  /// The value of the member `format`.
  package let format: String
  /// The value of the member `version`.
  package let version: Int
  /// The name of the member that contains the list.
  private let member: String
  /// A noun for the elements, used in messages: `muted spots`.
  private let contents: String

  /// Creates a description of a file format.
  ///
  /// - Parameters:
  ///   - format: The value of the member `format`.
  ///   - version: The value of the member `version`.
  ///   - member: The name of the member that contains the list.
  ///   - contents: A noun for the elements, used in messages: `muted spots`.
  package init(format: String, version: Int, member: String, contents: String) {
    (self.format, self.version, self.member, self.contents) = (format, version, member, contents)
  }

  /// Returns the JSON document of a list.
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

  /// Parses a document written by ``document(_:_:)``, ignoring unknown members.
  ///
  /// - Throws: `JSONError` if the format or version differs, or if any part cannot be parsed; one
  ///   with `isOfNewerVersion` for a later version.
  package func elements<Element>(
    in bytes: [UInt8], _ read: (inout JSONReader) throws(JSONError) -> Element
  ) throws(JSONError) -> [Element] {
    let contents = contents(in: bytes, read)
    // A newer version may write elements that this one cannot parse.
    if contents.format == format, contents.version > version {
      throw .newer(version: Int64(contents.version), supported: Int64(version))
    }
    if let damage = contents.damage { throw damage }
    guard contents.format == format else {
      throw JSONError(offset: 0, reason: "it is not a list of \(self.contents)")
    }
    guard contents.version == version else {
      throw JSONError(
        offset: 0,
        reason: "it has version \(contents.version), and this program reads version \(version)")
    }
    return contents.elements
  }

  /// The readable contents of a list that may be damaged.
  package struct Contents<Element> {
    /// The value of the member `format`; `nil` if it cannot be read.
    package fileprivate(set) var format: String?
    /// The value of the member `version`; zero if it cannot be read.
    package fileprivate(set) var version = 0
    /// The elements that could be parsed.
    package fileprivate(set) var elements: [Element] = []
    /// The first error; `nil` if everything could be parsed.
    package fileprivate(set) var damage: JSONError?
  }

  /// Parses as much of a list as possible, whatever its format and version.
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
