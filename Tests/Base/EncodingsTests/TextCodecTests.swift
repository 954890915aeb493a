import Encodings
import Testing

@Suite struct TextCodecTests {
  /// RFC 4648, section 10.
  static let base64 = [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ]

  @Test(arguments: base64)
  func `Base64 is written with padding and read with or without it`(text: String, encoded: String) {
    #expect(Base64.text(Array(text.utf8)) == encoded)
    #expect(Base64.bytes(encoded) == Array(text.utf8))
    #expect(Base64.bytes(encoded.filter { $0 != "=" }) == Array(text.utf8))
  }

  @Test func `every byte value round-trips through Base64`() {
    let bytes = (0...255).map { UInt8($0) }
    for count in 0...255 {
      #expect(Base64.bytes(Base64.text(Array(bytes.prefix(count)))) == Array(bytes.prefix(count)))
    }
    #expect(Base64.bytes("+/+/") == [0xFB, 0xFF, 0xBF])
  }

  @Test(arguments: ["Z", "Zm9vY", "Zm9v!", "Zm 9v", "Z=g=", "Zm9-", "Zm9_"])
  func `rejects malformed Base64`(text: String) {
    #expect(Base64.bytes(text) == nil)
  }

  /// RFC 4648, section 10.
  @Test func `hexadecimal digits are written in either case and read in both`() {
    #expect(Hexadecimal.text("foobar".utf8) == "666f6f626172")
    #expect(Hexadecimal.text([0x00, 0x9A, 0xFF], isUppercase: true) == "009AFF")
    for byte in UInt8.min...UInt8.max {
      for isUppercase in [false, true] {
        let text = Hexadecimal.text([byte], isUppercase: isUppercase)
        #expect(Hexadecimal.byte(Array(text.utf8)[...]) == byte)
      }
    }
  }

  @Test(arguments: ["", "a", "abc", "0x", "+f", "-1", "g0", " 1", "/9", ":9", "@a", "`a"])
  func `rejects text that does not begin with two hexadecimal digits`(text: String) {
    #expect(Hexadecimal.byte(Array(text.utf8)[...]) == nil)
  }

  /// RFC 3986, sections 2.1 and 2.3.
  @Test func `percent-encoding keeps letters, digits and the given characters`() {
    #expect(PercentEncoding.text("a b/c~ä%".utf8, keeping: "~/") == "a%20b/c~%C3%A4%25")
    #expect(PercentEncoding.text("AZaz09-".utf8, keeping: "") == "AZaz09%2D")
    #expect(PercentEncoding.text([0xFF, 0x00], keeping: "") == "%FF%00")
  }

  @Test func `percent-encoding is decoded in either case of its digits`() {
    for text in ["", "plain", "a b/c~ä%", "%%", "%2"] {
      let encoded = PercentEncoding.text(text.utf8, keeping: "")
      #expect(PercentEncoding.bytes(encoded) == Array(text.utf8))
      #expect(PercentEncoding.plainBytes(encoded.lowercased()) == Array(text.lowercased().utf8))
    }
  }

  @Test(arguments: ["%", "100%", "%2", "%+f", "%-1", "%zz", "a%%20"])
  func `an invalid percent escape is rejected by bytes and kept by plainBytes`(text: String) {
    #expect(PercentEncoding.bytes(text) == nil)
    #expect(
      PercentEncoding.plainBytes(text)
        == Array((text == "a%%20" ? "a% " : text).utf8))
  }
}
