import CivilTime

/// Reads the positions of FIT files, the recordings of Garmin, Wahoo, Suunto, Coros and others.
///
/// A file has a header, records, and a checksum of both (Garmin, FIT Protocol, sections "Flexible
/// and Interoperable Data Transfer" and "CRC Calculation"). A *definition* gives the fields of the
/// *data* records of a local type that follow. Positions are in `record` messages (global number
/// 20) and in `gps_metadata` (160); all others are skipped. Times are seconds since the end of
/// 1989, UTC; those below 0x10000000 are seconds since the device was switched on, and no date.
/// Degrees are semicircles, 2³¹ of them being 180°.
///
/// A wrong checksum is a fault, after the positions of the file: mostly one of thousands is wrong,
/// and other programs read them too. A file that is cut off, as by an empty battery, gives the
/// positions before the cut. Files may be joined. No system library reads the format, and the part
/// of it that holds positions is small, so the reader is the program's own. At most one record is
/// held, at most 128 KiB.
struct FITDocument: DocumentParser {
  /// The number of bytes by which a file is recognised.
  static let startLength = 12

  private enum Part {
    case header, records, checksum
    /// Anything but a FIT file; the rest of it is skipped.
    case foreign
  }

  private var part = Part.header
  /// The bytes of the current part that are not read yet.
  private var buffer: [UInt8] = []
  private var start = 0
  /// The number of bytes of records that are still to come.
  private var remaining = 0
  private var checksum = FITChecksum()
  private var definitions = [FITDefinition?](repeating: nil, count: 16)
  /// The latest time stamp, to which compressed ones refer.
  private var lastStamp: UInt32?

  init() {}

  /// Returns whether bytes are the start of a FIT file; `nil` if there are too few to tell.
  static func isStart(_ bytes: [UInt8]) -> Bool? {
    guard let first = bytes.first else { return nil }
    guard first == 12 || first == 14 else { return false }
    let name = Array(".FIT".utf8)
    guard bytes.count >= startLength else {
      return bytes.count > 8 && !name.starts(with: bytes[8...]) ? false : nil
    }
    return bytes[8..<12].elementsEqual(name)
  }

  mutating func consume(_ bytes: [UInt8], into output: inout DocumentOutput) {
    buffer.append(contentsOf: bytes)
    while readPart(into: &output) {}
    buffer.removeFirst(start)
    start = 0
  }

  mutating func finish(into output: inout DocumentOutput) {
    let isWhole = part == .header && buffer.isEmpty || part == .foreign
    if !isWhole { output.add(.documentCutOff) }
    self = FITDocument()
  }

  // MARK: - Parts

  /// Reads the next header, record or checksum; returns false where more bytes are needed.
  private mutating func readPart(into output: inout DocumentOutput) -> Bool {
    switch part {
    case .header: readHeader(into: &output)
    case .records: readRecord(into: &output)
    case .checksum: readChecksum(into: &output)
    case .foreign: skipAll()
    }
  }

  private mutating func skipAll() -> Bool {
    start = buffer.count
    return false
  }

  private mutating func readHeader(into output: inout DocumentOutput) -> Bool {
    guard let size = rest.first else { return false }
    guard Self.isStart(Array(rest.prefix(Self.startLength))) != false else {
      output.add(.noDocument)
      part = .foreign
      return true
    }
    guard rest.count >= Int(size) else { return false }
    let header = take(Int(size))
    // A device that was switched off has not written the size.
    let stated = Int(header.number(at: 4, size: 4, isBigEndian: false))
    remaining = stated == 0 ? .max : stated
    checksum = FITChecksum()
    checksum.add(header)
    definitions = [FITDefinition?](repeating: nil, count: 16)
    lastStamp = nil
    part = .records
    return true
  }

  private mutating func readChecksum(into output: inout DocumentOutput) -> Bool {
    guard rest.count >= 2 else { return false }
    let stated = take(2).number(at: 0, size: 2, isBigEndian: false)
    if stated != UInt64(checksum.value) { output.add(.doubtful) }
    part = .header
    return true
  }

  // MARK: - Records

