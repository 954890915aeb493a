/// Reads XML 1.0 from bytes, one event after another, without building a tree.
///
/// Made for hostile input: nothing outside the text is ever read, the only entities are XML's own five and
/// character references, and a document type declaration, which could define more, is refused. Nesting is
/// bounded at ``maximumDepth``, and the namespaces in force at ``maximumNamespaces``. Names are taken by
/// their namespace, as XML Namespaces 1.0 has it. The text is taken as UTF-8; bytes that are not become
/// U+FFFD.
public struct XMLReader {
  /// The deepest nesting of elements that is read.
  public static let maximumDepth = 256
  /// How many namespaces the open elements may declare.
  public static let maximumNamespaces = 256

  /// A part of the document.
  public enum Event: Equatable, Sendable {
    /// The beginning of an element.
    case start(XMLName, attributes: [XMLAttribute])
    /// The end of the element begun last.
    case end
    /// Text between tags, white space included.
    case text(String)
  }

  private let bytes: [UInt8]
  private let endIndex: Int
  /// The offset of the next unread byte.
  public private(set) var offset: Int
  private var openElements: [(tag: ArraySlice<UInt8>, declarationCount: Int)] = []
  /// The namespaces in force, by their prefixes.
  private var namespaces: [String: String] = [:]
  /// The prefixes declared by the open elements, the innermost last, and what each stood for before.
  private var declarations: [(prefix: String, outer: String?)] = []
  private var pendingEnd = false

  /// Creates a reader over a part of an array.
  ///
  /// - Precondition: `range` lies within the array.
  public init(_ bytes: [UInt8], range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    self.bytes = bytes
    offset = range.lowerBound
    endIndex = range.upperBound
    if bytes[range].starts(with: [0xEF, 0xBB, 0xBF]) { offset += 3 }
  }

  /// Creates a reader over a whole text.
  public init(_ bytes: [UInt8]) {
    self.init(bytes, range: bytes.indices)
  }

  /// Returns the next event; `nil` at the end of the text, where every element must be closed.
  public mutating func next() throws(XMLError) -> Event? {
    if pendingEnd {
      pendingEnd = false
      return closeElement()
    }
    while offset < endIndex {
      guard bytes[offset] == UInt8(ascii: "<") else { return try text() }
      if skip("<!--") {
        try skipPast("-->", "a comment")
      } else if skip("<![CDATA[") {
        let start = offset
        try skipPast("]]>", "a CDATA section")
        return .text(String(decoding: bytes[start..<offset - 3], as: UTF8.self))
      } else if skip("<?") {
        try skipPast("?>", "a processing instruction")
      } else if skip("<!") {
        throw error("document type declarations are not read")
      } else if skip("</") {
        return try endTag()
      } else {
        offset += 1
        return try startTag()
      }
    }
    guard openElements.isEmpty else { throw error("the text ends inside an element") }
    return nil
  }

  // MARK: - Tags

  private mutating func startTag() throws(XMLError) -> Event {
    guard openElements.count < Self.maximumDepth else {
      throw error("more than \(Self.maximumDepth) levels of nesting")
    }
    let tag = try name()
    var written: [(name: String, value: String)] = []
    let declarationCount = declarations.count
    while true {
      skipSpace()
      if skip(">") { break }
      if skip("/>") {
        pendingEnd = true
        break
      }
      let attribute = String(decoding: try name(), as: UTF8.self)
      let value = try attributeValue()
      if attribute == "xmlns" {
        try declare("", value)
      } else if attribute.hasPrefix("xmlns:") {
        try declare(String(attribute.dropFirst(6)), value)
      } else {
        written.append((attribute, value))
      }
    }
    openElements.append((tag, declarationCount))
    let attributes = written.map { name, value in
      // An attribute without a prefix is in no namespace (XML Namespaces 1.0, section 6.2).
      XMLAttribute(name: resolve(name, defaultPrefix: nil), value: value)
    }
    return .start(
      resolve(String(decoding: tag, as: UTF8.self), defaultPrefix: ""), attributes: attributes)
  }

  private mutating func endTag() throws(XMLError) -> Event {
    let tag = try name()
    skipSpace()
    guard skip(">") else { throw error("a tag is not closed") }
    guard let open = openElements.last, open.tag == tag else {
      throw error("an end tag does not match its start tag")
    }
    return closeElement()
  }

  private mutating func closeElement() -> Event {
    let closed = openElements.removeLast()
    while declarations.count > closed.declarationCount {
      let ended = declarations.removeLast()
      namespaces[ended.prefix] = ended.outer
    }
    return .end
  }

