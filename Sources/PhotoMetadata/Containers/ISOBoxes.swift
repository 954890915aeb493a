/// The four characters that name a box or a brand: ISO/IEC 14496-12, section 4.2.
struct FourCharacterCode: Hashable, ExpressibleByStringLiteral {
  let number: UInt32

  init(_ number: UInt32) { self.number = number }

  /// Creates a code from its four characters, each of which is a byte: `©` is 0xA9, as in Mac OS
  /// Roman.
  init(stringLiteral text: StaticString) {
    number = text.withUTF8Buffer { characters in
      // The lead byte of the UTF-8 form of U+0080–U+00BF.
      unsafe characters.reduce(0) { $1 == 0xC2 ? $0 : $0 << 8 | UInt32($1) }
    }
  }
}

/// The 16 bytes that name a box of type `uuid`.
struct UserType: Hashable {
  let high: UInt64
  let low: UInt64

  /// An XMP packet: XMP specification part 3, sections 1.1.4 and 1.2.
  static let xmp = UserType(high: 0xBE7A_CFCB_97A9_42E8, low: 0x9C71_9994_91E3_AFAC)
  /// The boxes in which Canon's CR3 files have their metadata.
  static let canon = UserType(high: 0x85C0_B687_820F_11E0, low: 0x8111_F4CE_462B_6A48)
  /// A TIFF structure in JPEG 2000: `JpgTiffExif->JP2`.
  static let jpeg2000Exif = UserType(high: 0x4A70_6754_6966_6645, low: 0x7869_662D_3E4A_5032)
}

/// A box of an ISO base media file.
struct ISOBox {
  /// Its kind.
  let type: FourCharacterCode
  /// Its kind, where ``type`` is `uuid`.
  let userType: UserType?
  /// What follows its header, as far as it lies in the box around it.
  let content: Range<Int>
  /// Whether all of it lies in the box around it.
  let isWhole: Bool
}

/// The boxes that lie side by side in a file or in another box: ISO/IEC 14496-12, section 4.2.
///
/// A box never reaches beyond what it lies in, and takes eight bytes at least, so any walk ends.
struct ISOBoxes {
  /// Whether the walk ended at a box whose size cannot be.
  private(set) var isDamaged = false
  private var rest: Range<Int>
  private var boxesLeft = 65_536

  /// Creates a walk over the boxes in a part of a file.
  init(in range: Range<Int>) { rest = range }

  /// Returns the next box; `nil` where there are no more. Fewer than eight bytes at the end are
  /// none: QuickTime ends user data with a zero.
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
    // A size of 0 means that the box is the last one.
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

/// The fields of a box, read one after another and never beyond its end.
struct ISOFields {
  /// What was not read yet.
  private(set) var rest: Range<Int>

  /// Creates a reader of the fields in a part of a file.
  init(in range: Range<Int>) { rest = range }

  /// Returns a number of up to eight bytes, the highest first; `nil` where the box ends before.
  mutating func number(
    _ width: Int, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> UInt64? {
    guard width <= min(8, rest.count) else { return nil }
    let value = try bytes.bytes(at: rest.lowerBound, count: width)
      .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    rest = rest.dropFirst(width)
    return value
  }

  /// Passes over bytes; false where the box ends before.
  mutating func skip(_ count: Int) -> Bool {
    guard count >= 0, count <= rest.count else { return false }
    rest = rest.dropFirst(count)
    return true
  }

  /// Returns the bytes before the next NUL and passes over both; `nil` where there is none within
  /// `limit` bytes.
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
