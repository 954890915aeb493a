import CTowns

/// A reader of the towns' names in other languages, in the second format of `make-towns.py`.
///
/// The table is embedded in the program, so its contents are trusted; only bounds are checked.
struct OtherNames: Sendable {
  /// The embedded table.
  static let ofProgram = OtherNames()

  private nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
  private static let entries = 8 + 4097 * 4
  private static let entryLength = 5

  private init() {
    bytes = UnsafeRawBufferPointer(
      start: photospots_other_names(), count: photospots_other_names_size())
    precondition(bytes.starts(with: "names  1".utf8), "the names are of another version")
    precondition(
      Self.entries + start(4096) * Self.entryLength == bytes.count, "the names are cut off")
  }

  /// Returns the numbers of the towns that have a name, in ascending order.
  ///
  /// Hashes of 36 bits are compared. Of a million other texts, about three are taken for a name.
  ///
  /// - Parameter name: The folded name.
  /// - Returns: The numbers.
  /// - Complexity: O(*k*) for the *k* names whose hashes begin equally, about fifty.
  func towns(called name: [UInt8]) -> [Int] {
    let hash = Self.hash(name)
    let head = Int(hash >> 24)
    let tail = UInt32(truncatingIfNeeded: hash & 0xFF_FFFF)
    var found: [Int] = []
    for entry in start(head)..<start(head + 1) {
      let place = Self.entries + entry * Self.entryLength
      guard number(place) & 0xFF_FFFF == tail else { continue }
      found.append(Int(bytes[place + 3]) | Int(bytes[place + 4]) << 8)
    }
    return found
  }

  /// Returns the upper 36 bits of a hash: FNV-1a with 64 bits
  /// ([draft-eastlake-fnv](https://datatracker.ietf.org/doc/draft-eastlake-fnv/)), mixed by the
  /// finalizer of SplitMix64 (Steele, Lea and Flood, 2014).
  static func hash(_ name: [UInt8]) -> UInt64 {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return (value ^ value >> 31) >> 28
  }

  /// Returns the number of the first entry whose hash begins with 12 bits.
  private func start(_ head: Int) -> Int { Int(number(8 + head * 4)) }

  private func number(_ place: Int) -> UInt32 {
    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
  }
}
