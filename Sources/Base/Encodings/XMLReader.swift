/// A pull parser of XML 1.0, which reads one event after another without building a tree.
///
/// The reader is designed for untrusted input. It never loads external entities, supports only the
/// five predefined entities and character references, and rejects document type declarations, which
/// could define others. Nesting is limited to ``maximumDepth``, the number of namespace
/// declarations in scope to ``maximumNamespaces``, and the length of a tag to
/// ``maximumTokenLength``. Names are resolved according to XML Namespaces 1.0. The document is
/// decoded as UTF-8; invalid bytes become U+FFFD.
///
/// A document can be added in pieces, of which the reader keeps only the unread part. A tag is
/// parsed once it is complete, so events and errors do not depend on where the document is split:
///
/// ```swift
/// var reader = XMLReader()
/// reader.append(bytes)  // whenever bytes arrive, split anywhere
/// while let event = try reader.next() { … }
/// reader.finish()       // at the end; then read the last events
/// ```
public struct XMLReader: Sendable {
  /// The maximum nesting depth of elements.
  public static let maximumDepth = 256
  /// The maximum number of namespace declarations on open elements.
  public static let maximumNamespaces = 256
  /// The maximum length of a tag, comment, CDATA section or processing instruction, in bytes.
  ///
  /// Text between tags may have any length.
  public static let maximumTokenLength = 1 << 20
  /// The maximum length in bytes of a text event; longer text is split.
  static let maximumTextLength = 1 << 16

  /// A part of the document.
  public enum Event: Equatable, Sendable {
    /// The start tag of an element.
    case start(XMLName, attributes: [XMLAttribute])
    /// The end of the innermost open element.
    case end
    /// Text between tags, including white space; long text is split into several events.
    case text(String)
  }

  private var bytes: [UInt8]
  private var endIndex: Int
  /// The index in `bytes` of the next unread byte.
  private var index: Int
  /// The number of bytes that were read and removed from `bytes`.
  private var droppedCount = 0
  /// Whether the whole document was added.
  private var isComplete = true
  /// The number of unread bytes already searched for the end of the current token, so that each new
  /// piece is searched only once.
  private var searchedCount = 0
  private var openQuote: UInt8 = 0
  /// The last byte of the current tag that is not white space, as far as it was searched.
  private var lastTagByte: UInt8 = 0
  /// The total number of bytes examined, including repetitions. Tests use it to verify the
  /// complexity.
  private(set) var examinedCount = 0
  /// The names of the open elements as written in the document, concatenated.
  private var openTags: [UInt8] = []
  private var openElements: [(tagStart: Int, declarationCount: Int)] = []
  /// The namespaces declared by open elements, outermost first.
  private var declarations: [Declaration] = []
  private var pendingEnd = false
  private var tokenLimit = XMLReader.maximumTokenLength
  /// The namespaces of the attributes that are reported; `nil` for all.
  private var attributeNamespaces: Set<String>?
  /// The end index of the current token.
  private var tokenEnd = 0

  /// Creates a reader of a part of an array.
  ///
  /// - Precondition: `range` is within the array.
  public init(_ bytes: [UInt8], range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    self.bytes = bytes
    index = range.lowerBound
    endIndex = range.upperBound
    if bytes[range].starts(with: [0xEF, 0xBB, 0xBF]) { index += 3 }
  }

  /// Creates a reader of a whole document.
  public init(_ bytes: [UInt8]) {
    self.init(bytes, range: bytes.indices)
  }

  /// Creates a reader of a document that is added in pieces and does not begin with a byte-order
  /// mark.
  public init() {
    self.init([])
    isComplete = false
  }

  /// Creates a reader of a document that is added in pieces, for a part of its contents.
  ///
  /// - Parameters:
  ///   - maximumTokenLength: The maximum length of a tag in bytes, instead of
  ///     ``maximumTokenLength``; it bounds the memory used.
  ///   - attributeNamespaces: The namespaces of the attributes to report; others are skipped.
  package init(maximumTokenLength: Int, attributeNamespaces: Set<String>) {
    self.init()
    tokenLimit = maximumTokenLength
    self.attributeNamespaces = attributeNamespaces
  }

  /// The offset in the document of the next unread byte.
  public var offset: Int { droppedCount + index }

  /// The number of unread bytes, which are the beginning of a tag or text that is still incomplete.
  public var pendingCount: Int { endIndex - index }

