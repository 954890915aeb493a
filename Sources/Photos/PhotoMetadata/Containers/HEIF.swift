/// A locator of the metadata items in HEIF files: ISO/IEC 23008-12, annex A; ISO/IEC 14496-12,
/// sections 8.11.3 (`iloc`), 8.11.6 (`iinf`) and 8.11.11 (`idat`).
enum HEIF {
  /// Locates the first EXIF item and the first XMP item listed in a `meta` box.
  ///
  /// - Returns: Whether the box contains a list of items.
  static func locate(
    in meta: ISOBox, of bytes: inout PhotoBytes, _ blocks: inout MetadataBlocks
  ) throws(PhotoBytesError) -> Bool {
    var items = Items()
    var locations: ISOBox?
    var itemData: Range<Int>?
    var boxes = ISOBoxes(in: meta.content.dropFirst(4))
    while let box = try boxes.next(in: &bytes) {
      switch box.type {
      case "iinf": try items.read(box, of: &bytes)
      case "iloc": locations = locations ?? box
      case "idat": itemData = itemData ?? box.content
      default: break
      }
    }
    guard let locations else {
      items.noteUnlocated([:], isDamaged: blocks.damage != nil, &blocks)
      return items.isPresent
    }
    var reader = LocationReader(
      wanted: [items.exif, items.xmp], itemData: itemData, fileLength: bytes.count)
    if try !reader.read(locations, of: &bytes) { blocks.damage = "the items' places are damaged" }
    if let item = items.exif, let extents = reader.extents[item], !extents.isEmpty,
      blocks.exif == nil
    {
      blocks.exif = try exifBlock(in: extents, of: &bytes, &blocks)
      if blocks.exif == nil, reader.isCut { blocks.damage = "the file ends within its metadata" }
    }
    if let item = items.xmp, let extents = reader.extents[item], !extents.isEmpty {
      let packet = MetadataBlocks.Block.ranges(extents)
      if items.xmpEncoding.isEmpty {
        blocks.keep(packet: packet)
      } else if let plain = try CompressedPacket.plain(
        packet, items.xmpEncoding, of: &bytes, &blocks)
      {
        blocks.keep(packet: .bytes(plain))
      }
    }
    items.noteUnlocated(reader.extents, isDamaged: blocks.damage != nil, &blocks)
    return items.isPresent
  }

  /// Locates the EXIF block in an item, which is assembled first if it has several extents.
  private static func exifBlock(
    in extents: [Range<Int>], of bytes: inout PhotoBytes, _ blocks: inout MetadataBlocks
  ) throws(PhotoBytesError) -> MetadataBlocks.Block? {
    if extents.count == 1 {
      return try ISOMedia.exifBlock(in: extents[0], hasOffset: true, of: &bytes, &blocks)
        .map { .range($0) }
    }
    guard let item = try joined(extents, of: &bytes) else {
      blocks.skip("EXIF block", "it is longer than 1 MiB in several parts")
      return nil
    }
    var memory = PhotoBytes()
    memory.open(item)
    return try ISOMedia.exifBlock(in: item.indices, hasOffset: true, of: &memory, &blocks)
      .map { .bytes(Array(item[$0])) }
  }

  /// Returns the bytes of all extents; `nil` if they are too long.
  private static func joined(
    _ extents: [Range<Int>], of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> [UInt8]? {
    var item: [UInt8] = []
    // Extents may overlap, but their total length must not exceed that of the file.
    let limit = min(ISOMedia.maximumBlockLength, bytes.count)
    for extent in extents {
      guard extent.count <= limit - item.count else { return nil }
      item += try bytes.bytes(at: extent.lowerBound, count: extent.count)
    }
    return item
  }

  /// The numbers of the items that contain metadata.
  private struct Items {
    var exif: UInt64?
    var xmp: UInt64?
    /// The compression of the XMP item: ISO/IEC 14496-12, section 8.11.6, `content_encoding`.
    var xmpEncoding: [UInt8] = []
    /// Whether the `meta` box contains a list of items (`iinf`).
    var isPresent = false

    mutating func read(
      _ box: ISOBox, of bytes: inout PhotoBytes
    ) throws(PhotoBytesError) {
      isPresent = true
      var fields = ISOFields(in: box.content)
      guard let version = try fields.number(1, of: &bytes), fields.skip(3),
        fields.skip(version == 0 ? 2 : 4)
      else { return }
      var entries = ISOBoxes(in: fields.rest)
      while exif == nil || xmp == nil, let entry = try entries.next(in: &bytes) {
        if entry.type == "infe" { try readEntry(entry, of: &bytes) }
      }
    }

    /// Stores the number of an item with EXIF or XMP, according to its entry (`infe`).
    private mutating func readEntry(
      _ entry: ISOBox, of bytes: inout PhotoBytes
    ) throws(PhotoBytesError) {
      var fields = ISOFields(in: entry.content)
      guard let version = try fields.number(1, of: &bytes), version <= 3, fields.skip(3),
        let item = try fields.number(version == 3 ? 4 : 2, of: &bytes), fields.skip(2)
      else { return }
      // Versions 0 and 1 have no item type, but all items have a content type.
      var type: FourCharacterCode = "mime"
      if version >= 2 {
        guard let code = try fields.number(4, of: &bytes) else { return }
        type = FourCharacterCode(UInt32(code))
      }
      if type == "Exif" {
        exif = exif ?? item
      } else if type == "mime", try fields.text(of: &bytes) != nil,
        let contentType = try fields.text(of: &bytes),
        contentType.elementsEqual("application/rdf+xml".utf8), xmp == nil
      {
        xmp = item
        xmpEncoding = try fields.text(of: &bytes) ?? []
      }
    }

    /// Notes the items with metadata whose places are not in this file, or in another item.
    func noteUnlocated(
      _ extents: [UInt64: [Range<Int>]], isDamaged: Bool, _ blocks: inout MetadataBlocks
    ) {
      // The damage says so.
      guard !isDamaged else { return }
      for (name, item) in [("EXIF block", exif), ("XMP packet", xmp)] {
        guard let item, extents[item] == nil else { continue }
        blocks.skip(name, "its item has no place in this file")
      }
    }
  }
}

/// A parser of item locations.
private struct LocationReader {
  let wanted: [UInt64?]
  let itemData: Range<Int>?
  let fileLength: Int
  /// The extents of the wanted items.
  private(set) var extents: [UInt64: [Range<Int>]] = [:]
  /// Whether an extent of a wanted item exceeds the file or box that contains it.
  private(set) var isCut = false

