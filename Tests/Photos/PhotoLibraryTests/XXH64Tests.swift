import Testing

@testable import PhotoLibrary

@Suite struct XXH64Tests {
  /// The specification's own test vectors, and of bytes 0, 1, 2, … from the reference program.
  @Test(
    arguments: [
      ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
      ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
      ("xxhash", 0x32DD_3895_2C4B_C720),
      ("The quick brown fox jumps over the lazy dog", 0x0B24_2D36_1FDA_71BC),
    ] as [(String, UInt64)])
  func `matches the published hashes`(text: String, hash: UInt64) {
    #expect(Array(text.utf8).withUnsafeBytes { XXH64.hash($0) } == hash)
  }
}
