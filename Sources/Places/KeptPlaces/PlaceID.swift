import Encodings

/// The id of a place: 80 bits, written as 16 digits of Crockford's base32 in lower case, which has
/// no i, l, o or u. A spot's id has 12 of the same digits.
public struct PlaceID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The digits in ascending order of their character codes, so that ids are ordered like their
  /// texts.
  private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  /// The number of digits.
  public static let length = 16
  /// The number of digits in each half; each digit has five bits.
  private static let halfLength = 8
  private static let mask: UInt64 = 1 << 40 - 1

  private let first: UInt64
  private let last: UInt64

  private init(first: UInt64, last: UInt64) {
    (self.first, self.last) = (first & Self.mask, last & Self.mask)
  }

  /// Creates a random id with a generator.
  public static func random(
    using generator: inout some RandomNumberGenerator
  ) -> PlaceID {
    PlaceID(first: generator.next(), last: generator.next())
  }

  /// Creates a random id.
  public static func random() -> PlaceID {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  /// Creates an id that is always the same for the same bytes, for a place that may be imported
  /// repeatedly.
  public init(hashing bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    var hash = FNV1a()
    hash.combine(bytes)
    let first = hash.mixed
    hash.combine(0xFF)
    hash.combine(bytes)
    self.init(first: first, last: hash.mixed)
  }

  /// Parses an id; returns `nil` where the text is malformed.
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

  /// Parses an id; returns `nil` where the text is malformed.
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

  /// Compares ids in the order of their texts.
  public static func < (left: PlaceID, right: PlaceID) -> Bool {
    left.first != right.first ? left.first < right.first : left.last < right.last
  }
}