  private mutating func readRecord(into output: inout DocumentOutput) -> Bool {
    let available = rest.prefix(remaining)
    guard let header = available.first else { return false }
    let length: Int
    if header & 0x80 == 0, header & 0x40 != 0 {
      guard let found = FITDefinition.length(of: available) else {
        return available.count >= remaining ? abandon(into: &output) : false
      }
      length = found
    } else {
      let local = Int(header & 0x80 != 0 ? header >> 5 & 0x3 : header & 0xF)
      guard let definition = definitions[local] else { return abandon(into: &output) }
      length = 1 + definition.length
    }
    guard length <= remaining else { return abandon(into: &output) }
    guard rest.count >= length else { return false }
    let record = take(length)
    checksum.add(record)
    remaining -= length
    if header & 0xC0 == 0x40 {
      definitions[Int(header & 0xF)] = FITDefinition(record)
    } else {
      readData(record, header, into: &output)
    }
    if remaining == 0 { part = .checksum }
    return true
  }

  /// Gives up a file whose records cannot be told apart any more, with the positions before.
  private mutating func abandon(into output: inout DocumentOutput) -> Bool {
    output.count(.damaged)
    part = .foreign
    return true
  }

  private mutating func readData(
    _ record: [UInt8], _ header: UInt8, into output: inout DocumentOutput
  ) {
    let isCompressed = header & 0x80 != 0
    let local = Int(isCompressed ? header >> 5 & 0x3 : header & 0xF)
    guard let definition = definitions[local] else { return }
    var stamp = definition.value(of: 253, in: record, as: .unsigned(4))
      .map { UInt32(saturating: $0) }
    if isCompressed, let last = lastStamp {
      // The five lower bits of the time; they have passed zero if they are lower than before.
      let offset = UInt32(header & 0x1F)
      stamp = last &+ ((offset &- last) & 0x1F)
    }
    if let stamp { lastStamp = stamp }
    guard let message = FITMessage(rawValue: definition.message) else { return }
    guard let fix = message.fix(record, definition, message.stamp(record, definition) ?? stamp)
    else {
      output.ends.add(.withoutPosition)
      output.count()
      return
    }
    output.fixes.append(fix)
    output.count()
  }

  // MARK: - Bytes

  private var rest: ArraySlice<UInt8> { buffer[start...] }

  private mutating func take(_ count: Int) -> [UInt8] {
    defer { start += count }
    return Array(buffer[start..<(start + count)])
  }
}

/// The messages of a FIT file that hold positions, with the numbers of their fields (Garmin, FIT
/// Profile).
private enum FITMessage: UInt16 {
  case record = 20
  case gpsMetadata = 160

  private typealias Field = (number: UInt8, kind: FITDefinition.Kind, scale: Double)

  private var latitude: UInt8 { self == .record ? 0 : 1 }
  private var longitude: UInt8 { self == .record ? 1 : 2 }
  /// The enhanced altitude, else the altitude, both with an offset of 500 m.
  private var altitudes: [Field] {
    self == .record
      ? [(78, .unsigned(4), 5), (2, .unsigned(2), 5)] : [(3, .unsigned(4), 5)]
  }
  private var speeds: [Field] {
    self == .record
      ? [(73, .unsigned(4), 1000), (6, .unsigned(2), 1000)] : [(4, .unsigned(4), 1000)]
  }
  /// Returns the UTC of a message whose own time stamp may count from when the device was
  /// switched on, as those of cameras do.
  func stamp(_ record: [UInt8], _ definition: FITDefinition) -> UInt32? {
    guard self == .gpsMetadata else { return nil }
    return definition.value(of: 6, in: record, as: .unsigned(4)).map { UInt32(saturating: $0) }
  }

  private var course: Field? { self == .record ? nil : (5, .unsigned(2), 100) }
  /// The accuracy in metres.
  private var accuracy: Field? { self == .record ? (31, .unsigned(1), 1) : nil }

  /// The end of 1989, UTC, in seconds since 1970.
  private static let epoch: Int64 = 631_065_600
  /// Below it, a time is relative to when the device was switched on.
  private static let earliestStamp: UInt32 = 0x1000_0000
  private static let degreesPerSemicircle = 180 / 2_147_483_648.0

