/// The SHA-256 hash (FIPS 180-4), and HMAC-SHA-256.
///
/// Implemented here because the only library for it that does not need Foundation adds minutes to
/// every build.
package enum SHA256 {
  /// The length of a block, in bytes.
  private static let blockSize = 64

  /// Returns the hash of a message: 32 bytes.
  package static func hash(_ message: [UInt8]) -> [UInt8] {
    var digest = Digest()
    digest.combine(message)
    return digest.hash
  }

  /// Returns the HMAC of a message (RFC 2104, section 2): 32 bytes.
  package static func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    var block = key.count > blockSize ? hash(key) : key
    block += [UInt8](repeating: 0, count: blockSize - block.count)
    let inner = hash(block.map { $0 ^ 0x36 } + message)
    return hash(block.map { $0 ^ 0x5C } + inner)
  }

  /// An incremental hash of bytes that arrive in pieces.
  package struct Digest: Sendable {
    private var state = initialState
    /// The bytes of the last, incomplete block.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    /// Creates the hash of an empty input.
    package init() {}

    /// Adds bytes to the hash.
    package mutating func combine(_ bytes: some Collection<UInt8>) {
      if bytes.withContiguousStorageIfAvailable({ update($0) }) == nil {
        Array(bytes).withUnsafeBufferPointer { update($0) }
      }
    }

    /// The hash of all bytes added so far: 32 bytes.
    package var hash: [UInt8] {
      var last = self
      // Padding: FIPS 180-4, section 5.1.1.
      let zeros = (2 * blockSize - 9 - rest.count) % blockSize
      last.combine(
        [0x80] + [UInt8](repeating: 0, count: zeros) + bigEndianBytes(count * 8))
      return last.state.flatMap(bigEndianBytes)
    }

    private mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
      count += UInt64(bytes.count)
      var start = 0
      if !rest.isEmpty {
        start = min(blockSize - rest.count, bytes.count)
        rest.append(contentsOf: bytes[..<start])
        guard rest.count == blockSize else { return }
        rest.withUnsafeBufferPointer { SHA256.compress($0, 0, into: &state) }
        rest.removeAll(keepingCapacity: true)
      }
      while bytes.count - start >= blockSize {
        SHA256.compress(bytes, start, into: &state)
        start += blockSize
      }
      rest.append(contentsOf: bytes[start...])
    }
  }

  /// Processes the block that begins at `start`: FIPS 180-4, section 6.2.2.
  private static func compress(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, into state: inout [UInt32]
  ) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
      for word in 0..<16 {
        let place = start + 4 * word
        schedule[word] =
          UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16
          | UInt32(bytes[place + 2]) << 8 | UInt32(bytes[place + 3])
      }
      for round in 16..<64 {
        let (early, late) = (schedule[round - 15], schedule[round - 2])
        let σ0 = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
        let σ1 = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
        schedule[round] = σ1 &+ schedule[round - 7] &+ σ0 &+ schedule[round - 16]
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])
      constants.withUnsafeBufferPointer { constants in
        for round in 0..<64 {
          let Σ1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
          let first = h &+ Σ1 &+ (e & f ^ ~e & g) &+ constants[round] &+ schedule[round]
          let Σ0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
          let second = Σ0 &+ (a & b ^ a & c ^ b & c)
          (h, g, f, e) = (g, f, e, d &+ first)
          (d, c, b, a) = (c, b, a, first &+ second)
        }
      }
      state[0] &+= a
      state[1] &+= b
      state[2] &+= c
      state[3] &+= d
      state[4] &+= e
      state[5] &+= f
      state[6] &+= g
      state[7] &+= h
    }
  }

  @inline(__always)
  private static func rotated(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    word >> bits | word << (32 - bits)
  }

  private static func bigEndianBytes(_ value: some FixedWidthInteger & UnsignedInteger) -> [UInt8] {
    stride(from: value.bitWidth - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: value >> $0)
    }
  }

  /// The initial hash value: FIPS 180-4, section 5.3.3.
  private static let initialState: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
    0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]

  /// The round constants: FIPS 180-4, section 4.2.2.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}
