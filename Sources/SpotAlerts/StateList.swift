import Interchange
import Storage

/// A file of the state folder that holds a list: a JSON object with its format, its version and the list.
struct StateList {
  /// What the member `format` says.
  let format: String
  /// What the member `version` says.
  let version: Int
  /// The member that is the list.
  let member: String
  /// What the list is of, in a message: `muted spots`.
  let contents: String

  /// How the file begins.
  var signature: FileSignature { FileSignature(format: format) }

  /// Writes a list.
  func document<Element>(
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
  /// - Throws: `JSONError` where it is no such list, or of another version.
  func elements<Element>(
    in bytes: [UInt8], _ read: (inout JSONReader) throws(JSONError) -> Element
  ) throws(JSONError) -> [Element] {
    var reader = JSONReader(bytes)
    var elements: [Element] = []
    var (foundFormat, foundVersion) = ("", 0)
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "format": foundFormat = try reader.string()
      case "version": foundVersion = Int(clamping: try reader.integer())
      case member:
        try reader.beginArray()
        while try reader.nextElement() { elements.append(try read(&reader)) }
      default: try reader.skipValue()
      }
    }
    try reader.end()
    guard foundFormat == format else {
      throw JSONError(offset: 0, reason: "it is no list of \(contents)")
    }
    guard foundVersion == version else {
      throw JSONError(
        offset: 0,
        reason: "it has version \(foundVersion), and this program reads version \(version)")
    }
    return elements
  }
}
