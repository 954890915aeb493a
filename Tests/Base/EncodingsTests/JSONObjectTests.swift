import TestSupport
import Testing

@testable import Encodings

@Suite struct JSONObjectTests {
  private func object(_ text: String) throws(JSONError) -> JSONObject {
    try JSONObject(document: Array(text.utf8))
  }

  @Test func `each field is a line, in any order`() throws {
    let object = try object(
      #" {"path": "/a\udcff", "count": 3, "far": 9e99, "is": true, "who": {"name": "Jan"}, "in": ["b", "a"]} "#
    )
    #expect(object.offset == 1)
    #expect(try object.object("who")?.string("name") == "Jan")
    #expect(try object.strings("in") == ["b", "a"])
    #expect(try object.boolean("is") == true)
    #expect(try object.double("count") == 3 && object.integer("count") == 3)
    #expect(try object.double("far") == 9e99)
    #expect(try object.nameBytes("path") == [0x2F, 0x61, 0xFF])
    #expect(object.keys == ["path", "count", "far", "is", "who", "in"])
  }

  @Test func `a missing member is nil, and an unknown one is ignored`() throws {
    let object = try object(#"{"other": [{}, [null]]}"#)
    #expect(try object.string("name") == nil && object.int("name") == nil)
    #expect(try object.object("name") == nil && object.strings("name") == nil)
    #expect(object.kind(of: "name") == nil && object.kind(of: "other") == .array)
  }

  @Test func `the last of several members with the same key counts`() throws {
    let object = try object(#"{"a": 1, "b": 2, "a": 3}"#)
    #expect(try object.int("a") == 3)
    #expect(object.keys == ["a", "b", "a"])
  }

  @Test func `a value of another type is an error at its place in the document`() throws {
    let object = try object(#"{"name":  7, "none": null, "list": ["a", 1]}"#)
    #expect(throws: JSONError(offset: 10, reason: "a string is expected")) {
      try object.string("name")
    }
    #expect(throws: JSONError(offset: 21, reason: "a number is expected")) {
      try object.double("none")
    }
    #expect(throws: JSONError(offset: 41, reason: "a string is expected")) {
      try object.strings("list")
    }
  }

  @Test func `an object is checked as a whole before any value is read`() {
    for text in [
      "", "[]", "{", #"{"a": 1"#, #"{"a": tru}"#, #"{"a": 1} x"#, #"{"a" 1}"#, #"{"a": 1,}"#,
    ] {
      #expect(throws: JSONError.self, "\(text)") { try object(text) }
    }
    let deep = #"{"a":"# + String(repeating: "[", count: 200) + "1"
    #expect(throws: JSONError.self) { try object(deep + String(repeating: "]", count: 200) + "}") }
  }

  @Test func `an object in an array ends where the next element begins`() throws {
    var reader = JSONReader(Array(#"[{"a": {"b": 1}}, {"a": {"b": 2}}]"#.utf8))
    var numbers: [Int?] = []
    try reader.beginArray()
    while try reader.nextElement() {
      let element = try JSONObject(&reader)
      numbers.append(try element.object("a")?.int("b"))
    }
    try reader.end()
    #expect(numbers == [1, 2])
  }

  @Test func `the statement of a format and version is compared`() throws {
    let object = try object(#"{"format": "x", "version": 2}"#)
    #expect(try object.states(format: "x", version: 2))
    #expect(try !object.states(format: "x", version: 1) && !object.states(format: "y", version: 2))
    #expect(try !self.object("{}").states(format: "x", version: 2))
  }

  @Test func `an integer beyond its type becomes the nearest one`() throws {
    let object = try object(#"{"a": 9223372036854775807, "b": -1}"#)
    #expect(try object.int("a") == Int(clamping: Int64.max) && object.int("b") == -1)
    #expect(object.error("x") == JSONError(offset: 0, reason: "x"))
  }

  @Test func `damaged objects are refused exactly where the reader refuses them`() {
    let text = Array(
      #"{"a": [1, {"b": null}], "c\u00e9": "x\ud83d\ude00", "d": {"e": -1.5e3, "f": true}, "g": ""}"#
        .utf8)
    var generator = SeededGenerator(seed: 30)
    for number in 0..<20_000 {
      var bytes = text
      for _ in 0...Int.random(in: 0...2, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[place] = text.randomElement(using: &generator) ?? 0
      }
      if number % 4 == 0 { bytes = Array(bytes.prefix(number % bytes.count)) }
      var reader = JSONReader(bytes)
      let isValid: Bool
      do throws(JSONError) {
        isValid = try reader.peek() == .object
        try reader.skipValue()
        try reader.end()
        let object = try JSONObject(document: bytes)
        #expect(isValid, "\(String(decoding: bytes, as: UTF8.self))")
        for key in object.keys {
          // Each value has exactly one type.
          let types = [
            (try? object.string(key)) != nil, (try? object.double(key)) != nil,
            (try? object.boolean(key)) != nil, (try? object.object(key)) != nil,
            (try? object.array(key) { reader throws(JSONError) in try reader.skipValue() }) != nil,
            object.kind(of: key) == .null,
          ]
          #expect(types.count { $0 } == 1, "\(String(decoding: bytes, as: UTF8.self))")
        }
      } catch {
        #expect(throws: JSONError.self) { try JSONObject(document: bytes) }
      }
    }
  }
}
