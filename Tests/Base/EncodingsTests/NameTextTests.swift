import TestSupport
import Testing

@testable import Encodings

@Suite struct NameTextTests {
  /// Names of bytes that are mostly not UTF-8, and of pieces that are nearly so.
  private func names(seed: UInt64) -> [[UInt8]] {
    var generator = SeededGenerator(seed: seed)
    let pieces: [[UInt8]] = [
      [0xFF], [0xC3], [0xC3, 0xA9], [0xED, 0xA0, 0x80], [0xEE, 0xBC, 0x80], [0xEE, 0xBF, 0xBF],
      [0xEE, 0xBE], [0xEF, 0xBF, 0xBE], [0xEF, 0xBF, 0xBD], [0xF0, 0x9F, 0x93, 0xB7], [0x0A],
      [0x1B],
      [0x22], [0x5C], [0x7C], [0x7F], [0x80], [0xF4, 0x90, 0x80, 0x80],
    ]
    return (0..<2000).map { number in
      (0..<Int.random(in: 0...12, using: &generator)).flatMap { _ -> [UInt8] in
        number % 2 == 0
          ? [UInt8.random(in: 1...255, using: &generator)]
          : pieces.randomElement(using: &generator) ?? []
      }
    }
  }

  @Test(arguments: [61, 62] as [UInt64])
  func `every name has a unique text that gives back its bytes`(seed: UInt64) throws {
    var texts: [String: [UInt8]] = [:]
    for name in names(seed: seed) {
      for isEscaped in [false, true] {
        let text = NameText.text(of: name) { isEscaped && $0 < 0x20 }
        #expect(NameText.name(of: text.utf8) == name, "seed \(seed): \(name)")
        #expect(!isEscaped || text.utf8.allSatisfy { $0 >= 0x20 })
      }
      let text = NameText.text(of: name)
      // Compared by scalars, as programs do: canonical equivalents are different names.
      let key = text.unicodeScalars.map { String($0.value) }.joined(separator: " ")
      #expect(texts.updateValue(name, forKey: key).map { $0 == name } ?? true)
    }
  }

  @Test(arguments: [63, 64] as [UInt64])
  func `names in JSON are UTF-8 without lone surrogates`(seed: UInt64) throws {
    for name in names(seed: seed) {
      var writer = JSONWriter()
      writer.object { $0.member("name", name: name) }
      #expect(String(validating: writer.bytes, as: UTF8.self) != nil)
      #expect(!writer.text.contains("\\ud"), "seed \(seed): \(name)")
      var reader = JSONReader(writer.bytes)
      try reader.beginObject()
      #expect(try reader.nextKey() == "name")
      #expect(try reader.nameBytes() == name, "seed \(seed): \(name)")
    }
  }

  @Test func `a UTF-8 name is its own text, and lone surrogates of earlier versions are read`()
    throws
  {
    for name in ["", "/a b/é\u{301}.jpg", "📷\n|\u{7F}", "\u{E000}\u{FFFD}\u{F000}"] {
      #expect(NameText.text(of: Array(name.utf8)).utf8.elementsEqual(name.utf8))
    }
    #expect(NameText.text(of: [0x62, 0xFF]) == "b\u{EFFF}")
    var reader = JSONReader(Array(#""caf\udce9""#.utf8))
    #expect(try reader.nameBytes() == Array("caf".utf8) + [0xE9])
  }
}
