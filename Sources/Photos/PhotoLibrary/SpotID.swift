package import CivilTime
import Encodings
package import Spatial
import SystemPackage

/// The identifier of a spot: 60 bits of a hash of its anchor's position, rounded to 1e-7°, and its
/// anchor's capture time.
///
/// Neither the path of a file nor a later photo affects the id. Two spots of an index never have
/// anchors at the same position, so their ids differ unless the 60-bit hashes collide.
package struct SpotID: Hashable, Comparable, Sendable {
  /// The digits of Crockford's base32, in lower case: no i, l, o or u, which are easily misread.
  /// They are in the order of their bytes, so ids have the order of their texts.
  private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  private static let length = 12

  /// The bits of the hash; less than 2^60.
  package let bits: UInt64

  /// Creates the id of the spot with an anchor.
  package init(coordinate: Coordinate, captured: Instant?) {
    var hash = FNV1a()
    for number in [
      Int64(saturating: (coordinate.latitude * 1e7).rounded()),
      Int64(saturating: (coordinate.longitude * 1e7).rounded()),
      captured?.millisecondsSince1970 ?? .min,
    ] {
      withUnsafeBytes(of: number.littleEndian) { hash.combine($0) }
    }
    bits = hash.mixed >> 4
  }

  /// Creates an id from its bits; all but the lowest 60 are ignored.
  package init(bits: UInt64) {
    self.bits = bits & (1 << 60 - 1)
  }

  /// Returns the range of ``bits`` of all ids whose text begins with a prefix; `nil` if the prefix
  /// is longer than an id or contains another character than base32 digits.
  package static func range(ofTextsStarting prefix: String) -> ClosedRange<UInt64>? {
    let digits = Array(prefix.utf8)
    guard digits.count <= length else { return nil }
    var bits: UInt64 = 0
    for digit in digits {
      guard let value = Self.digits.firstIndex(of: digit) else { return nil }
      bits = bits << 5 | UInt64(value)
    }
    let free = UInt64(5 * (length - digits.count))
    return bits << free...(bits << free | (1 << free - 1))
  }

  /// Parses an id from its text; `nil` if the text is not a valid id.
  init?(text: String) {
    guard text.utf8.count == Self.length else { return nil }
    var bits: UInt64 = 0
    for digit in text.utf8 {
      guard let value = Self.digits.firstIndex(of: digit) else { return nil }
      bits = bits << 5 | UInt64(value)
    }
    self.bits = bits
  }

  /// Whether the left id comes first; the order is that of the texts.
  package static func < (left: SpotID, right: SpotID) -> Bool { left.bits < right.bits }

  /// The id as text: twelve base32 digits.
  package var text: String {
    String(unsafeUninitializedCapacity: Self.length) { text in
      for place in 0..<Self.length {
        text[place] = Self.digits[Int(bits >> UInt64(5 * (Self.length - 1 - place)) & 31)]
      }
      return Self.length
    }
  }

  /// The first eight bytes of the text as a big-endian integer, which has the order of the texts.
  var textKey: UInt64 {
    var key: UInt64 = 0
    for place in 0..<8 {
      key = key << 8 | UInt64(Self.digits[Int(bits >> UInt64(5 * (Self.length - 1 - place)) & 31)])
    }
    return key
  }
}

extension SpotID: ColumnValue {
  static var typeName: String { "text" }
  var stored: Int64 { Int64(bitPattern: bits) }

  init(stored: Int64, rowCount: Int) {
    bits = UInt64(bitPattern: stored) & (1 << 60 - 1)
  }

  static func readColumn(
    from reader: inout JSONReader, count: Int
  ) throws(JSONError) -> [Int64] {
    let start = reader.offset
    var (texts, ends): ([UInt8], [Int32]) = ([], [])
    try reader.strings(onto: &texts, ends: &ends)
    var ids: [Int64] = []
    for (place, end) in ends.enumerated() {
      let first = place == 0 ? 0 : Int(ends[place - 1])
      guard let id = SpotID(text: String(decoding: texts[first..<Int(end)], as: UTF8.self)) else {
        throw JSONError(offset: start, reason: "an invalid id")
      }
      ids.append(id.stored)
    }
    return ids
  }

  static func writeColumn(
    _ values: ArraySlice<Int64>, to writer: inout JSONWriter, _ sink: IndexSink
  ) throws(Errno) {
    try writer.elements(values, to: sink) { writer, value in
      writer.string(SpotID(stored: value, rowCount: 0).text)
    }
  }
}