  /// The maximum number of extents per item; real items have one, rarely a few.
  private static let maximumExtents = 1024

  init(wanted: [UInt64?], itemData: Range<Int>?, fileLength: Int) {
    (self.wanted, self.itemData, self.fileLength) = (wanted, itemData, fileLength)
  }

  /// The widths in bytes of the numbers in an entry.
  private struct Widths {
    var version: UInt64
    var offset: Int
    var length: Int
    var base: Int
    var index: Int
  }

  /// Parses an `iloc` box; returns `false` if it, or the location of a wanted item, is malformed.
  mutating func read(
    _ box: ISOBox, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Bool {
    var fields = ISOFields(in: box.content)
    guard let version = try fields.number(1, of: &bytes), version <= 2, fields.skip(3),
      let widths = try fields.number(2, of: &bytes).map({ Int($0) }),
      let count = try fields.number(version == 2 ? 4 : 2, of: &bytes)
    else { return false }
    let parts = Widths(
      version: version, offset: widths >> 12, length: widths >> 8 & 15, base: widths >> 4 & 15,
      index: version == 0 ? 0 : widths & 15)
    guard [parts.offset, parts.length, parts.base, parts.index].allSatisfy({ $0 <= 8 }) else {
      return false
    }
    for _ in 0..<count {
      // Each entry has at least six bytes, so the box limits the loop even if the count is wrong.
      guard try readItem(&fields, parts, of: &bytes) else { return false }
      if wanted.allSatisfy({ $0 == nil || extents[$0 ?? 0] != nil }) { break }
    }
    return true
  }

  /// Parses the location of an item; returns `false` if it is malformed.
  private mutating func readItem(
    _ fields: inout ISOFields, _ widths: Widths, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Bool {
    guard let item = try fields.number(widths.version == 2 ? 4 : 2, of: &bytes),
      let method = widths.version == 0 ? 0 : try fields.number(2, of: &bytes).map({ $0 & 15 }),
      let reference = try fields.number(2, of: &bytes),
      let base = try fields.number(widths.base, of: &bytes),
      let count = try fields.number(2, of: &bytes).map({ Int($0) })
    else { return false }
    let width = widths.index + widths.offset + widths.length
    let source = method == 0 ? 0..<fileLength : method == 1 ? itemData : nil
    // Items stored in other files or in other items are skipped.
    guard wanted.contains(item), extents[item] == nil, reference == 0, let source,
      (1...Self.maximumExtents).contains(count)
    else { return fields.skip(count * width) }
    var found: [Range<Int>] = []
    for _ in 0..<count {
      guard fields.skip(widths.index), let offset = try fields.number(widths.offset, of: &bytes),
        let length = try fields.number(widths.length, of: &bytes),
        let extent = extent(base: base, offset: offset, length: length, in: source)
      else { return false }
      if !extent.isEmpty { found.append(extent) }
    }
    extents[item] = found
    return true
  }

  /// Returns an extent, clamped to the data that contains it; `nil` if it begins beyond the end.
  ///
  /// A length of 0 means all of the data. With an offset, it is that of an item that ExifTool
  /// deleted.
  private mutating func extent(
    base: UInt64, offset: UInt64, length: UInt64, in source: Range<Int>
  ) -> Range<Int>? {
    let (start, isOverflow) = base.addingReportingOverflow(offset)
    if length == 0, start != 0 { return source.prefix(0) }
    guard !isOverflow, start < UInt64(source.count) else { return nil }
    let available = source.dropFirst(Int(start))
    isCut = isCut || length > UInt64(available.count)
    return length == 0 || length > UInt64(available.count)
      ? available : available.prefix(Int(length))
  }
}