  /// Returns the fix of a record; `nil` for one without a position.
  func fix(_ record: [UInt8], _ definition: FITDefinition, _ stamp: UInt32?) -> LocationFix? {
    guard let north = definition.value(of: latitude, in: record, as: .signed),
      let east = definition.value(of: longitude, in: record, as: .signed)
    else { return nil }
    func first(_ fields: [Field]) -> Double? {
      for field in fields {
        if let value = definition.value(of: field.number, in: record, as: field.kind) {
          return value / field.scale
        }
      }
      return nil
    }
    let time = stamp.flatMap { stamp in
      stamp < Self.earliestStamp
        ? nil : Instant(secondsSince1970: Self.epoch + Int64(stamp))
    }
    return LocationFix(
      time: time, latitude: north * Self.degreesPerSemicircle,
      longitude: east * Self.degreesPerSemicircle,
      altitudeMeters: first(altitudes).map { $0 - 500 },
      horizontalAccuracyMeters: first(accuracy.map { [$0] } ?? []),
      speedMetersPerSecond: first(speeds), courseDegrees: first(course.map { [$0] } ?? []))
  }
}

/// The fields of the data records of a local type.
private struct FITDefinition: Sendable {
  /// The kind and size in bytes of a number.
  enum Kind: Sendable {
    /// Four bytes with a sign.
    case signed
    /// A number of bytes without a sign.
    case unsigned(Int)
  }

  let message: UInt16
  /// The length of the fields in bytes, those of developers included.
  let length: Int
  private let isBigEndian: Bool
  private let fields: [UInt8: (offset: Int, size: Int)]

  /// Returns the length of a definition; `nil` where its start does not show it yet.
  static func length(of bytes: ArraySlice<UInt8>) -> Int? {
    let start = bytes.startIndex
    guard bytes.count >= 6 else { return nil }
    let fields = 6 + 3 * Int(bytes[start + 5])
    guard bytes[start] & 0x20 != 0 else { return fields }
    guard bytes.count > fields else { return nil }
    return fields + 1 + 3 * Int(bytes[start + fields])
  }

  /// Reads a whole definition.
  init(_ bytes: [UInt8]) {
    isBigEndian = bytes[2] == 1
    message = UInt16(bytes.number(at: 3, size: 2, isBigEndian: isBigEndian))
    var fields: [UInt8: (offset: Int, size: Int)] = [:]
    // After the header of the data record.
    var offset = 1
    let count = Int(bytes[5])
    for number in 0..<count {
      let size = Int(bytes[6 + 3 * number + 1])
      fields[bytes[6 + 3 * number]] = (offset, size)
      offset += size
    }
    let developers = 6 + 3 * count
    if bytes[0] & 0x20 != 0 {
      for number in 0..<Int(bytes[developers]) {
        offset += Int(bytes[developers + 1 + 3 * number + 1])
      }
    }
    self.fields = fields
    length = offset - 1
  }

  /// Returns the value of a field; `nil` where it is missing, of another size, or invalid.
  func value(of field: UInt8, in record: [UInt8], as kind: Kind) -> Double? {
    guard let (offset, size) = fields[field] else { return nil }
    switch kind {
    case .signed:
      guard size == 4 else { return nil }
      let bits = UInt32(record.number(at: offset, size: 4, isBigEndian: isBigEndian))
      return bits == 0x7FFF_FFFF ? nil : Double(Int32(bitPattern: bits))
    case .unsigned(let expected):
      guard size == expected else { return nil }
      let number = record.number(at: offset, size: size, isBigEndian: isBigEndian)
      return number == (1 << (8 * UInt64(size))) - 1 ? nil : Double(number)
    }
  }
}

/// The checksum of a FIT file, CRC-16 (Garmin, FIT Protocol, "CRC Calculation").
struct FITChecksum: Sendable {
  private static let table: [UInt16] = [
    0x0000, 0xCC01, 0xD801, 0x1400, 0xF001, 0x3C00, 0x2800, 0xE401, 0xA001, 0x6C00, 0x7800, 0xB401,
    0x5000, 0x9C01, 0x8801, 0x4400,
  ]

  private(set) var value: UInt16 = 0

  /// Adds bytes.
  mutating func add(_ bytes: [UInt8]) {
    for byte in bytes {
      for half in [byte & 0xF, byte >> 4] {
        value = (value >> 4 & 0x0FFF) ^ Self.table[Int(value & 0xF)] ^ Self.table[Int(half)]
      }
    }
  }
}

extension [UInt8] {
  /// Reads an unsigned number of at most eight bytes.
  fileprivate func number(at offset: Int, size: Int, isBigEndian: Bool) -> UInt64 {
    var number: UInt64 = 0
    for place in 0..<size {
      let byte = self[offset + (isBigEndian ? place : size - 1 - place)]
      number = number << 8 | UInt64(byte)
    }
    return number
  }
}
