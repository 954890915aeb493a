/// A 64-bit hash for detecting damage: XXH64 with seed 0, after Y. Collet's specification,
/// https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
package enum XXH64 {
  private static let primes: (UInt64, UInt64, UInt64, UInt64, UInt64) = (
    0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63,
    0x27D4_EB2F_1656_67C5
  )

  /// Returns the hash of bytes.
  package static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var place = 0
    func word() -> UInt64 {
      defer { place += 8 }
      return UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
    var hash: UInt64
    if bytes.count >= 32 {
      var lanes = (
        primes.0 &+ primes.1, primes.1, UInt64(0), 0 &- primes.0
      )
      while bytes.count - place >= 32 {
        lanes.0 = round(lanes.0, word())
        lanes.1 = round(lanes.1, word())
        lanes.2 = round(lanes.2, word())
        lanes.3 = round(lanes.3, word())
      }
      hash =
        rotated(lanes.0, 1) &+ rotated(lanes.1, 7) &+ rotated(lanes.2, 12) &+ rotated(lanes.3, 18)
      for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
        hash = (hash ^ round(0, lane)) &* primes.0 &+ primes.3
      }
    } else {
      hash = primes.4
    }
    hash &+= UInt64(bytes.count)
    while bytes.count - place >= 8 {
      hash = rotated(hash ^ round(0, word()), 27) &* primes.0 &+ primes.3
    }
    if bytes.count - place >= 4 {
      let half = UInt32(
        littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
      hash = rotated(hash ^ UInt64(half) &* primes.0, 23) &* primes.1 &+ primes.2
      place += 4
    }
    while place < bytes.count {
      hash = rotated(hash ^ UInt64(bytes[place]) &* primes.4, 11) &* primes.0
      place += 1
    }
    hash = (hash ^ hash >> 33) &* primes.1
    hash = (hash ^ hash >> 29) &* primes.2
    return hash ^ hash >> 32
  }

  @inline(__always)
  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotated(lane &+ word &* primes.1, 31) &* primes.0
  }

  @inline(__always)
  private static func rotated(_ number: UInt64, _ bits: UInt64) -> UInt64 {
    number << bits | number >> (64 - bits)
  }
}
