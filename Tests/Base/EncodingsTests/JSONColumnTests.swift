import TestSupport
import Testing

@testable import Encodings

/// Columns and strings read in pieces, compared with reading one element after another.
@Suite struct JSONColumnTests {
  /// Numbers in common and rare notations, and text that is not a number.
  private static let elements = [
    "0", "-0", "7", "-12", "1234567890123456789", "9223372036854775807", "-9223372036854775808",
    "9223372036854775808", "18446744073709551616", "0.1", "-48.858412345678901",
    "47.377072222222225",
    "9007199254740993.0", "0.30000000000000004", "8.5271805555555570000", "1e3", "2.5E-7",
    "123456789.0123456789", "0.0000000000000000001", "99999999999999999999.5", "null", " 5", "6 ",
    "\n8", "01", "-", "1.", ".5", "+1", "nul", "true", "\"1\"", "[]", "1x", "NaN", "1,", "",
  ]

  private func text(seed: UInt64, damaged: Bool) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    let good = Self.elements.prefix { $0 != "01" }
    let column = (0..<Int.random(in: 0...3000, using: &generator)).map { _ in
      good.randomElement(using: &generator) ?? "0"
    }
    var text = column.joined(separator: ",")
    if damaged { text += "," + (Self.elements.randomElement(using: &generator) ?? "") }
    return Array("[\(text)]".utf8)
  }

  private func reader(_ text: [UInt8], inPieces: Bool, seed: UInt64) -> JSONReader {
    guard inPieces else { return JSONReader(text) }
    var (rest, generator) = (text[...], SeededGenerator(seed: seed))
    return JSONReader(windowSize: 2 * JSONReader.lookahead) { memory in
      let count = min(Int.random(in: 1...700, using: &generator), memory.count, rest.count)
      memory.copyBytes(from: rest.prefix(count))
      rest.removeFirst(count)
      return count
    }
  }

  private func outcome<Value>(
    _ read: () throws(JSONError) -> [Value]
  ) -> Result<[Value], JSONError> {
    do throws(JSONError) { return .success(try read()) } catch { return .failure(error) }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `reading a column equals reading its elements one by one, including errors`(seed: UInt64) {
    let text = text(seed: seed, damaged: seed % 3 == 0)
    let doubles = outcome { () throws(JSONError) in
      var (reader, values): (JSONReader, [UInt64]) = (JSONReader(text), [])
      try reader.beginArray()
      while try reader.nextElement() {
        values.append(try reader.skipNull() ? Double.nan.bitPattern : reader.double().bitPattern)
      }
      try reader.end()
      return values
    }
    let integers = outcome { () throws(JSONError) in
      var (reader, values): (JSONReader, [Int64]) = (JSONReader(text), [])
      try reader.beginArray()
      while try reader.nextElement() {
        values.append(try reader.skipNull() ? 42 : reader.integer())
      }
      try reader.end()
      return values
    }
    for inPieces in [false, true] {
      let columns = outcome { () throws(JSONError) in
        var (reader, values) = (reader(text, inPieces: inPieces, seed: seed), [UInt64]())
        try reader.doubles { values += $0.map(\.bitPattern) }
        try reader.end()
        return values
      }
      #expect(columns == doubles, "seed \(seed)")
      let wholeColumns = outcome { () throws(JSONError) in
        var (reader, values) = (reader(text, inPieces: inPieces, seed: seed), [Int64]())
        try reader.integers(null: 42) { values += $0 }
        try reader.end()
        return values
      }
      #expect(wholeColumns == integers, "seed \(seed)")
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `skipping integers counts them, and fails like reading them`(
    seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    let wholes = Self.elements.filter { Int64($0) != nil && $0 != "01" && $0 != "+1" } + [" 5"]
    var column = (0..<Int.random(in: 1...2000, using: &generator)).map { _ in
      let digits = Int64.random(in: .min ... .max, using: &generator)
      let number = "\(digits >> Int64.random(in: 0...63, using: &generator))"
      return [number, wholes.randomElement(using: &generator) ?? "0"].randomElement(
        using: &generator) ?? "0"
    }
    if seed % 3 > 0 {
      let place = Int.random(in: 0..<column.count, using: &generator)
      column[place] = Self.elements.randomElement(using: &generator) ?? ""
    }
    let text = Array("[\(column.joined(separator: ","))]".utf8)
    let integers = outcome { () throws(JSONError) in
      var (reader, count): (JSONReader, Int) = (JSONReader(text), 0)
      try reader.beginArray()
      while try reader.nextElement() {
        _ = try reader.integer()
        count += 1
      }
      try reader.end()
      return [count]
    }
    for inPieces in [false, true] {
      let skipped = outcome { () throws(JSONError) in
        var reader = reader(text, inPieces: inPieces, seed: seed)
        let count = try reader.skipIntegers()
        try reader.end()
        return [count]
      }
      #expect(skipped == integers, "seed \(seed)")
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `reading a column of strings equals reading them one by one, including errors`(seed: UInt64)
  {
    var generator = SeededGenerator(seed: seed)
    let kinds = [
      "", "IMG_1234.JPG", "é", "\\n", "a\\\"b", "\\udc80", "12345678", "1234567", "\t", "\u{7F}",
      String(repeating: "long ", count: 900),
      String(repeating: "longer than the buffer ", count: 500),
    ]
    var column = (0..<Int.random(in: 0...400, using: &generator)).map { _ in
      let some = kinds.prefix(Bool.random(using: &generator) ? 8 : kinds.count)
      return "\"\(some.randomElement(using: &generator) ?? "")\""
    }.filter { seed % 2 == 0 || !$0.contains("\t") }
    if seed % 4 == 3 {
      column.append(["7", "\"", "", " \"a\" "].randomElement(using: &generator) ?? "")
    }
    let text = Array("[\(column.joined(separator: ","))]".utf8)
    let strings = outcome { () throws(JSONError) in
      var (reader, values): (JSONReader, [[UInt8]]) = (JSONReader(text), [])
      try reader.beginArray()
      while try reader.nextElement() { values.append(try reader.stringBytes()) }
      try reader.end()
      return values
    }
    for inPieces in [false, true] {
      let together = outcome { () throws(JSONError) in
        var (texts, ends): ([UInt8], [Int32]) = (Array("before".utf8), [6])
        var reader = reader(text, inPieces: inPieces, seed: seed)
        try reader.strings(onto: &texts, ends: &ends)
        try reader.end()
        return zip(ends, ends.dropFirst()).map { Array(texts[Int($0)..<Int($1)]) }
      }
      #expect(together == strings, "seed \(seed)")
    }
  }

  @Test func `columns of integers and booleans are read at any length`() throws {
    for count in [0, 1, 2, 1023, 1024, 1025, 5000] {
      let numbers = (0..<count).map { Int64($0) * 1_234_567 - 9_999 }
      let flags = numbers.map { $0 % 3 == 0 }
      let text =
        "[[\(numbers.map(\.description).joined(separator: ","))],"
        + "[\(flags.map(\.description).joined(separator: ","))],[tru]]"
      for inPieces in [false, true] {
        var reader = reader(Array(text.utf8), inPieces: inPieces, seed: 1)
        var (readNumbers, readFlags): ([Int64], [Bool]) = ([], [])
        try reader.beginArray()
        _ = try reader.nextElement()
        try reader.integers { readNumbers += $0 }
        _ = try reader.nextElement()
        try reader.booleans { readFlags += $0 }
        #expect(readNumbers == numbers && readFlags == flags)
        _ = try reader.nextElement()
        #expect(throws: JSONError(offset: text.utf8.count - 5, reason: "true or false is expected"))
        {
          try reader.booleans { _ in }
        }
      }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `decimals of up to nineteen digits are rounded like those of the C library`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let digits = UInt64.random(in: 0...UInt64.max, using: &generator)
      var mantissa = digits >> UInt64.random(in: 0..<64, using: &generator)
      // Halfway between two doubles, and beside it, the rounding is hardest.
      if digits % 2 == 0, mantissa >= 1 << 54 {
        let step = UInt64(1) << UInt64(63 - 53 - mantissa.leadingZeroBitCount)
        mantissa = mantissa / (2 * step) * (2 * step) &+ step &+ digits % 3 &- 1
      }
      let decimals = Int.random(in: 0...19, using: &generator)
      let value = DecimalNumber(mantissa: mantissa, decimals: decimals).value
      #expect(value == Double("\(mantissa)e-\(decimals)"), "\(mantissa) / 10^\(decimals)")
    }
  }

  @Test func `strings and white space longer than the buffer are read in pieces`() throws {
    let long = String(repeating: "a\\n\\ud83d\\ude00é", count: 5000)
    let plain = String(repeating: "x", count: 30_000)
    let space = String(repeating: " ", count: 40_000)
    let text = Array("{\"\(long)\":\(space)[\"\(plain)\",\"\(long)\" \(space),1]}\(space)".utf8)
    for inPieces in [false, true] {
      var reader = reader(text, inPieces: inPieces, seed: 2)
      let expected = String(repeating: "a\n😀é", count: 5000)
      try reader.beginObject()
      #expect(try reader.nextKey() == expected)
      try reader.beginArray()
      #expect(try reader.nextElement() == true)
      #expect(try reader.string() == plain)
      #expect(try reader.nextElement() == true)
      #expect(try reader.stringBytes() == Array(expected.utf8))
      #expect(try reader.nextElement() == true)
      #expect(try reader.integer() == 1)
      #expect(try reader.nextElement() == false)
      #expect(try reader.nextKey() == nil)
      try reader.end()
      #expect(reader.offset == text.count)
    }
  }
}
