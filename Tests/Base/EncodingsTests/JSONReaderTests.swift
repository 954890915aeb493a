import Encodings
import TestSupport
import Testing

@Suite struct JSONReaderTests {
  private func reader(_ text: String) -> JSONReader { JSONReader(Array(text.utf8)) }

  @Test func `reads members in document order`() throws {
    var reader = reader(#" { "a" : [1, -2.5, 1e3], "b": "x\n\u00e9", "c": true, "d": null } "#)
    try reader.beginObject()
    #expect(try reader.nextKey() == "a")
    try reader.beginArray()
    var numbers: [Double] = []
    while try reader.nextElement() { numbers.append(try reader.double()) }
    #expect(numbers == [1, -2.5, 1000])
    #expect(try reader.nextKey() == "b")
    #expect(try reader.string() == "x\né")
    #expect(try reader.nextKey() == "c")
    #expect(try reader.boolean())
    #expect(try reader.nextKey() == "d")
    #expect(try reader.skipNull())
    #expect(try reader.nextKey() == nil)
    try reader.end()
  }

  @Test(arguments: ["NaN", "nan", "-nan", "Infinity", "-Infinity", "inf", "-inf", "INF"])
  func `a word for a number without a value is null only if that is asked for`(
    word: String
  ) throws {
    var strict = reader(#"{"a":\#(word),"b":7}"#)
    try strict.beginObject()
    _ = try strict.nextKey()
    #expect(throws: JSONError.self) { try strict.skipValue() }
    var lenient = reader(#"{"a":\#(word),"b":\#(word),"c":-7}"#)
    lenient.readsNonFiniteAsNull = true
    try lenient.beginObject()
    #expect(try lenient.nextKey() == "a")
    #expect(try lenient.peek() == .null)
    #expect(try lenient.skipNull())
    #expect(try lenient.nextKey() == "b")
    try lenient.skipValue()
    #expect(try lenient.nextKey() == "c")
    #expect(try lenient.double() == -7)
    #expect(try lenient.nextKey() == nil)
    try lenient.end()
  }

  @Test(arguments: ["nane", "-", "-n", "nano", "infinit", "infinityy", "N", "naan"])
  func `other words are errors`(word: String) throws {
    var reader = reader("[\(word)]")
    reader.readsNonFiniteAsNull = true
    try reader.beginArray()
    #expect(try reader.nextElement())
    #expect(throws: JSONError.self) { try reader.skipValue() }
  }

  @Test func `skips a value of any shape`() throws {
    var reader = reader(#"{"skip":{"a":[1,{"b":[]},"]"],"c":{}},"keep":7}"#)
    try reader.beginObject()
    _ = try reader.nextKey()
    try reader.skipValue()
    #expect(try reader.nextKey() == "keep")
    #expect(try reader.integer() == 7)
    #expect(try reader.nextKey() == nil)
  }

  @Test func `reads doubles exactly as the standard library does`() throws {
    var generator = SeededGenerator(seed: 20_261_121)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      var reader = reader(value.description)
      let read = try reader.double()
      #expect(read == value, "\(value.description)")
    }
    for text in ["0.1", "48.8583736", "-179.99999999", "9007199254740993", "0.000001", "1E-7"] {
      var reader = reader(text)
      let read = try reader.double()
      #expect(read == Double(text), "\(text)")
    }
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\":1,}", "{\"a\" 1}", "[1 2]", "\"abc", "01", "1.", "-", "1e", "nul",
    "\"\\x\"", "\"\\u12g4\"", "[\"a\u{1}b\"]", "1e999", "[1]x",
  ])
  func `rejects text that is not JSON`(text: String) {
    var reader = reader(text)
    #expect(throws: JSONError.self) {
      if try reader.peek() == .number { _ = try reader.double() } else { try reader.skipValue() }
      try reader.end()
    }
  }

  @Test func `rejects nesting beyond the limit without recursion`() {
    var reader = reader(String(repeating: "[", count: 1_000_000))
    #expect(throws: JSONError.self) { try reader.skipValue() }
  }

  @Test func `integers keep all 64 bits, and fractions are rejected`() throws {
    var largest = reader("9223372036854775807")
    #expect(try largest.integer() == .max)
    var smallest = reader("-9223372036854775808")
    #expect(try smallest.integer() == .min)
    for text in ["1.5", "1e3", "9223372036854775808"] {
      var reader = reader(text)
      #expect(throws: JSONError.self) { try reader.integer() }
    }
  }

  @Test func `bytes that are not UTF-8 round-trip`() throws {
    for name: [UInt8] in [
      [0x61, 0xFF, 0x62], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x98, 0x80],
      [0x0A, 0x1B, 0x22, 0x5C, 0x7F, 0x80], Array("Zoë 🐘".utf8),
    ] {
      var writer = JSONWriter()
      writer.string(bytes: name)
      #expect(String(validating: writer.bytes, as: UTF8.self) != nil)
      var reader = JSONReader(writer.bytes)
      #expect(try reader.stringBytes() == name)
    }
  }

  @Test func `a surrogate pair is one character`() throws {
    var reader = reader(#""\ud83d\ude00 \ud83d x""#)
    #expect(try reader.string() == "😀 \u{FFFD} x")
  }
}