  /// Adds the next piece of a document.
  ///
  /// - Precondition: The reader was created by ``init()``, and ``finish()`` was not called.
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

  /// Marks the end of a document that is added in pieces.
  public mutating func finish() {
    isComplete = true
  }

  /// Returns the next event.
  ///
  /// - Parameter skipsText: Whether text is skipped, together with the errors in it.
  /// - Returns: `nil` at the end of the document, or if the next event is incomplete and more
  ///   pieces may follow.
  /// - Throws: An `XMLError` if the document is malformed, which includes an element still open at
  ///   its end.
  /// - Complexity: O(*n*) for all events together, where *n* is the number of bytes, however they
  ///   are split into pieces.
  public mutating func next(skipsText: Bool = false) throws(XMLError) -> Event? {
    if pendingEnd {
      pendingEnd = false
      return closeElement()
    }
    while index < endIndex {
      guard let token = try nextToken() else { return nil }
      examinedCount += token.end - index
      tokenEnd = token.end
      searchedCount = 0
      openQuote = 0
      lastTagByte = 0
      switch token.kind {
      case .text, .section:
        guard skipsText else { return .text(try text(token)) }
        index = token.end
      case .tag: return try tag()
      case .comment, .instruction: index = token.end
      }
    }
    guard !isComplete || openElements.isEmpty else {
      throw error("the text ends inside an element")
    }
    return nil
  }

  // MARK: - Tokens

  /// A lexical unit of the document.
  private struct Token {
    enum Kind {
      case text, tag, comment, section, instruction

      /// The opening delimiter; empty for text and tags.
      var opening: [UInt8] {
        switch self {
        case .text, .tag: []
        case .comment: Array("<!--".utf8)
        case .section: Array("<![CDATA[".utf8)
        case .instruction: Array("<?".utf8)
        }
      }

      /// The closing delimiter; empty for text.
      var closing: [UInt8] {
        switch self {
        case .text: []
        case .tag: Array(">".utf8)
        case .comment: Array("-->".utf8)
        case .section: Array("]]>".utf8)
        case .instruction: Array("?>".utf8)
        }
      }

      var name: String {
        switch self {
        case .text: "text"
        case .tag: "a tag"
        case .comment: "a comment"
        case .section: "a CDATA section"
        case .instruction: "a processing instruction"
        }
      }
    }

    let kind: Kind
    let end: Int
  }

  /// Returns the token that begins at `index`; `nil` if it is incomplete and more pieces may
  /// follow.
  private mutating func nextToken() throws(XMLError) -> Token? {
    guard let kind = try nextKind() else { return nil }
    let start = index + searchedCount
    let end =
      switch kind {
      case .text: endOfText()
      case .tag: try endOfTag()
      default: end(of: kind)
      }
    examinedCount += (end ?? min(endIndex, index + tokenLimit + 1)) - start
    if let end, kind == .text || end - index <= tokenLimit {
      return Token(kind: kind, end: end)
    }
    if kind != .text, end != nil || pendingCount > tokenLimit {
      throw error("\(kind.name) is longer than \(tokenLimit >> 20) MiB")
    }
    searchedCount = pendingCount
    guard !isComplete else {
      index = endIndex
      throw error(
        kind == .tag ? "the text ends inside a tag" : "\(kind.name) is not closed")
    }
    return nil
  }

  /// Returns the kind of the token at `index`; `nil` if more bytes are needed to determine it.
  private func nextKind() throws(XMLError) -> Token.Kind? {
    guard bytes[index] == UInt8(ascii: "<") else { return .text }
    guard pendingCount > 1 else { return isComplete ? .tag : nil }
    switch bytes[index + 1] {
    case UInt8(ascii: "?"): return .instruction
    case UInt8(ascii: "!"):
      for kind in [Token.Kind.comment, .section] {
        let beginning = bytes[index..<endIndex].prefix(kind.opening.count)
        if beginning.elementsEqual(kind.opening) { return kind }
        if !isComplete, kind.opening.starts(with: beginning) { return nil }
      }
      throw error("document type declarations are not supported")
    default: return .tag
    }
  }

  /// Returns the end of a text: the next tag, or the point where a long text is split.
  private func endOfText() -> Int? {
    let limit = min(endIndex, index + Self.maximumTextLength)
    var place = index + searchedCount
    while place < limit, bytes[place] != UInt8(ascii: "<") { place += 1 }
    if place < limit { return place }
    if limit - index == Self.maximumTextLength { return endOfPart(limit) }
    return isComplete ? endIndex : nil
  }

