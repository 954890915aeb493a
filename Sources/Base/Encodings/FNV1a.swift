/// The 64-bit FNV-1a hash (G. Fowler, L. C. Noll, K.-P. Vo), which is the same on every machine.
///
/// It serves for names and identifiers. It is not cryptographic: do not rely on it where an
/// adversary chooses the input.
package struct FNV1a {
  /// The hash of all bytes added so far.
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Creates the hash of an empty input.
  package init() {}

  /// Adds a byte to the hash.
  package mutating func combine(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  /// Adds bytes to the hash.
  package mutating func combine(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { combine(byte) }
  }

  /// Adds the UTF-8 bytes of a text to the hash: fast, since this is not generic.
  package mutating func combine(_ text: String) {
    for byte in text.utf8 { combine(byte) }
  }

  /// The hash after the finalizer of MurmurHash3 (A. Appleby), which makes each bit depend on all
  /// bytes.
  package var mixed: UInt64 {
    var mixed = value
    mixed = (mixed ^ mixed >> 33) &* 0xFF51_AFD7_ED55_8CCD
    mixed = (mixed ^ mixed >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return mixed ^ mixed >> 33
  }
}
