/// The byte order of a TIFF structure.
package enum ByteOrder: Sendable {
  /// Most significant byte first: `MM`.
  case bigEndian
  /// Least significant byte first: `II`.
  case littleEndian
}

/// A number of TIFF's type RATIONAL.
struct Rational {
  let numerator: UInt32
  let denominator: UInt32

  init(_ numerator: UInt32, _ denominator: UInt32) {
    self.numerator = numerator
    self.denominator = denominator
  }
}

/// A tag of an EXIF block with its value, before encoding.
///
/// Tags, types and counts: CIPA DC-008-2023 (Exif 3.0), sections 4.6.4 to 4.6.6.
struct EXIFEntry {
  /// The directory that a tag is written to.
  enum Directory {
    case image, exif, gps
  }

  /// A value of one of the types defined in TIFF 6.0, section 2.
  enum Value {
    /// BYTE.
    case bytes([UInt8])
    /// ASCII, written with a terminating zero.
    case text(String)
    /// SHORT.
    case short(UInt16)
    /// RATIONAL.
    case rationals([Rational])
    /// UNDEFINED.
    case undefined([UInt8])
  }

  let directory: Directory
  let tag: UInt16
  let value: Value

  /// The number that identifies the value's type in a directory entry.
  var format: UInt16 {
    switch value {
    case .bytes: 1
    case .text: 2
    case .short: 3
    case .rationals: 5
    case .undefined: 7
    }
  }

  /// The number of values of the type.
  var count: Int {
    switch value {
    case .bytes(let bytes), .undefined(let bytes): bytes.count
    case .text(let text): text.utf8.count + 1
    case .short: 1
    case .rationals(let rationals): rationals.count
    }
  }

  /// Returns the encoded value.
  func bytes(in order: ByteOrder) -> [UInt8] {
    switch value {
    case .bytes(let bytes), .undefined(let bytes): bytes
    case .text(let text): Array(text.utf8) + [0]
    case .short(let number): Self.bytes(of: number, in: order)
    case .rationals(let rationals):
      rationals.flatMap {
        Self.bytes(of: $0.numerator, in: order) + Self.bytes(of: $0.denominator, in: order)
      }
    }
  }

  private static func bytes(of number: some FixedWidthInteger, in order: ByteOrder) -> [UInt8] {
    let places = stride(from: 0, to: number.bitWidth, by: 8)
    let bytes = places.map { UInt8(truncatingIfNeeded: number >> $0) }
    return order == .littleEndian ? bytes : bytes.reversed()
  }
}
