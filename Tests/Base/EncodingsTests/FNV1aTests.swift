import Encodings
import Testing

@Suite struct FNV1aTests {
  /// G. Fowler et al., "The FNV Non-Cryptographic Hash Algorithm", IETF draft, test vectors.
  static let vectors: [(String, UInt64)] = [
    ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
  ]

  @Test(arguments: vectors)
  func `matches the authors' test vectors`(text: String, value: UInt64) {
    var hash = FNV1a()
    hash.combine(text.utf8)
    #expect(hash.value == value)
  }

  @Test func `the mixed value matches MurmurHash3's finalizer`() {
    // fmix64 of the FNV-1a hash of "a", computed with Python.
    var hash = FNV1a()
    hash.combine(UInt8(ascii: "a"))
    #expect(hash.mixed == 0x82A2_A958_A9BE_CE5B)
  }

  @Test func `a number becomes thirteen base32 digits, the lowest first`() {
    #expect(Base32.text(0) == "aaaaaaaaaaaaa")
    #expect(Base32.text(1) == "baaaaaaaaaaaa")
    #expect(Base32.text(31 << 5 | 26) == "27aaaaaaaaaaa")
    #expect(Base32.text(.max) == "777777777777p")
  }
}
