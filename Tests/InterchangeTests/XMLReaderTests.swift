import Interchange
import TestSupport
import Testing

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

  @Test func `names are taken by their namespace`() throws {
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

  @Test func `the five entities, characters by number and CDATA are text`() throws {
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
  func `refuses what is not XML, and what could reach outside it`(text: String) {
    #expect(throws: XMLError.self) { try events(text) }
  }

  @Test func `nothing is no elements`() throws {
    #expect(try events("") == [])
    #expect(try events("just text") == [.text("just text")])
  }

  @Test func `nesting is bounded`() throws {
    let deepest = XMLReader.maximumDepth
    let fits = String(repeating: "<a>", count: deepest) + String(repeating: "</a>", count: deepest)
    #expect(try events(fits).count == 2 * deepest)
    #expect(throws: XMLError.self) { try events(String(repeating: "<a>", count: deepest + 1)) }
    #expect(throws: XMLError.self) { try events(String(repeating: "<a>", count: 1_000_000)) }
  }

  @Test func `thousands of namespaces are refused, not searched for every name`() {
    let declarations = (0..<20_000).map { "xmlns:p\($0)=''" }.joined(separator: " ")
    let elements = String(repeating: "<a/>", count: 20_000)
    #expect(throws: XMLError.self) { try events("<r \(declarations)>\(elements)</r>") }
  }

  @Test func `bytes that are not UTF-8 become U+FFFD`() throws {
    var reader = XMLReader(Array("<a>".utf8) + [0xFF] + Array("</a>".utf8))
    _ = try reader.next()
    #expect(try reader.next() == .text("\u{FFFD}"))
  }

  @Test func `a part of an array is read for itself`() throws {
    let text = Array("<x><a>1</a></x>".utf8)
    var reader = XMLReader(text, range: 3..<11)
    var count = 0
    while try reader.next() != nil { count += 1 }
    #expect(count == 3)
  }

  @Test(arguments: [71, 72] as [UInt64])
  func `no damage makes it trap or go on for ever`(seed: UInt64) {
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
