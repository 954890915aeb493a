import Encodings
import Testing

@Suite struct DegreesTests {
  @Test(arguments: [
    (48.886449999999996, "48.88645"), (5e-5, "0.00005"), (-5e-5, "-0.00005"), (0, "0"), (-0.0, "0"),
    (180, "180"), (-180, "-180"), (2.29451234567, "2.2945123"), (4e-8, "0"), (-4e-8, "0"),
    (6e-8, "0.0000001"), (89.99999999, "90"), (0.1 + 0.2, "0.3"), (-122.0312186, "-122.0312186"),
  ])
  func `degrees have at most seven decimals and no exponent`(degrees: Double, text: String) {
    #expect(Degrees.text(degrees) == text)
    var writer = JSONWriter()
    writer.object { $0.member("latitude", degrees: degrees) }
    #expect(writer.text == "{\"latitude\":\(text)}")
  }

  @Test func `values out of range are written without an exponent too`() {
    for number in [1e300, -1e300, .infinity, -.infinity, .nan, 1e-300, 1e17] {
      #expect(Degrees.text(number).utf8.allSatisfy { "-.0123456789".utf8.contains($0) })
    }
    var writer = JSONWriter()
    writer.array { $0.number(degrees: .nan) }
    #expect(writer.text == "[null]")
  }

  @Test func `written degrees read back within half a ten-millionth`() {
    for step in 0..<20_000 {
      let degrees = Double(step) * 0.0179998761 - 180
      let read = Double(Degrees.text(degrees)) ?? .nan
      #expect(abs(read - degrees) <= 0.5001e-7)
      #expect(Degrees.text(read) == Degrees.text(degrees))
    }
  }
}
