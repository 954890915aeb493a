/// How a TIFF structure lays out its directories: TIFF 6.0, section 2, and the BigTIFF design of
/// libtiff (AWare Systems, 2007), whose counts and offsets are twice as wide.
///
/// Every offset that it gives out is checked to lie in the block.
struct TIFFLayout {
  /// Which of its kinds a structure is, by its magic number.
  enum Kind {
    case classic, big
    /// Olympus' ORF: `RO` or `RS` in place of 42.
    case olympus
    /// Panasonic's and Leica's RW2 and RWL: 0x55 in place of 42.
    case panasonic
  }

  /// A directory: where its first entry is, and how many there are.
  struct Table {
    let start: Int
    let count: Int
  }

  /// An entry's value.
  struct Value {
    let type: UInt16
    /// How many values of the type there are, at most as many as asked for.
    let count: Int
    /// Where they lie, as far as they are in the block.
    let range: Range<Int>
    /// Whether all that is asked for is in the block.
    let isWhole: Bool
  }

  let block: Range<Int>
  let order: ByteOrder
  let kind: Kind
  /// The offset of the image directory, which is unchecked as yet.
  let firstDirectory: UInt64

  /// Real directories have up to some hundred entries.
  private static let maximumEntries = 4096

  /// Reads the header of a block; `nil` where it does not begin with one.
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
    // The width of an offset and a reserved zero.
    guard block.count >= 16, try bytes.uint16(at: block.lowerBound + 4, order) == 8,
      try bytes.uint16(at: block.lowerBound + 6, order) == 0
    else { return nil }
    firstDirectory = try bytes.uint64(at: block.lowerBound + 8, order)
  }

  /// The directory at an offset; `nil` where it begins outside of the block, or has more entries
  /// than any real one.
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

  /// Where an entry of a directory is; `nil` where it runs out of the block.
  func entry(_ index: Int, of table: Table) -> Int? {
    let length = kind == .big ? 20 : 12
    let entry = table.start + index * length
    return entry + length <= block.upperBound ? entry : nil
  }

  /// The offset that an entry has for its value, of a directory for one.
  func pointer(
    at entry: Int, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> UInt64 {
    guard kind == .big else { return UInt64(try bytes.uint32(at: entry + 8, order)) }
    // 16 and 18 are eight bytes wide; 4 and 13 are four.
    let isWide = try [16, 18].contains(bytes.uint16(at: entry + 2, order))
    return isWide
      ? try bytes.uint64(at: entry + 12, order) : UInt64(try bytes.uint32(at: entry + 12, order))
  }

  /// The value of an entry; `nil` where it is empty or of an unknown type.
  func value(
    at entry: Int, upTo maximumLength: Int, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Value? {
    let type = try bytes.uint16(at: entry + 2, order)
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

  /// The length in bytes of one value of a type: TIFF 6.0, section 2; 13 is IFD of the TIFF
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
