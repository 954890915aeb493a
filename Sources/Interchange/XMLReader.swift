/// Reads XML 1.0 from bytes, one event after another, without building a tree.
///
/// Made for hostile input: nothing outside the text is ever read, the only entities are XML's own five and
/// character references, and a document type declaration, which could define more, is refused. Nesting is
/// bounded at ``maximumDepth``, and the namespaces in force at ``maximumNamespaces``. Names are taken by
/// their namespace, as XML Namespaces 1.0 has it. The text is taken as UTF-8; bytes that are not become
/// U+FFFD.
///
/// A text that arrives in pieces is read as it comes, and only what is not read yet is held:
///
/// ```swift
/// var reader = XMLReader()
/// reader.append(bytes)  // as often as bytes arrive, cut anywhere
/// while let event = try reader.next() { … }
/// reader.finish()       // at the end, after which the last events are read
/// ```
public struct XMLReader: Sendable {
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

  private var bytes: [UInt8]
  private var endIndex: Int
  /// The index in `bytes` of the next unread byte.
  private var index: Int
  /// How many bytes of the text were dropped from `bytes` after they were read.
  private var droppedCount = 0
  /// Whether no more text follows.
  private var isComplete = true
  /// How many unread bytes there must be before it is worth looking for a whole tag or text again.
  private var retryCount = 1
  /// The names of the open elements as they are written, one after the other.
  private var openTags: [UInt8] = []
  private var openElements: [(tagStart: Int, declarationCount: Int)] = []
  /// The namespaces in force, by their prefixes.
  private var namespaces: [ArraySlice<UInt8>: String] = [:]
  /// The prefixes declared by the open elements, the innermost last, and what each stood for before.
  private var declarations: [(prefix: ArraySlice<UInt8>, outer: String?)] = []
  private var pendingEnd = false

  /// Creates a reader over a part of an array.
  ///
  /// - Precondition: `range` lies within the array.
  public init(_ bytes: [UInt8], range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    self.bytes = bytes
    index = range.lowerBound
    endIndex = range.upperBound
    if bytes[range].starts(with: [0xEF, 0xBB, 0xBF]) { index += 3 }
  }

  /// Creates a reader over a whole text.
  public init(_ bytes: [UInt8]) {
    self.init(bytes, range: bytes.indices)
  }

  /// Creates a reader of a text that arrives in pieces, without a byte-order mark.
  public init() {
    self.init([])
    isComplete = false
  }

  /// The offset in the text of the next unread byte.
  public var offset: Int { droppedCount + index }

  /// How many bytes are held because the tag or text that they begin is not complete.
  public var pendingCount: Int { endIndex - index }

  /// Adds the next piece of a text that arrives in pieces.
  ///
  /// - Precondition: The reader was created by ``init()`` and ``finish()`` was not called.
  public mutating func append(_ piece: [UInt8]) {
    precondition(!isComplete)
    if index == endIndex {
      droppedCount += index
      bytes = piece
      index = 0
    } else {
      bytes.removeSubrange(..<index)
      droppedCount += index
      index = 0
      bytes.append(contentsOf: piece)
    }
    endIndex = bytes.count
  }

  /// Ends a text that arrives in pieces.
  public mutating func finish() {
    isComplete = true
  }

  /// Returns the next event.
  ///
  /// - Returns: `nil` at the end of the text, where every element must be closed; of a text that arrives
  ///   in pieces also where the next event is not complete.
  public mutating func next() throws(XMLError) -> Event? {
    if pendingEnd {
      pendingEnd = false
      return closeElement()
    }
    guard !isComplete else { return try nextInText() }
    guard pendingCount >= retryCount else { return nil }
    let declarationCount = declarations.count
    while true {
      let start = index
      do throws(XMLError) {
        // A comment or the like gives no event; each is left behind for itself.
        let event = try nextInText(onlyOne: true)
        retryCount = 1
        if event != nil || index == endIndex { return event }
      } catch {
        // What is wrong so near the end may be right when it goes on: `<!` becomes a comment.
        guard pendingCount < Self.longestOpening else { throw error }
        index = start
        endDeclarations(after: declarationCount)
        // Looked at again only when twice as much is there, so that pieces cost no more than the whole.
        retryCount = pendingCount * 2
        return nil
      }
    }
  }

  /// The length of `<![CDATA[`.
  private static let longestOpening = 9

  private mutating func nextInText(onlyOne: Bool = false) throws(XMLError) -> Event? {
    while index < endIndex {
      guard bytes[index] == UInt8(ascii: "<") else { return try text() }
      if skip("<!--") {
        try skipPast("-->", "a comment")
      } else if skip("<![CDATA[") {
        let start = index
        try skipPast("]]>", "a CDATA section")
        return .text(String(decoding: bytes[start..<index - 3], as: UTF8.self))
      } else if skip("<?") {
        try skipPast("?>", "a processing instruction")
      } else if skip("<!") {
        throw error("document type declarations are not read")
      } else if skip("</") {
        return try endTag()
      } else {
        index += 1
        return try startTag()
      }
      if onlyOne { return nil }
    }
    guard !onlyOne else { return nil }
    guard openElements.isEmpty else { throw error("the text ends inside an element") }
    return nil
  }

