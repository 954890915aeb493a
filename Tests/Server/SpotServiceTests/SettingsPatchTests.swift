import SpotService
import Testing

@Suite struct SettingsPatchTests {
  private func applied(_ patch: String, to document: String) throws -> String {
    String(
      decoding: try SettingsPatch(Array(patch.utf8)).applied(to: Array(document.utf8)),
      as: UTF8.self)
  }

  @Test func `unchanged settings keep their text and order`() throws {
    let document =
      #"{"cooldown": "7 d",  "proximityRadius":1e2, "mutedZones": [ {"a": 1} ], "x":"é\n"}"#
    #expect(
      try applied(#"{"proximityRadius": 200, "dwell": "30s"}"#, to: document) == """
        {
          "cooldown": "7 d",
          "proximityRadius": 200,
          "mutedZones": [ {"a": 1} ],
          "x": "é\\n",
          "dwell": "30s"
        }

        """)
  }

  @Test func `a byte order mark before the file is dropped`() throws {
    #expect(
      try applied(#"{"a": 2}"#, to: "\u{FEFF}" + #"{"a": 1}"#) == "{\n  \"a\": 2\n}\n")
  }

  @Test func `null removes a setting, and a missing or empty file is created`() throws {
    #expect(
      try applied(#"{"b": null, "c": null}"#, to: #"{"a": 1, "b": 2}"#)
        == "{\n  \"a\": 1\n}\n")
    #expect(try applied(#"{"a": null}"#, to: #"{"a": 1}"#) == "{}\n")
    #expect(try applied(#"{"a": true}"#, to: "") == "{\n  \"a\": true\n}\n")
    #expect(try applied("{}", to: "") == "{}\n")
  }

  @Test func `a file that is not an object is left unchanged`() {
    for document in ["[1]", "{", #"{"a": 1} x"#] {
      #expect(throws: (any Error).self) { try applied(#"{"a": 1}"#, to: document) }
    }
  }
}
