import TestSupport
import Testing

@testable import Encodings

@Suite struct XMLReaderTests {
  private func events(_ text: String) throws(XMLError) -> [XMLReader.Event] {
    var reader = XMLReader(Array(text.utf8))
    var events: [XMLReader.Event] = []
    while let event = try reader.next() { events.append(event) }
    return events
  }

  private func name(_ local: String, _ namespace: String = "") -> XMLName {
    XMLName(namespace: namespace, local: local)
  }

  @Test func `reads elements, attributes and text in document order`() throws {
    let found = try events(
      "\u{FEFF}<?xml version='1.0'?><!-- <a> --><a b = \"1\" c='\"2'>x<d/>y<e\n></e ></a>\n<?end?>")
    #expect(
      found == [
        .start(
          name("a"),
          attributes: [
            XMLAttribute(name: name("b"), value: "1"), XMLAttribute(name: name("c"), value: "\"2"),
          ]), .text("x"), .start(name("d"), attributes: []), .end, .text("y"),
        .start(name("e"), attributes: []), .end, .end, .text("\n"),
      ])
  }

  @Test func `names are resolved by namespace`() throws {
    let found = try events(
      """
      <a xmlns="one" xmlns:p="two" q="x" p:q="y"><p:b xmlns:p="twice" xmlns:p="three"/><p:b/>\
      <b xmlns=""/><u:c/></a>
      """)
    let starts = found.compactMap { event in
      if case .start(let name, let attributes) = event {
        [name] + attributes.map(\.name)
      } else {
        nil
      }
    }
    #expect(
      starts == [
        [name("a", "one"), name("q"), name("q", "two")], [name("b", "three")], [name("b", "two")],
        [name("b")], [name("c")],
      ])
  }

  @Test func `the five entities, character references and CDATA are text`() throws {
    #expect(
      try events("<a>&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;</a>")[1] == .text("<>&\"'A😀"))
    #expect(try events("<a><![CDATA[<b>&x;]]]></a>")[1] == .text("<b>&x;]"))
    #expect(
      try events("<a b='&#10;&amp;'/>")[0]
        == .start(name("a"), attributes: [XMLAttribute(name: name("b"), value: "\n&")]))
  }

  @Test(arguments: [
    "<!DOCTYPE a>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<a>&b;</a>", "<a>&</a>",
    "<a b='&c;'/>", "<a>&#xD800;</a>", "<a>&#x110000;</a>", "<a>&#;</a>", "<a>&#-1;</a>",
    "<a", "<a>", "<a b", "<a b=", "<a b=c>", "<a b='c", "<a b='<'>", "</a>", "<a></b>", "<a></a",
    "<a><b></a></b>", "<>", "< a>", "<!-- ", "<![CDATA[ ", "<? ", "<a><!ELEMENT b></a>", "<",
    "<a></a></a>", "<a/", "<a / >",
  ])
  func `rejects malformed XML and references to external content`(text: String) {
    #expect(throws: XMLError.self) { try events(text) }
  }

  @Test func `text without markup has no elements`() throws {
    #expect(try events("") == [])
    #expect(try events("just text") == [.text("just text")])
  }

  @Test func `nesting is limited`() throws {
    let deepest = XMLReader.maximumDepth
    let fits = String(repeating: "<a>", count: deepest) + String(repeating: "</a>", count: deepest)
    #expect(try events(fits).count == 2 * deepest)
    #expect(throws: XMLError.self) { try events(String(repeating: "<a>", count: deepest + 1)) }
    #expect(throws: XMLError.self) { try events(String(repeating: "<a>", count: 1_000_000)) }
  }

  @Test func `thousands of namespace declarations are rejected`() {
    let declarations = (0..<20_000).map { "xmlns:p\($0)=''" }.joined(separator: " ")
    let elements = String(repeating: "<a/>", count: 20_000)
    #expect(throws: XMLError.self) { try events("<r \(declarations)>\(elements)</r>") }
  }

  @Test func `bytes that are not UTF-8 become U+FFFD`() throws {
    var reader = XMLReader(Array("<a>".utf8) + [0xFF] + Array("</a>".utf8))
    _ = try reader.next()
    #expect(try reader.next() == .text("\u{FFFD}"))
  }

  @Test func `a range of an array is read as a document`() throws {
    let text = Array("<x><a>1</a></x>".utf8)
    var reader = XMLReader(text, range: 3..<11)
    var count = 0
    while try reader.next() != nil { count += 1 }
    #expect(count == 3)
  }

  /// Returns the events of a text that is read in pieces, with the error if there is one.
  private func events(_ text: [UInt8], pieceLength: Int) -> (events: [XMLReader.Event], XMLError?) {
    var reader = XMLReader()
    var events: [XMLReader.Event] = []
    do throws(XMLError) {
      for start in stride(from: 0, to: text.count, by: pieceLength) {
        reader.append(Array(text[start..<min(start + pieceLength, text.count)]))
        while let event = try reader.next() { events.append(event) }
      }
      reader.finish()
      while let event = try reader.next() { events.append(event) }
      return (events, nil)
    } catch {
      return (events, error)
    }
  }

  @Test func `text split at any byte gives the same events`() throws {
    let text = """
      <?xml version='1.0'?><!-- <a> --><a xmlns="n" xmlns:p='m' b="&lt;1"> x &amp; é<p:d/><![CDATA[<y>]]>\
      <e f = '>'
      ></e ></a><!---->
      """
    let whole = try events(text)
    for pieceLength in 1...text.utf8.count {
      let (found, error) = events(Array(text.utf8), pieceLength: pieceLength)
      #expect(found == whole && error == nil, "pieces of \(pieceLength)")
    }
  }

  @Test func `only unread text is buffered`() throws {
    var reader = XMLReader()
    reader.append(Array("<a>".utf8))
    for _ in 0..<10_000 {
      reader.append(Array("<b c='d'>text</b>".utf8))
      while try reader.next() != nil {}
      #expect(reader.pendingCount < 20)
    }
    #expect(reader.offset > 160_000)
  }

  @Test(arguments: [73, 74] as [UInt64])
  func `damaged text gives the same events in pieces as whole`(seed: UInt64) {
    let text = Array(
      "<?x?><!-- c --><a xmlns:p='q' b='&lt;&#65;'><p:c d='e'>f &amp; g</p:c><![CDATA[h]]><i/></a>"
        .utf8)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let damaged = Damage.apply(to: text, using: &generator)
      let pieceLength = Int.random(in: 1...20, using: &generator)
      let whole = events(damaged, pieceLength: max(damaged.count, 1))
      let cut = events(damaged, pieceLength: pieceLength)
      #expect(cut.events == whole.events, "seed \(seed), pieces of \(pieceLength)")
      #expect((cut.1 == nil) == (whole.1 == nil))
    }
  }

  @Test(arguments: [71, 72] as [UInt64])
  func `damaged text does not make the reader trap or loop forever`(seed: UInt64) {
    let text = Array(
      """
      <?xml version="1.0"?><!-- c --><a xmlns:p="q" b="&lt;&#65;"><p:c d='e'>f &amp; g</p:c>\
      <![CDATA[h]]><i/></a>
      """.utf8)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<4000 {
      var reader = XMLReader(Damage.apply(to: text, using: &generator))
      var depth = 0
      do throws(XMLError) {
        while let event = try reader.next() {
          switch event {
          case .start: depth += 1
          case .end: depth -= 1
          case .text: break
          }
        }
        #expect(depth == 0, "seed \(seed)")
      } catch {
        #expect(error.offset >= 0)
      }
    }
  }
}

