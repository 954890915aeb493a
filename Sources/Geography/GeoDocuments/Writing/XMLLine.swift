import Encodings

/// Elements of XML documents that are a line.
enum XMLLine {
  /// Returns an element with text; nothing where the text is empty.
  ///
  /// - Parameters:
  ///   - name: The name of the element.
  ///   - text: The text, which is escaped.
  ///   - attributes: The names and values of attributes; `nil` leaves one out.
  ///   - indent: The white space before the element.
  /// - Returns: The line.
  static func element(
    _ name: String, _ text: String, attributes: [(String, String?)] = [],
    indent: String = "    "
  ) -> String {
    guard !text.isEmpty else { return "" }
    return "\(indent)<\(name)\(written(attributes))>\(XMLText.escaped(text))</\(name)>\n"
  }

  /// Returns attributes, each with a space before it.
  static func written(_ attributes: [(String, String?)]) -> String {
    attributes.map { name, value in
      value.map { " \(name)=\"\(XMLText.escaped($0))\"" } ?? ""
    }.joined()
  }
}
