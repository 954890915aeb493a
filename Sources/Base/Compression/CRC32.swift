import CZlib

/// The checksum of zip archives: CRC-32 (APPNOTE.TXT, section 4.4.7).
package struct CRC32: Hashable, Sendable {
  /// The checksum of all bytes so far.
  package private(set) var value: UInt32 = 0

  /// Creates the checksum of no bytes.
  package init() {}

  /// Adds bytes.
  package mutating func combine(_ bytes: some Collection<UInt8>) {
    let value = UInt(self.value)
    let sum = bytes.withContiguousStorageIfAvailable { buffer in
      unsafe crc32_z(value, buffer.baseAddress, z_size_t(buffer.count))
    }
    if let sum {
      self.value = UInt32(truncatingIfNeeded: sum)
    } else {
      combine(Array(bytes))
    }
  }
}
