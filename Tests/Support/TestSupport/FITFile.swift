package import CivilTime

/// Writes small FIT files.
package struct FITFile: Sendable {
  private var records: [UInt8] = []

  /// Creates an empty file.
  package init() {}

  /// Adds the definition of `record` messages with time, position, altitude and speed, as a local
  /// type.
  package mutating func define(
    _ local: UInt8 = 0, isBigEndian: Bool = false, hasTime: Bool = true, developerSize: UInt8? = nil
  ) {
    let fields: [[UInt8]] =
      (hasTime ? [[253, 4, 0x86]] : [])
      + [[0, 4, 0x85], [1, 4, 0x85], [2, 2, 0x84], [6, 2, 0x84]]
    records.append(0x40 | local | (developerSize == nil ? 0 : 0x20))
    records += [0, isBigEndian ? 1 : 0]
    append(20, size: 2, isBigEndian)
    records.append(UInt8(fields.count))
    for field in fields { records += field }
    if let developerSize { records += [1, 0, developerSize, 0] }
  }

  /// Adds a record of a local type. `nil` is an unknown value.
  package mutating func add(
    _ local: UInt8 = 0, time: Instant?, latitude: Double?, longitude: Double?,
    altitude: Double = 35, isBigEndian: Bool = false, extra: [UInt8] = []
  ) {
    records.append(local)
    append(Self.stamp(time), size: 4, isBigEndian)
    addPosition(latitude, longitude, altitude, isBigEndian)
    records += extra
  }

  /// Adds a record whose time is the lower five bits of its header.
  package mutating func add(
    compressed time: Instant, _ local: UInt8 = 1, latitude: Double, longitude: Double
  ) {
    records.append(0x80 | local << 5 | UInt8(Self.stamp(time) & 0x1F))
    addPosition(latitude, longitude, 35, false)
  }

  /// The file.
  package var bytes: [UInt8] { bytes() }

  /// Returns the file, or one whose device did not write the size and the checksum.
  package func bytes(isOpen: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = [14, 0x20, 0x08, 0x08]
    let size = isOpen ? 0 : records.count
    for place in 0..<4 { bytes.append(UInt8(size >> (8 * place) & 0xFF)) }
    bytes += Array(".FIT".utf8)
    bytes += [0, 0] + records
    guard !isOpen else { return bytes }
    // The checksum of another implementation than the reader's: bit by bit (CRC-16/ARC).
    var sum: UInt16 = 0
    for byte in bytes {
      sum ^= UInt16(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1 }
    }
    return bytes + [UInt8(sum & 0xFF), UInt8(sum >> 8)]
  }

  private static func stamp(_ time: Instant?) -> UInt64 {
    time.map { UInt64($0.millisecondsSince1970 / 1000 - 631_065_600) } ?? 0xFFFF_FFFF
  }

  private mutating func addPosition(
    _ latitude: Double?, _ longitude: Double?, _ altitude: Double, _ isBigEndian: Bool
  ) {
    for degrees in [latitude, longitude] {
      let bits = degrees.map { UInt32(bitPattern: Int32(($0 / 180 * 2_147_483_648).rounded())) }
      append(UInt64(bits ?? 0x7FFF_FFFF), size: 4, isBigEndian)
    }
    append(UInt64((altitude + 500) * 5), size: 2, isBigEndian)
    append(1500, size: 2, isBigEndian)
  }

  private mutating func append(_ number: UInt64, size: Int, _ isBigEndian: Bool) {
    for place in 0..<size {
      let shift = 8 * (isBigEndian ? size - 1 - place : place)
      records.append(UInt8(number >> shift & 0xFF))
    }
  }
}