  // MARK: - Tags

  private mutating func startTag() throws(XMLError) -> Event {
    guard openElements.count < Self.maximumDepth else {
      throw error("more than \(Self.maximumDepth) levels of nesting")
    }
    let tag = try name()
    var written: [(name: ArraySlice<UInt8>, value: String)] = []
    let declarationCount = declarations.count
    while true {
      skipSpace()
      if skip(">") { break }
      if skip("/>") {
        pendingEnd = true
        break
      }
      let attribute = try name()
      let value = try attributeValue()
      if attribute.elementsEqual("xmlns".utf8) {
        try declare([], value)
      } else if attribute.starts(with: "xmlns:".utf8) {
        try declare(attribute.dropFirst(6), value)
      } else {
        written.append((attribute, value))
      }
    }
    openElements.append((openTags.count, declarationCount))
    openTags.append(contentsOf: tag)
    let attributes = written.map { name, value in
      // An attribute without a prefix is in no namespace (XML Namespaces 1.0, section 6.2).
      XMLAttribute(name: resolve(name, defaultPrefix: nil), value: value)
    }
    return .start(resolve(tag, defaultPrefix: []), attributes: attributes)
  }

  private mutating func endTag() throws(XMLError) -> Event {
    let tag = try name()
    skipSpace()
    guard skip(">") else { throw error("a tag is not closed") }
    guard let open = openElements.last, openTags[open.tagStart...].elementsEqual(tag) else {
      throw error("an end tag does not match its start tag")
    }
    return closeElement()
  }

  private mutating func closeElement() -> Event {
    let closed = openElements.removeLast()
    openTags.removeLast(openTags.count - closed.tagStart)
    endDeclarations(after: closed.declarationCount)
    return .end
  }

  private mutating func endDeclarations(after count: Int) {
    while declarations.count > count {
      let ended = declarations.removeLast()
      namespaces[ended.prefix] = ended.outer
    }
  }

  private mutating func declare(
    _ prefix: ArraySlice<UInt8>, _ namespace: String
  ) throws(XMLError) {
    guard declarations.count < Self.maximumNamespaces else {
      throw error("more than \(Self.maximumNamespaces) namespaces")
    }
    // A slice would hold on to the whole text.
    let prefix = Array(prefix)[...]
    declarations.append((prefix, namespaces.updateValue(namespace, forKey: prefix)))
  }

  private func resolve(
    _ name: ArraySlice<UInt8>, defaultPrefix: ArraySlice<UInt8>?
  ) -> XMLName {
    let colon = name.firstIndex(of: UInt8(ascii: ":"))
    let prefix = colon.map { name[..<$0] } ?? defaultPrefix
    let namespace = prefix.flatMap { namespaces[$0] }
    let local = colon.map { name[($0 + 1)...] } ?? name
    return XMLName(namespace: namespace ?? "", local: String(decoding: local, as: UTF8.self))
  }

  private mutating func name() throws(XMLError) -> ArraySlice<UInt8> {
    let start = index
    while index < endIndex, !Self.endsName(bytes[index]) { index += 1 }
    guard index > start else {
      throw error(index == endIndex ? "the text ends inside a tag" : "a name is expected")
    }
    return bytes[start..<index]
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
    guard index < endIndex, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[index]) else {
      throw error("an attribute's value is not in quotes")
    }
    let quote = bytes[index]
    index += 1
    let start = index
    while index < endIndex, bytes[index] != quote {
      guard bytes[index] != UInt8(ascii: "<") else { throw error("< in an attribute's value") }
      index += 1
    }
    guard index < endIndex else { throw error("an attribute's value is not closed") }
    defer { index += 1 }
    return try unescaped(bytes[start..<index])
  }

  // MARK: - Text

  private mutating func text() throws(XMLError) -> Event {
    let start = index
    while index < endIndex, bytes[index] != UInt8(ascii: "<") { index += 1 }
    guard index < endIndex || isComplete else { throw error("the text goes on") }
    return .text(try unescaped(bytes[start..<index]))
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
    while index < endIndex, Self.isSpace(bytes[index]) { index += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private mutating func skip(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard endIndex - index >= length else { return false }
    let isEqual = text.withUTF8Buffer { $0.elementsEqual(bytes[index..<index + length]) }
    if isEqual { index += length }
    return isEqual
  }

  private mutating func skipPast(_ text: StaticString, _ name: String) throws(XMLError) {
    let first = text.withUTF8Buffer { $0[0] }
    while index < endIndex {
      if bytes[index] == first, skip(text) { return }
      index += 1
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