  /// Returns the last index up to a limit that splits neither a character nor a reference.
  private func endOfPart(_ limit: Int) -> Int {
    var end = limit
    let tail = bytes[max(index + 1, limit - 11)..<limit]
    if let reference = tail.lastIndex(of: UInt8(ascii: "&")),
      !bytes[reference..<limit].contains(UInt8(ascii: ";"))
    {
      end = reference
    }
    for length in 1...3 where end - length > index {
      let byte = bytes[end - length]
      if byte < 0x80 { break }
      if byte >= 0xC0 { return byte.utf8SequenceLength > length ? end - length : end }
    }
    return end
  }

  /// Returns the index after the first `>` that is not in quotes.
  private mutating func endOfTag() throws(XMLError) -> Int? {
    let limit = min(endIndex, index + tokenLimit + 1)
    var place = max(index + searchedCount, index + 1)
    while place < limit {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "<"):
        index = place - 1
        throw error("< in a tag")
      case UInt8(ascii: ">") where openQuote == 0: return place
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        // A stray quote would otherwise make the search for the tag's end run through the whole
        // document.
        guard openQuote != 0 || lastTagByte == UInt8(ascii: "=") else {
          index = place - 1
          throw error("a quote where no value begins")
        }
        openQuote = openQuote == 0 ? byte : openQuote == byte ? 0 : openQuote
      default: break
      }
      if !Self.isSpace(byte) { lastTagByte = byte }
    }
    return nil
  }

  /// Returns the end of a token with a closing delimiter, searched for after the opening delimiter.
  private func end(of kind: Token.Kind) -> Int? {
    let closing = kind.closing
    let limit = min(endIndex, index + tokenLimit + 1)
    let first = index + kind.opening.count + closing.count - 1
    var place = max(index + searchedCount, first)
    while place < limit {
      if bytes[place] == UInt8(ascii: ">"),
        bytes[(place + 1 - closing.count)...place].elementsEqual(closing)
      {
        return place + 1
      }
      place += 1
    }
    return nil
  }

  // Some of the functions below only read. They are mutating nevertheless, because a function that
  // is not receives a copy of all properties.

  // MARK: - Tags

  private mutating func tag() throws(XMLError) -> Event {
    if skip("</") { return try endTag() }
    index += 1
    return try startTag()
  }

  private mutating func startTag() throws(XMLError) -> Event {
    guard openElements.count < Self.maximumDepth else {
      throw error("more than \(Self.maximumDepth) levels of nesting")
    }
    let tag = try name()
    var written: [(name: Range<Int>, value: Range<Int>)] = []
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
      if bytes[attribute].elementsEqual("xmlns".utf8) {
        try declare([], value)
      } else if bytes[attribute].starts(with: "xmlns:".utf8) {
        try declare(Array(bytes[attribute].dropFirst(6)), value)
      } else {
        written.append((attribute, value))
      }
    }
    openElements.append((openTags.count, declarationCount))
    openTags.append(contentsOf: bytes[tag])
    var attributes: [XMLAttribute] = []
    for (name, value) in written {
      // An attribute without a prefix is in no namespace (XML Namespaces 1.0, section 6.2).
      let (prefix, local) = parts(of: name)
      let declaration = prefix.flatMap { self.declaration(of: $0) }
      guard attributeNamespaces == nil || declaration?.isReported ?? false else { continue }
      attributes.append(
        XMLAttribute(
          name: XMLName(namespace: declaration?.namespace ?? "", local: text(at: local)),
          value: try unescaped(value)))
    }
    let (prefix, local) = parts(of: tag)
    let namespace = declaration(of: prefix ?? 0..<0)?.namespace ?? ""
    return .start(
      XMLName(namespace: namespace, local: text(at: local)), attributes: attributes)
  }

  private mutating func endTag() throws(XMLError) -> Event {
    let tag = try name()
    skipSpace()
    guard skip(">") else { throw error("a tag is not closed") }
    guard let open = openElements.last, openTags[open.tagStart...].elementsEqual(bytes[tag])
    else {
      throw error("an end tag does not match its start tag")
    }
    return closeElement()
  }

  private mutating func closeElement() -> Event {
    let closed = openElements.removeLast()
    openTags.removeLast(openTags.count - closed.tagStart)
    declarations.removeLast(declarations.count - closed.declarationCount)
    return .end
  }

  /// A namespace declaration.
  private struct Declaration {
    /// The prefix; empty for the default namespace.
    let prefix: [UInt8]
    let namespace: String
    /// Whether attributes of the namespace are reported.
    let isReported: Bool
  }

  /// Adds a namespace declaration to the scope of the element being opened.
  private mutating func declare(_ prefix: [UInt8], _ value: Range<Int>) throws(XMLError) {
    guard declarations.count < Self.maximumNamespaces else {
      throw error("more than \(Self.maximumNamespaces) namespaces")
    }
    let namespace = try unescaped(value)
    declarations.append(
      Declaration(
        prefix: prefix, namespace: namespace,
        isReported: attributeNamespaces?.contains(namespace) ?? true))
  }

  /// Returns the innermost declaration of a prefix; `nil` if there is none.
  ///
  /// A search is faster than a dictionary: most documents have about ten declarations.
  private mutating func declaration(of prefix: Range<Int>) -> Declaration? {
    declarations.last {
      $0.prefix.count == prefix.count && $0.prefix.elementsEqual(bytes[prefix])
    }
  }

  /// Splits a name into its prefix, `nil` if it has none, and its local part.
  private mutating func parts(of name: Range<Int>) -> (prefix: Range<Int>?, local: Range<Int>) {
    guard let colon = bytes[name].firstIndex(of: UInt8(ascii: ":")) else { return (nil, name) }
    return (name.lowerBound..<colon, colon + 1..<name.upperBound)
  }

  private mutating func name() throws(XMLError) -> Range<Int> {
    let start = index
    while index < tokenEnd, !Self.endsName(bytes[index]) { index += 1 }
    guard index > start else {
      throw error(index == tokenEnd ? "the text ends inside a tag" : "a name is expected")
    }
    return start..<index
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: "<"),
      UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "&"):
      true
    default: false
    }
  }

  /// Returns the indices of an attribute's value.
  private mutating func attributeValue() throws(XMLError) -> Range<Int> {
    skipSpace()
    guard skip("=") else { throw error("an attribute has no value") }
    skipSpace()
    guard index < tokenEnd, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'")
    else { throw error("an attribute's value is not in quotes") }
    let quote = bytes[index]
    index += 1
    let start = index
    while index < tokenEnd, bytes[index] != quote {
      guard bytes[index] != UInt8(ascii: "<") else { throw error("< in an attribute's value") }
      index += 1
    }
    guard index < tokenEnd else { throw error("an attribute's value is not closed") }
    defer { index += 1 }
    return start..<index
  }

  // MARK: - Text

  /// Returns the text of a token.
  private mutating func text(_ token: Token) throws(XMLError) -> String {
    let start = index
    index = token.end
    guard token.kind == .section else { return try unescaped(start..<token.end) }
    return text(at: start + Token.Kind.section.opening.count..<token.end - 3)
  }

  private mutating func text(at range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  /// Returns the text at some indices with references resolved.
  private mutating func unescaped(_ range: Range<Int>) throws(XMLError) -> String {
    let text = bytes[range]
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
    while index < tokenEnd, Self.isSpace(bytes[index]) { index += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private mutating func skip(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard tokenEnd - index >= length else { return false }
    let isEqual = text.withUTF8Buffer { $0.elementsEqual(bytes[index..<index + length]) }
    if isEqual { index += length }
    return isEqual
  }

  private func error(_ reason: String) -> XMLError {
    XMLError(offset: offset, reason: reason)
  }
}

/// A name qualified by a namespace.
public struct XMLName: Hashable, Sendable {
  /// The namespace's URI; empty if the name has none or its prefix was not declared.
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
  /// The value with references resolved.
  public var value: String

  /// Creates an attribute.
  public init(name: XMLName, value: String) {
    self.name = name
    self.value = value
  }
}

/// An error in an XML document: malformed text, or a feature that ``XMLReader`` does not support.
public struct XMLError: Error, Hashable, CustomStringConvertible {
  /// The offset of the error in bytes from the start of the document.
  public var offset: Int
  /// A description of the error.
  public var reason: String

  /// Creates an error at an offset.
  public init(offset: Int, reason: String) {
    self.offset = offset
    self.reason = reason
  }

  /// The reason and the offset, without any part of the document.
  public var description: String { "\(reason) (byte \(offset))" }
}
