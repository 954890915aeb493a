import Encodings
import Testing

@Suite struct SHA256Tests {
  /// NIST, "Examples with Intermediate Values", SHA-256; and RFC 6234, section 8.5.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `matches the standard's SHA-256 examples`(text: String, hash: String) {
    #expect(Hexadecimal.text(SHA256.hash(Array(text.utf8))) == hash)
  }

  /// From Python's hashlib: lengths around those at which the padding needs another block.
  @Test(arguments: [
    (55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
    (56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
    (63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
    (64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
    (119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"),
    (120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"),
    (1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ])
  func `hashes messages of lengths around the block size`(length: Int, hash: String) {
    #expect(Hexadecimal.text(SHA256.hash([UInt8](repeating: 97, count: length))) == hash)
  }

  /// RFC 4231, test cases 1, 2, 6 and 7.
  @Test func `matches the HMAC-SHA256 test cases of RFC 4231`() {
    let large = [UInt8](repeating: 0xAA, count: 131)
    let cases: [(key: [UInt8], message: String, code: String)] = [
      (
        [UInt8](repeating: 0x0B, count: 20), "Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), "what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        large, "Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
      (
        large,
        "This is a test using a larger than block-size key and a larger than block-size data. "
          + "The key needs to be hashed before being used by the HMAC algorithm.",
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
      ),
    ]
    for (key, message, code) in cases {
      #expect(
        Hexadecimal.text(SHA256.authenticationCode(of: Array(message.utf8), key: key)) == code)
    }
  }
}
