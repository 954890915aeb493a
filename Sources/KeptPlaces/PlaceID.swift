import Codecs

/// The name of a place: 80 bits, written as 16 digits of Crockford's base32 in lower case, which
/// has no i, l, o or u. A spot's id has 12 of the same digits.
public struct PlaceID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The digits in the order of their bytes, so that ids have the order of their texts.
  private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  /// The number of digits.
  public static let length = 16
  /// Each half has so many digits, and five bits for each.
  private static let halfLength = 8
  private static let mask: UInt64 = 1 << 40 - 1

  private let first: UInt64
  private let last: UInt64

  private init(first: UInt64, last: UInt64) {
    (self.first, self.last) = (first & Self.mask, last & Self.mask)
  }

  /// Creates the id of a new place.
  public static func random(
    using generator: inout some RandomNumberGenerator
  ) -> PlaceID {
    PlaceID(first: generator.next(), last: generator.next())
  }

  /// Creates the id of a new place.
  public static func random() -> PlaceID {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  /// Creates an id that is always the same for the same bytes, for a place that is read from a file
  /// again and again.
  public init(hashing bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    var hash = FNV1a()
    hash.combine(bytes)
    let first = hash.mixed
    hash.combine(0xFF)
    hash.combine(bytes)
    self.init(first: first, last: hash.mixed)
  }

  /// Reads an id; `nil` where the text is none.
  public init?(_ text: some Collection<UInt8>) {
    guard text.count == Self.length else { return nil }
    var (halves, place): ((UInt64, UInt64), Int) = ((0, 0), 0)
    for byte in text {
      let value = Self.values[Int(byte)]
      guard value < 32 else { return nil }
      if place < Self.halfLength {
        halves.0 = halves.0 << 5 | UInt64(value)
      } else {
        halves.1 = halves.1 << 5 | UInt64(value)
      }
      place += 1
    }
    self.init(first: halves.0, last: halves.1)
  }

  /// Reads an id; `nil` where the text is none.
  public init?(_ text: String) { self.init(text.utf8) }

  /// The sixteen digits.
  public var description: String {
    String(unsafeUninitializedCapacity: Self.length) { text in
      for place in 0..<Self.halfLength {
        let shift = UInt64(5 * (Self.halfLength - 1 - place))
        text[place] = Self.digits[Int(first >> shift & 31)]
        text[place + Self.halfLength] = Self.digits[Int(last >> shift & 31)]
      }
      return Self.length
    }
  }

  /// The order of the texts.
  public static func < (left: PlaceID, right: PlaceID) -> Bool {
    left.first != right.first ? left.first < right.first : left.last < right.last
  }
}