/// The amount of text that the reader examines.
@Suite struct XMLReaderCostTests {
  /// Returns a reader after it has read a text in pieces, with its error if there is one.
  private func read(_ text: [UInt8], pieceLength: Int) -> (reader: XMLReader, error: XMLError?) {
    var reader = XMLReader()
    do throws(XMLError) {
      for start in stride(from: 0, to: text.count, by: pieceLength) {
        reader.append(Array(text[start..<min(start + pieceLength, text.count)]))
        while try reader.next() != nil {}
      }
      reader.finish()
      while try reader.next() != nil {}
      return (reader, nil)
    } catch {
      return (reader, error)
    }
  }

  private static let filler = [UInt8](
    repeating: UInt8(ascii: "a"), count: Effort.isThorough ? 1 << 19 : 1 << 16)

  @Test(arguments: ["<r b='", "<!--", "<r><![CDATA[", "<?x ", "<r>", "<r> &lt;"])
  func `each byte of a long token is searched once, however it is split`(opening: String) {
    let text = Array(opening.utf8) + Self.filler
    for pieceLength in Effort.inputs([text.count, 4096, 100, 1], quick: [4096]) {
      let (reader, _) = read(text, pieceLength: pieceLength)
      // Once to find the end, and once to read it.
      #expect(reader.examinedCount <= 2 * text.count + 64, "pieces of \(pieceLength)")
    }
  }

  @Test(arguments: [
    ("<r b='", "'/>"), ("<!--", "-->"), ("<r><![CDATA[", "]]></r>"), ("<?x ", "?>"),
  ])
  func `a token longer than a megabyte is rejected without reading it all`(
    opening: String, closing: String
  ) {
    let limit = XMLReader.maximumTokenLength
    for (length, fits) in [(limit, true), (limit + 1, false), (3 * limit, false)] {
      let tag = opening.hasPrefix("<r>") ? 3 : 0
      let close = closing.hasSuffix("</r>") ? 4 : 0
      let count = length - (opening.utf8.count - tag) - (closing.utf8.count - close)
      let text =
        Array(opening.utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: count)
        + Array(closing.utf8)
      for pieceLength in Effort.inputs([text.count, 65_536], quick: [65_536]) {
        let (reader, error) = read(text, pieceLength: pieceLength)
        #expect((error == nil) == fits, "\(opening) of \(length)")
        #expect(reader.examinedCount <= 2 * (limit + 100))
      }
    }
  }

  @Test func `long text is delivered in parts, split between characters and references`() throws {
    for character in ["é", "😀", "&amp;", "&#x1F600;", "x"] {
      let count = 3 * XMLReader.maximumTextLength / character.utf8.count
      let text = String(repeating: character, count: count)
      // With leads of all lengths up to the character's, a part ends within it wherever it can.
      for lead in ["", "y", "yy", "yyy", "yyyy"].prefix(character.utf8.count) {
        var reader = XMLReader(Array("<r>\(lead)\(text)</r>".utf8))
        var found = ""
        var parts = 0
        while let event = try reader.next() {
          guard case .text(let part) = event else { continue }
          found += part
          parts += 1
        }
        let plain = character.replacing("&amp;", with: "&").replacing("&#x1F600;", with: "😀")
        #expect(found == lead + String(repeating: plain, count: count))
        #expect((3...5).contains(parts))
      }
    }
  }
}
