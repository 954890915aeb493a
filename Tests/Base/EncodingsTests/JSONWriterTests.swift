import Encodings
import TestSupport
import Testing

@Suite struct JSONWriterTests {
  private func write(_ layout: JSONWriter.Layout = .compact, _ body: (inout JSONWriter) -> Void)
    -> String
  {
    var writer = JSONWriter(layout: layout)
    body(&writer)
    return writer.text
  }

  private func document(_ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("a", "x")
      writer.member("left out", nil as Double?)
      writer.array("b") { writer in
        writer.integer(1)
        writer.null()
        writer.array { _ in }
        writer.object { $0.member("c", true) }
      }
      writer.object("d") { _ in }
      writer.member("e", 2.5)
    }
  }

  @Test func `commas separate values and occur nowhere else`() {
    #expect(write { document(&$0) } == #"{"a":"x","b":[1,null,[],{"c":true}],"d":{},"e":2.5}"#)
    #expect(write { $0.array { _ in } } == "[]")
  }

  @Test(arguments: [JSONWriter.Layout.compact, .indented])
  func `a column of integers is written like its elements one by one`(
    layout: JSONWriter.Layout
  ) {
    var numbers: [Int64] = [0, -1, .max, .min, -7]
    for exponent in 0..<19 {
      let power = (0..<exponent).reduce(Int64(1)) { power, _ in power * 10 }
      numbers += [power, power - 1, -power, 1 - power]
    }
    for null in [nil, 100, -1] as [Int64?] {
      let column = write(layout) { writer in
        writer.array {
          $0.integers(Array(numbers.prefix(20)), null: null)
          $0.integers([])
          $0.integers(Array(numbers.dropFirst(20)), null: null)
        }
      }
      let each = write(layout) { writer in
        writer.array { writer in
          for number in numbers {
            if number == null { writer.null() } else { writer.integer(number) }
          }
        }
      }
      #expect(column == each)
    }
  }

  @Test func `an indented document has a line for each value`() {
    #expect(
      write(.indented) { document(&$0) } == """
        {
          "a": "x",
          "b": [
            1,
            null,
            [],
            {
              "c": true
            }
          ],
          "d": {},
          "e": 2.5
        }
        """)
  }

  @Test func `the parts taken while writing make the whole document`() {
    var writer = JSONWriter()
    var whole: [UInt8] = []
    writer.array { writer in
      for number in 0..<5 {
        writer.integer(number)
        whole += writer.takeBytes()
      }
    }
    writer.newline()
    writer.string("next")
    whole += writer.takeBytes()
    #expect(String(decoding: whole, as: UTF8.self) == "[0,1,2,3,4]\n\"next\"")
    #expect(writer.takeBytes().isEmpty)
  }

  @Test func `numbers have the shortest text that reads back the same`() throws {
    for (value, text) in [
      (0, "0"), (-0.0, "0"), (1, "1"), (-2.5, "-2.5"), (0.1, "0.1"), (48.8583736, "48.8583736"),
      (999_999_999_999_999, "999999999999999"), (.nan, "null"), (.infinity, "null"),
      (-.infinity, "null"),
    ] as [(Double, String)] {
      #expect(write { $0.number(value) } == text)
    }
    var generator = SeededGenerator(seed: 81)
    let special = [
      Double.greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e15, -1e15, 1e16, 1e-5,
      123_456.789e3,
    ]
    for value in special + (0..<5000).map({ _ in Double(bitPattern: generator.next()) })
    where value.isFinite {
      var reader = JSONReader(Array(write { $0.number(value) }.utf8))
      #expect(try reader.double() == value)
      try reader.end()
    }
    #expect(write { $0.integer(Int64.min) } == "-9223372036854775808")
    #expect(write { $0.integer(UInt64.max) } == "18446744073709551615")
  }

  @Test(arguments: [86, 87] as [UInt64])
  func `numbers with few decimals have the standard library's digits`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<3000 {
      let shift = UInt64.random(in: 0..<53, using: &generator)
      let digits = Int64.random(in: -(1 << 53)...(1 << 53), using: &generator) >> shift
      for unit in [1.0, 10, 100, 1000] {
        let value = Double(digits) / unit
        for neighbor in [value, value.nextUp, value.nextDown]
        where neighbor.rounded() != neighbor {
          var writer = JSONWriter()
          writer.number(neighbor)
          #expect(writer.text == neighbor.description, "seed \(seed)")
        }
      }
    }
  }

  @Test(arguments: [88, 89] as [UInt64])
  func `positions and distances have the standard library's digits`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func significand() -> UInt64 { generator.next() >> 12 }
    for exponent in -12...24 as ClosedRange<Int> {
      let bits = UInt64(1023 + exponent) << 52
      let power = Double(bitPattern: bits)
      // Values of few binary digits, which may be halfway between two decimals; and of all digits.
      let few = (0..<200).map { number in
        Double(bitPattern: bits | (significand() >> (32 + UInt64(number % 20))) << 32)
      }
      let all = (0..<200).map { _ in Double(bitPattern: bits | significand()) }
      let seconds = (0..<200).map { _ in
        power + Double(Int.random(in: 0..<360_000, using: &generator)) / 360_000
      }
      for value in [power] + few + all + seconds {
        for neighbor in [value, value.nextUp, -value.nextDown]
        where neighbor.rounded() != neighbor {
          var writer = JSONWriter()
          writer.number(neighbor)
          #expect(writer.text == neighbor.description, "seed \(seed)")
        }
      }
    }
  }

  @Test func `strings are escaped where JSON or a terminal requires it`() throws {
    #expect(
      write { $0.string("a\"\\/\n\r\t\u{0}\u{1B}\u{7F}é😀") }
        == #""a\"\\/\n\r\t\u0000\u001b\u007fé😀""#)
  }

  @Test func `valid UTF-8 among invalid bytes is written as text`() {
    let name = [0xFF] + Array("é€😀\"".utf8) + [0xC3]
    #expect(write { $0.string(bytes: name) } == #""\udcffé€😀\"\udcc3""#)
  }

  @Test(arguments: [82, 83] as [UInt64])
  func `any bytes survive a round trip`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<3000 {
      let name = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        [
          UInt8.random(in: 0...255, using: &generator), 0x61, 0xC3, 0xA9, 0xED, 0xB2, 0x80, 0xE2,
          0xF0,
        ].randomElement(using: &generator) ?? 0
      }
      var writer = JSONWriter()
      writer.string(bytes: name)
      #expect(String(validating: writer.bytes, as: UTF8.self) != nil)
      var reader = JSONReader(writer.bytes)
      #expect(try reader.stringBytes() == name, "seed \(seed): \(name)")
    }
  }
}

@Suite struct JSONDamageTests {
  @Test(arguments: [84, 85] as [UInt64])
  func `damaged text does not make the reader trap or loop forever`(seed: UInt64) {
    let text = Array(
      #"{"a":[1,-2.5e3,{"b":"x\n\u00e9\ud83d\ude00"}],"c":true,"d":null,"e":1234567890123456789}"#
        .utf8)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<4000 {
      var reader = JSONReader(Damage.apply(to: text, using: &generator))
      do throws(JSONError) {
        try read(&reader)
        try reader.end()
      } catch {
        #expect(error.offset >= 0 && error.offset <= 200)
      }
    }
  }

  private func read(_ reader: inout JSONReader) throws(JSONError) {
    switch try reader.peek() {
    case .object:
      try reader.beginObject()
      while try reader.nextKey() != nil { try read(&reader) }
    case .array:
      try reader.beginArray()
      while try reader.nextElement() { try read(&reader) }
    case .string: _ = try reader.stringBytes()
    case .number: _ = try reader.double()
    case .boolean: _ = try reader.boolean()
    case .null: _ = try reader.skipNull()
    }
  }
}
