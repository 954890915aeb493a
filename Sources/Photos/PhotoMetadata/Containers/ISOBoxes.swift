/// A four-character code that identifies a box or brand: ISO/IEC 14496-12, section 4.2.
struct FourCharacterCode: Hashable, ExpressibleByStringLiteral {
  let number: UInt32

  init(_ number: UInt32) { self.number = number }

  /// Creates a code from four characters, each of which is one byte: `©` is 0xA9, as in Mac OS
  /// Roman.
  init(stringLiteral text: StaticString) {
    number = text.withUTF8Buffer { characters in
      // Skips the lead byte of U+0080–U+00BF in UTF-8.
      unsafe characters.reduce(0) { $1 == 0xC2 ? $0 : $0 << 8 | UInt32($1) }
    }
  }
}

/// The 16-byte identifier of a box of type `uuid`.
struct UserType: Hashable {
  let high: UInt64
  let low: UInt64

  /// An XMP packet: XMP specification part 3, sections 1.1.4 and 1.2.
  static let xmp = UserType(high: 0xBE7A_CFCB_97A9_42E8, low: 0x9C71_9994_91E3_AFAC)
  /// The boxes with the metadata of Canon's CR3 files.
  static let canon = UserType(high: 0x85C0_B687_820F_11E0, low: 0x8111_F4CE_462B_6A48)
  /// A TIFF structure in JPEG 2000: `JpgTiffExif->JP2`.
  static let jpeg2000Exif = UserType(high: 0x4A70_6754_6966_6645, low: 0x7869_662D_3E4A_5032)
}

/// A box in an ISO base media file.
struct ISOBox {
  /// The type.
  let type: FourCharacterCode
  /// The extended type, if ``type`` is `uuid`.
  let userType: UserType?
  /// The range after the header, clamped to the enclosing box.
  let content: Range<Int>
  /// Whether the box ends within the enclosing box.
  let isWhole: Bool
}

/// A sequence of sibling boxes in a file or in another box: ISO/IEC 14496-12, section 4.2.
///
/// A box is clamped to its parent and has at least eight bytes, so an iteration always terminates.
struct ISOBoxes {
  /// Whether the iteration stopped at a box with an impossible size.
  private(set) var isDamaged = false
  private var rest: Range<Int>
  private var boxesLeft = 65_536

  /// Creates an iteration over the boxes in a range of a file.
  init(in range: Range<Int>) { rest = range }

  /// Returns the next box; `nil` at the end.
  ///
  /// Fewer than eight remaining bytes are ignored: QuickTime ends user data with a zero.
  mutating func next(in bytes: inout PhotoBytes) throws(PhotoBytesError) -> ISOBox? {
    guard rest.count >= 8, boxesLeft > 0 else { return nil }
    boxesLeft -= 1
    var fields = ISOFields(in: rest)
    guard let shortSize = try fields.number(4, of: &bytes),
      let type = try fields.number(4, of: &bytes).map({ FourCharacterCode(UInt32($0)) }),
      let size = shortSize == 1 ? try fields.number(8, of: &bytes) : shortSize
    else { return end() }
    var userType: UserType?
    if type == "uuid" {
      guard let high = try fields.number(8, of: &bytes), let low = try fields.number(8, of: &bytes)
      else { return end() }
      userType = UserType(high: high, low: low)
    }
    // A size of 0 means that the box extends to the end.
    let length = shortSize == 0 ? UInt64(rest.count) : size
    guard length >= UInt64(fields.rest.lowerBound - rest.lowerBound) else { return end() }
    let isWhole = length <= UInt64(rest.count)
    let upperBound = isWhole ? rest.lowerBound + Int(length) : rest.upperBound
    rest = upperBound..<rest.upperBound
    return ISOBox(
      type: type, userType: userType, content: fields.rest.lowerBound..<upperBound,
      isWhole: isWhole)
  }

  private mutating func end() -> ISOBox? {
    isDamaged = true
    rest = rest.upperBound..<rest.upperBound
    return nil
  }
}

/// A cursor over the fields of a box, which never reads beyond its end.
struct ISOFields {
  /// The range not read yet.
  private(set) var rest: Range<Int>

  /// Creates a cursor over a range of a file.
  init(in range: Range<Int>) { rest = range }

  /// Reads a big-endian number of up to eight bytes; `nil` if too few bytes remain.
  mutating func number(
    _ width: Int, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> UInt64? {
    guard width <= min(8, rest.count) else { return nil }
    let value = try bytes.bytes(at: rest.lowerBound, count: width)
      .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    rest = rest.dropFirst(width)
    return value
  }

  /// Skips bytes; returns `false` if too few remain.
  mutating func skip(_ count: Int) -> Bool {
    guard count >= 0, count <= rest.count else { return false }
    rest = rest.dropFirst(count)
    return true
  }

  /// Reads the bytes up to the next NUL and skips the NUL; `nil` if there is none within `limit`
  /// bytes.
  mutating func text(
    limit: Int = 1024, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> [UInt8]? {
    let available = try bytes.bytes(at: rest.lowerBound, count: min(limit, rest.count))
    guard let end = available.firstIndex(of: 0) else { return nil }
    let text = Array(available[..<end])
    rest = rest.dropFirst(text.count + 1)
    return text
  }
}