  private mutating func declare(_ prefix: String, _ namespace: String) throws(XMLError) {
    guard declarations.count < Self.maximumNamespaces else {
      throw error("more than \(Self.maximumNamespaces) namespaces")
    }
    declarations.append((prefix, namespaces.updateValue(namespace, forKey: prefix)))
  }

  private func resolve(_ name: String, defaultPrefix: String?) -> XMLName {
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let prefix = parts.count == 2 ? String(parts[0]) : defaultPrefix
    let namespace = prefix.flatMap { namespaces[$0] }
    return XMLName(namespace: namespace ?? "", local: String(parts[parts.count - 1]))
  }

  private mutating func name() throws(XMLError) -> ArraySlice<UInt8> {
    let start = offset
    while offset < endIndex, !Self.endsName(bytes[offset]) { offset += 1 }
    guard offset > start else { throw error("a name is expected") }
    return bytes[start..<offset]
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: "<"),
      UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "&"):
      true
    default: false
    }
  }

  private mutating func attributeValue() throws(XMLError) -> String {
    skipSpace()
    guard skip("=") else { throw error("an attribute has no value") }
    skipSpace()
    guard offset < endIndex, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[offset]) else {
      throw error("an attribute's value is not in quotes")
    }
    let quote = bytes[offset]
    offset += 1
    let start = offset
    while offset < endIndex, bytes[offset] != quote {
      guard bytes[offset] != UInt8(ascii: "<") else { throw error("< in an attribute's value") }
      offset += 1
    }
    guard offset < endIndex else { throw error("an attribute's value is not closed") }
    defer { offset += 1 }
    return try unescaped(bytes[start..<offset])
  }

  // MARK: - Text

  private mutating func text() throws(XMLError) -> Event {
    let start = offset
    while offset < endIndex, bytes[offset] != UInt8(ascii: "<") { offset += 1 }
    return .text(try unescaped(bytes[start..<offset]))
  }

  private func unescaped(_ text: ArraySlice<UInt8>) throws(XMLError) -> String {
    guard text.contains(UInt8(ascii: "&")) else { return String(decoding: text, as: UTF8.self) }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.first {
      rest = rest.dropFirst()
      guard byte == UInt8(ascii: "&") else {
        result.append(byte)
        continue
      }
      // The longest reference is `&#x10FFFF;`.
      guard let end = rest.prefix(10).firstIndex(of: UInt8(ascii: ";")),
        let character = Self.character(String(decoding: rest[..<end], as: UTF8.self))
      else { throw error("an unknown entity") }
      result.append(contentsOf: Character(character).utf8)
      rest = rest[(end + 1)...]
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func character(_ reference: String) -> Unicode.Scalar? {
    switch reference {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    guard reference.hasPrefix("#") else { return nil }
    let digits = reference.dropFirst()
    let code =
      digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    return code.flatMap(Unicode.Scalar.init)
  }

  // MARK: - Bytes

  private mutating func skipSpace() {
    while offset < endIndex, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) { offset += 1 }
  }

  private mutating func skip(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard endIndex - offset >= length else { return false }
    let isEqual = text.withUTF8Buffer { $0.elementsEqual(bytes[offset..<offset + length]) }
    if isEqual { offset += length }
    return isEqual
  }

  private mutating func skipPast(_ text: StaticString, _ name: String) throws(XMLError) {
    while offset < endIndex {
      if skip(text) { return }
      offset += 1
    }
    throw error("\(name) is not closed")
  }

  private func error(_ reason: String) -> XMLError {
    XMLError(offset: offset, reason: reason)
  }
}

/// A name in a namespace.
public struct XMLName: Hashable, Sendable {
  /// The namespace's URI; empty for none, and for a prefix that was not declared.
  public var namespace: String
  /// The name without a prefix.
  public var local: String

  /// Creates a name.
  public init(namespace: String, local: String) {
    self.namespace = namespace
    self.local = local
  }
}

/// An attribute of an element.
public struct XMLAttribute: Hashable, Sendable {
  /// The attribute's name.
  public var name: XMLName
  /// Its value, references resolved.
  public var value: String

  /// Creates an attribute.
  public init(name: XMLName, value: String) {
    self.name = name
    self.value = value
  }
}

/// A place in a text where it is not XML that is read here.
public struct XMLError: Error, Hashable, CustomStringConvertible {
  /// The offset in bytes from the start of the text.
  public var offset: Int
  /// What is wrong there.
  public var reason: String

  /// Creates an error at an offset.
  public init(offset: Int, reason: String) {
    self.offset = offset
    self.reason = reason
  }

  /// The reason and the place, without any of the text itself.
  public var description: String { "\(reason) (byte \(offset))" }
}
