import TestSupport
import Testing

@testable import Encodings

@Suite struct TerminalTextTests {
  private func printable(_ text: String) -> String {
    String(decoding: TerminalText.printable(Array(text.utf8)), as: UTF8.self)
  }

  @Test(arguments: [
    ("a\u{1B}[31mb", "a\\x1b[31mb"), ("a\nb\tc\r", "a\\nb\\tc\\r"), ("\u{9B}1m", "\\xc2\\x9b1m"),
    ("\u{202E}x", "\\xe2\\x80\\xaex"), ("Höhe 東京 📷", "Höhe 東京 📷"), ("", ""),
  ])
  func `a name shows no control or format characters`(name: String, shown: String) {
    #expect(TerminalText.escaped(name.utf8) == shown)
  }

  @Test func `invalid UTF-8 bytes are shown as hexadecimal escapes`() {
    #expect(TerminalText.escaped([0x61, 0xFF, 0xC3]) == "a\\xff\\xc3")
  }

  @Test func `text keeps its line feeds and tabs`() {
    #expect(printable("a\tb\nc\u{1B}[2J\r\n") == "a\tb\nc\\x1b[2J\\r\n")
    // Escaped text stays unchanged.
    #expect(printable(TerminalText.escaped("\u{7}\n".utf8)) == "\\x07\\n")
  }

  @Test func `printable JSON has the same values`() throws {
    let names = ["\u{1B}[31mX", "\u{9B}1m", "\u{7F}", "a\u{202E}b", "\u{E0001}", "é", "\n"]
    var writer = JSONWriter(layout: .indented)
    writer.array { writer in names.forEach { writer.string($0) } }
    let shown = TerminalText.printableJSON(writer.bytes)
    #expect(TerminalText.printable(shown) == shown)
    var reader = JSONReader(shown)
    try reader.beginArray()
    var read: [String] = []
    while try reader.nextElement() { read.append(try reader.string()) }
    #expect(read == names)
  }

  @Test func `random bytes are shown without control characters but line feeds and tabs`() {
    var generator = SeededGenerator(seed: 38)
    for _ in 0..<3000 {
      let bytes = (0..<40).map { _ in
        UInt8.random(in: 0...255, using: &generator)
          & (Bool.random(using: &generator) ? 0x9F : 0xFF)
      }
      for shown in [
        TerminalText.printable(bytes), TerminalText.printableJSON(bytes),
        Array(TerminalText.escaped(bytes).utf8),
      ] {
        let text = String(validating: shown, as: UTF8.self)
        #expect(text != nil, "\(bytes)")
        let codes = text?.unicodeScalars.filter {
          $0 != "\n" && $0 != "\t"
            && [.control, .format, .lineSeparator].contains($0.properties.generalCategory)
        }
        #expect(codes?.isEmpty == true, "\(bytes)")
      }
    }
  }
}
