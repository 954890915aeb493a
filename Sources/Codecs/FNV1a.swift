/// The hash FNV-1a of 64 bits (G. Fowler, L. C. Noll, K.-P. Vo), the same on every machine.
///
/// For names and ids, not against anyone who chooses what is hashed.
package struct FNV1a {
  /// The hash of all that was added.
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Creates the hash of nothing.
  package init() {}

  /// Adds a byte.
  package mutating func combine(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  /// Adds bytes.
  package mutating func combine(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { combine(byte) }
  }

  /// The value, finished with the mixer of MurmurHash3 (A. Appleby), so that each bit depends on
  /// all bytes.
  package var mixed: UInt64 {
    var mixed = value
    mixed = (mixed ^ mixed >> 33) &* 0xFF51_AFD7_ED55_8CCD
    mixed = (mixed ^ mixed >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return mixed ^ mixed >> 33
  }
}
