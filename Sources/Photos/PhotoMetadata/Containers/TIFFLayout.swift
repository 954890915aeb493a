/// The binary layout of a TIFF structure: TIFF 6.0, section 2, and libtiff's BigTIFF design (AWare
/// Systems, 2007), with counts and offsets of twice the width.
///
/// Every offset that it returns is verified to be inside the block.
struct TIFFLayout {
  /// The variant of a structure, identified by its magic number.
  enum Kind {
    case classic, big
    /// Olympus' ORF: `RO` or `RS` in place of 42.
    case olympus
    /// Panasonic's and Leica's RW2 and RWL: 0x55 in place of 42.
    case panasonic
  }

  /// A directory: the offset of its first entry and the number of entries.
  struct Table {
    let start: Int
    let count: Int
  }

  /// An entry's value.
  struct Value {
    let type: UInt16
    /// The number of elements, limited to the requested length.
    let count: Int
    /// The range of the elements, clamped to the block.
    let range: Range<Int>
    /// Whether all requested elements are inside the block.
    let isWhole: Bool
  }

  let block: Range<Int>
  let order: ByteOrder
  let kind: Kind
  /// The offset of the image directory, not verified.
  let firstDirectory: UInt64

  /// The maximum number of entries; real directories have up to a few hundred.
  private static let maximumEntries = 4096

  /// Parses the header of a block; `nil` if it does not begin with one.
  init?(_ block: Range<Int>, of bytes: inout PhotoBytes) throws(PhotoBytesError) {
    guard block.count >= 8 else { return nil }
    self.block = block
    switch try bytes.uint32(at: block.lowerBound, .big) {
    case 0x4949_2A00: (order, kind) = (.little, .classic)
    case 0x4D4D_002A: (order, kind) = (.big, .classic)
    case 0x4949_2B00: (order, kind) = (.little, .big)
    case 0x4D4D_002B: (order, kind) = (.big, .big)
    case 0x4949_524F, 0x4949_5253: (order, kind) = (.little, .olympus)
    case 0x4D4D_4F52: (order, kind) = (.big, .olympus)
    case 0x4949_5500: (order, kind) = (.little, .panasonic)
    default: return nil
    }
    guard kind == .big else {
      firstDirectory = UInt64(try bytes.uint32(at: block.lowerBound + 4, order))
      return
    }
    // BigTIFF: the width of an offset and a reserved zero.
    guard block.count >= 16, try bytes.uint16(at: block.lowerBound + 4, order) == 8,
      try bytes.uint16(at: block.lowerBound + 6, order) == 0
    else { return nil }
    firstDirectory = try bytes.uint64(at: block.lowerBound + 8, order)
  }

  /// Reads the directory at an offset; `nil` if it begins outside the block or has more entries
  /// than any real directory.
  func directory(
    at offset: UInt64, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Table? {
    let countLength = kind == .big ? 8 : 2
    guard let start = place(offset, length: countLength) else { return nil }
    let count =
      kind == .big
      ? try bytes.uint64(at: start, order) : UInt64(try bytes.uint16(at: start, order))
    guard count <= Self.maximumEntries else { return nil }
    return Table(start: start + countLength, count: Int(count))
  }

  /// Returns the offset of a directory's entry; `nil` if it exceeds the block.
  func entry(_ index: Int, of table: Table) -> Int? {
    let length = kind == .big ? 20 : 12
    let entry = table.start + index * length
    return entry + length <= block.upperBound ? entry : nil
  }

  /// Reads an entry's offset field, such as a pointer to a directory.
  func pointer(
    at entry: Int, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> UInt64 {
    let field = kind == .big ? entry + 12 : entry + 8
    // Types 16 and 18 of BigTIFF have eight bytes; 4 and 13 have four; some programs write 3, with
    // two.
    switch try bytes.uint16(at: entry + 2, order) {
    case 16 where kind == .big, 18 where kind == .big: return try bytes.uint64(at: field, order)
    case 3: return UInt64(try bytes.uint16(at: field, order))
    default: return UInt64(try bytes.uint32(at: field, order))
    }
  }

  /// Returns the value of an entry; `nil` if it is empty or has an unknown type.
  func value(
    at entry: Int, upTo maximumLength: Int, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Value? {
    let written = try bytes.uint16(at: entry + 2, order)
    // The decoder does not know the type UTF-8, and reads ASCII as UTF-8.
    let type = written == Self.utf8Type ? Self.asciiType : written
    let (count, inline, room) =
      kind == .big
      ? (try bytes.uint64(at: entry + 4, order), entry + 12, 8)
      : (UInt64(try bytes.uint32(at: entry + 4, order)), entry + 8, 4)
    guard let unit = Self.length(ofType: type), count > 0 else { return nil }
    let taken = Int(min(count, UInt64(maximumLength / unit)))
    if count <= UInt64(room / unit) {
      return Value(type: type, count: taken, range: inline..<inline + taken * unit, isWhole: true)
    }
    let offset =
      kind == .big
      ? try bytes.uint64(at: inline, order) : UInt64(try bytes.uint32(at: inline, order))
    let start = place(offset, length: 0) ?? block.upperBound
    let end = min(start + taken * unit, block.upperBound)
    return Value(
      type: type, count: taken, range: start..<end, isWhole: end - start == taken * unit)
  }

  private func place(_ offset: UInt64, length: Int) -> Int? {
    guard length <= block.count, offset <= UInt64(block.count - length) else { return nil }
    return block.lowerBound + Int(offset)
  }

  private static let asciiType: UInt16 = 2
  /// Text in UTF-8: EXIF 3.0, section 4.6.2.
  private static let utf8Type: UInt16 = 129

  /// Returns the size in bytes of an element of a type: TIFF 6.0, section 2; 13 is IFD of TIFF
  /// Technical Note 1.
  private static func length(ofType type: UInt16) -> Int? {
    switch type {
    case 1, 2, 6, 7: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12: 8
    default: nil
    }
  }
}
