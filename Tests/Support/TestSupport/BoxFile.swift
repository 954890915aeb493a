/// A box of an ISO/IEC 14496-12 file, valid or malformed.
public struct Box: Sendable {
  /// The encoding of a box's size.
  public enum Size: Sendable {
    /// A correct 32-bit size.
    case short
    /// A correct 64-bit size.
    case long
    /// The size 0: the box extends to the end of its container.
    case toEnd
    /// A given 32-bit size, which may be wrong.
    case claimed(UInt32)
    /// A given 64-bit size, which may be wrong.
    case claimedLong(UInt64)
  }

  /// The bytes of the box.
  public let bytes: [UInt8]

  /// Creates a box.
  ///
  /// - Parameters:
  ///   - type: The type: four characters, each of which is one byte.
  ///   - userType: The extended type of a `uuid` box, in hexadecimal.
  ///   - size: The encoding of its size.
  ///   - content: The content.
  public init(_ type: String, userType: String = "", size: Size = .short, _ content: [UInt8]) {
    let name = type.unicodeScalars.map { UInt8($0.value) } + Self.hexadecimal(userType)
    let length = UInt32(name.count + content.count)
    let extra = Array(name.dropFirst(4))
    bytes =
      switch size {
      case .short: Self.number(length + 4) + name + content
      case .long:
        Self.number(UInt32(1)) + name[..<4] + Self.number(UInt64(length + 12)) + extra + content
      case .toEnd: Self.number(UInt32(0)) + name + content
      case .claimed(let size): Self.number(size) + name + content
      case .claimedLong(let size):
        Self.number(UInt32(1)) + name[..<4] + Self.number(size) + extra + content
      }
  }

  /// Creates a box that contains other boxes.
  public init(_ type: String, userType: String = "", size: Size = .short, _ boxes: [Box]) {
    self.init(type, userType: userType, size: size, boxes.flatMap(\.bytes))
  }

  /// Creates a box that begins with a version and flags.
  public static func full(_ type: String, version: UInt8 = 0, _ content: [UInt8]) -> Box {
    Box(type, [version, 0, 0, 0] + content)
  }

  /// Creates the `ftyp` box at the start of a file.
  public static func fileType(_ major: String, _ compatible: String...) -> Box {
    Box("ftyp", Array(major.utf8) + [0, 0, 0, 0] + compatible.flatMap { Array($0.utf8) })
  }

  /// Returns a number in big-endian byte order.
  public static func number(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  private static func hexadecimal(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }
}

extension [Box] {
  /// The bytes of a file of these boxes.
  public var file: [UInt8] { flatMap(\.bytes) }
}

/// A builder of HEIF files without a picture.
public struct HEIFFile: Sendable {
  /// An item of the file.
  public struct Item: Sendable {
    /// Its type: four characters.
    public var type: String
    /// Its content type, where its type is `mime`.
    public var contentType = ""
    /// Its compression, where its type is `mime`.
    public var contentEncoding = ""
    /// The parts of its data.
    public var parts: [[UInt8]]

    /// Creates an item.
    public init(_ type: String, contentType: String = "", parts: [[UInt8]]) {
      (self.type, self.contentType, self.parts) = (type, contentType, parts)
    }

    /// Creates an EXIF block with the offset of its header and a prefix before it.
    public static func exif(_ tiff: [UInt8], offset: UInt32 = 6, prefix: String = "Exif\0\0")
      -> Item
    {
      Item("Exif", parts: [Box.number(offset) + Array(prefix.utf8) + tiff])
    }

    /// An XMP packet.
    public static func xmp(_ packet: [UInt8]) -> Item {
      Item("mime", contentType: "application/rdf+xml", parts: [packet])
    }
  }

  /// The items.
  public var items: [Item]
  /// The major brand.
  public var brand = "heic"
  /// The version of the item information boxes. Item ids have 32 bits from version 3.
  public var entryVersion: UInt8 = 2
  /// The version of the item location box.
  public var locationVersion: UInt8 = 1
  /// Whether item data is stored in the `idat` box instead of the file.
  public var isInItemData = false
  /// The width of offsets and lengths: 4 or 8.
  public var width = 4
  /// Whether offsets are counted from a base.
  public var hasBase = false
  /// The data reference index of the file that contains the items; 0 is this file.
  public var dataReference: UInt16 = 0

  /// Creates a file.
  public init(_ items: [Item]) { self.items = items }

  /// The content of the file.
  public var bytes: [UInt8] {
    let type = Box.fileType(brand, "mif1", brand)
    // The length does not depend on the offsets.
    let metaLength = meta(dataStart: 0).bytes.count
    let media = Box("mdat", data)
    let dataStart = isInItemData ? 0 : type.bytes.count + metaLength + 8
    let boxes = [type, meta(dataStart: dataStart)]
    return (isInItemData ? boxes : boxes + [media]).file
  }

  /// The item data, with a filler byte before each part.
  private var data: [UInt8] { items.flatMap { $0.parts.flatMap { [0xFE] + $0 } } }

  private func meta(dataStart: Int) -> Box {
    let handler = Box.full(
      "hdlr", [0, 0, 0, 0] + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
    let boxes = [handler, informations, locations(dataStart: dataStart)]
    return Box.full("meta", (isInItemData ? boxes + [Box("idat", data)] : boxes).file)
  }

  private func id(_ index: Int, isWide: Bool) -> [UInt8] {
    isWide ? Box.number(UInt32(index + 1)) : Box.number(UInt16(index + 1))
  }

  private var informations: Box {
    let entries = items.indices.map { index in
      let item = items[index]
      var content = id(index, isWide: entryVersion == 3) + [0, 0]
      if entryVersion >= 2 { content += Array(item.type.utf8) }
      content += Array("name\0".utf8)
      if item.type == "mime" || entryVersion < 2 {
        content += Array((item.contentType + "\0" + item.contentEncoding + "\0").utf8)
      }
      return Box.full("infe", version: entryVersion, content)
    }
    let count =
      entryVersion == 3 ? Box.number(UInt32(items.count)) : Box.number(UInt16(items.count))
    return Box.full("iinf", version: entryVersion == 3 ? 1 : 0, count + entries.file)
  }

  private func sized(_ number: Int) -> [UInt8] {
    width == 8 ? Box.number(UInt64(number)) : Box.number(UInt32(number))
  }

  private func locations(dataStart: Int) -> Box {
    let isWide = locationVersion == 2
    let width = UInt8(self.width)
    var content = [width << 4 | width, (hasBase ? width << 4 : 0)]
    content += isWide ? Box.number(UInt32(items.count)) : Box.number(UInt16(items.count))
    let base = hasBase ? min(dataStart, 7) : 0
    var offset = dataStart - base
    for (index, item) in items.enumerated() {
      content += id(index, isWide: isWide)
      if locationVersion > 0 { content += [0, isInItemData ? 1 : 0] }
      content += Box.number(dataReference)
      if hasBase { content += sized(base) }
      content += Box.number(UInt16(item.parts.count))
      for part in item.parts {
        content += sized(offset + 1) + sized(part.count)
        offset += part.count + 1
      }
    }
    return Box.full("iloc", version: locationVersion, content)
  }
}
