import TestSupport
import Testing

@testable import Encodings

@Suite struct MetricsTextTests {
  @Test func `a metric family has a help line, a type line and samples`() {
    var text = MetricsText()
    text.add("a_total", .counter, "What is\ncounted \\ here.") { family in
      family.sample(3)
      family.sample(0, ["device": "x"])
    }
    text.add("b_seconds", .gauge, "A time.") { _ in }
    #expect(
      String(decoding: text.bytes, as: UTF8.self) == #"""
        # HELP a_total What is\ncounted \\ here.
        # TYPE a_total counter
        a_total 3
        a_total{device="x"} 0
        # HELP b_seconds A time.
        # TYPE b_seconds gauge

        """#)
  }

  @Test(arguments: [
    "", "plain", "a\"b", "back\\slash", "line\nfeed", "\\n", "\\\"", "}", "{a=\"b\"} 1", "é 🗼",
    "\r",
    "\u{1B}[2J",
  ])
  func `a label value from outside cannot break the format`(value: String) throws {
    var text = MetricsText()
    text.add("a", .gauge, value) { $0.sample(1, ["device": value, "kind": "x"]) }
    let read = try ExpositionText(String(decoding: text.bytes, as: UTF8.self))
    #expect(read.samples.count == 1)
    #expect(read.value("a", ["device": value, "kind": "x"]) == 1)
  }

  @Test(arguments: [
    (0.0, "0"), (-1, "-1"), (0.1, "0.1"), (1e20, "1e+20"), (123_456_789, "123456789"),
    (.nan, "NaN"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (1e-300, "1e-300"),
  ])
  func `a number is written in the exposition format`(value: Double, expected: String) throws {
    var text = MetricsText()
    text.add("a", .gauge, "A number.") { $0.sample(value) }
    let written = String(decoding: text.bytes, as: UTF8.self)
    #expect(written.hasSuffix("\na \(expected)\n"))
    let read = try #require(try ExpositionText(written).value("a"))
    #expect(read == value || read.isNaN && value.isNaN)
  }

  @Test(arguments: [
    "a 1", "a 1\n", "# TYPE a gauge\na 1\n", "# HELP a x\n# TYPE a counter\na 1\n",
    "# HELP a x\n# TYPE a gauge\na 1\na 2\n", "# HELP a x\n# TYPE a gauge\na{b=\"c} 1\n",
    "# HELP a x\n# TYPE a gauge\na one\n",
    "# HELP a x\n# TYPE a gauge\n# HELP b x\n# TYPE b gauge\na 1\n",
  ])
  func `the parser of these tests rejects what the format does not allow`(text: String) {
    #expect(throws: ExpositionText.Fault.self) { try ExpositionText(text) }
  }
}
