import TestSupport

/// Small valid files of every kind, with all elements that are read.
enum Seeds {
  private typealias Entry = ExifBlock.Entry

  /// An EXIF block with every entry that is used.
  private static func block(isBigEndian: Bool = false) -> ExifBlock {
    let gps =
      ExifBlock.position(
        latitude: [(48, 1), (51, 1), (3024, 100)], "N",
        longitude: [(2, 1), (17, 1), (402, 10)], "E") + [
        Entry(5, .bytes([1])), Entry(6, .rationals([(43, 10)])),
        Entry(7, .rationals([(18, 1), (34, 1), (305, 10)])), Entry(0x10, .ascii("M")),
        Entry(0x11, .rationals([(900, 10)])), Entry(0x1D, .ascii("2024:04:13")),
        Entry(0x1F, .rationals([(5, 1)])),
      ]
    return ExifBlock(
      isBigEndian: isBigEndian,
      image: [
        Entry(0x10F, .ascii("Maker")), Entry(0x110, .ascii("A model")), Entry(0x112, .shorts([1])),
        Entry(0x4746, .shorts([5])),
      ],
      exif: [
        Entry(0x9003, .ascii("2024:04:13 20:34:30")), Entry(0x9004, .ascii("2024:04:13 20:34:31")),
        Entry(0x9011, .ascii("+02:00")), Entry(0x9291, .ascii("25")),
        Entry(0x920A, .rationals([(57, 10)])), Entry(0xA405, .shorts([28])),
      ],
      gps: gps)
  }

  private static let tiffBlock = block().tiff
  private static let photo = JPEGFile([.jfif, .exif(tiffBlock)])
  private static let packet = Array(
    XMPText.packet(
      attributes: #"exif:GPSLatitude="48,51.504N" xmp:Rating="5""#,
      elements: """
        <exif:GPSLongitude>2,17.67E</exif:GPSLongitude><exif:GPSAltitude>43/10</exif:GPSAltitude>
        <exif:DateTimeOriginal>2024-04-13T20:34:30.25+02:00</exif:DateTimeOriginal>
        """
    ).utf8)

  static let jpeg = [
    photo.bytes, JPEGFile(block(isBigEndian: true)).bytes,
    JPEGFile([.exif(tiffBlock), .application(2, length: 50), .xmp(text(packet))]).bytes,
    JPEGFile([.application(2, length: 20_000), .xmp(text(packet))]).bytes,
    JPEGFile([.exif(ExifBlock().tiff)] + extendedXMP + [.exif(tiffBlock)]).bytes,
  ]

  /// An XMP packet whose extension is split into parts.
  private static let extendedXMP: [JPEGFile.Part] = {
    let name = "0123456789ABCDEF0123456789ABCDEF"
    let pieces = stride(from: 0, to: packet.count, by: 200).map { start in
      JPEGFile.Part.extendedXMP(
        name, wholeLength: packet.count, offset: start, packet[start...].prefix(200))
    }
    let note = """
      xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="\(name)"
      exif:GPSLatitude="48N"
      """
    return [.xmp(attributes: note)] + pieces
  }()

  static let exif = [tiffBlock, block(isBigEndian: true).tiff]

  static let tiff: [[UInt8]] = {
    var (big, olympus, spread, withPacket) = (block(), block(), block(), block())
    big.isBigTIFF = true
    olympus.magic = 0x4F52
    spread.gap = 6000
    withPacket.image.append(
      Entry(0x02BC, .raw(type: 1, count: UInt32(packet.count), packet)))
    var panasonic = ExifBlock(
      image: [Entry(0x2E, .raw(type: 7, count: UInt32(photo.bytes.count), photo.bytes))])
    panasonic.magic = 0x55
    return [tiffBlock, block(isBigEndian: true).tiff]
      + [big, olympus, spread, withPacket, panasonic].map(\.tiff)
  }()

  static let heif: [[UInt8]] = {
    let halves = [Array(tiffBlock[..<50]), Array(tiffBlock[50...])]
    var inParts = HEIFFile([HEIFFile.Item("Exif", parts: [[0, 0, 0, 0]] + halves), .xmp(packet)])
    inParts.isInItemData = true
    inParts.locationVersion = 2
    inParts.entryVersion = 3
    var wide = HEIFFile([.exif(tiffBlock)])
    (wide.width, wide.hasBase) = (8, true)
    return [HEIFFile([.exif(tiffBlock), .xmp(packet)]).bytes, inParts.bytes, wide.bytes]
  }()

  static let cr3: [[UInt8]] = {
    let directories = [
      ("CMT1", ExifBlock(image: block().image)), ("CMT2", ExifBlock(image: block().exif ?? [])),
      ("CMT4", ExifBlock(image: block().gps ?? [])),
    ].map { Box($0, $1.tiff) }
    let canon = Box("uuid", userType: "85c0b687820f11e08111f4ce462b6a48", directories)
    let xmp = Box("uuid", userType: "be7acfcb97a942e89c71999491e3afac", packet)
    return [[Box.fileType("crx "), Box("moov", [canon]), xmp, Box("mdat", [1, 2, 3])].file]
  }()

  static let quickTime: [[UInt8]] = {
    let header = Box.movieHeader(created: 3_800_000_000)
    let texts = Box(
      "udta",
      [
        .userText("©xyz", "+485130.24+0021740.2+3/"), .userText("©mak", "Maker"),
        .userText("©day", "2023-11-14T23:00:00+0100"),
        .place(latitude: 1.5, longitude: 2.5, altitude: 3), Box("XMP_", packet),
      ])
    let keys = Box.metadata([
      ("com.apple.quicktime.location.ISO6709", "+1.5+2.5+3/"),
      ("com.apple.quicktime.creationdate", "2023-11-14T23:00:00+0100"),
      ("com.apple.quicktime.location.accuracy.horizontal", "4.5"),
    ])
    var behind = MovieFile([header, texts, keys])
    behind.mediaLength = 20_000
    var old = MovieFile([Box.movieHeader(created: 3_800_000_000, isLong: true), texts])
    old.brand = nil
    return [MovieFile([header, texts, keys]).bytes, behind.bytes, old.bytes]
  }()

  static let jpegXL = [
    [
      Box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]), Box("Exif", [0, 0, 0, 0] + tiffBlock),
      Box("xml ", packet), Box("jxlc", [1]),
    ].file,
    [
      Box("jP  ", [0x0D, 0x0A, 0x87, 0x0A]), Box.fileType("jp2 "),
      Box("uuid", userType: "4a70675469666645 7869662d3e4a5032", tiffBlock), Box("jp2c", [1]),
    ].file,
  ]

  static let png: [[UInt8]] = {
    let profile = Array("Raw profile type exif\0".utf8)
    let digits = PNGFile.profile("exif", tiffBlock)
    let app1 = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet
    let picture = (type: "IDAT", content: [UInt8](repeating: 7, count: 30))
    return [
      PNGFile([picture, picture, ("eXIf", tiffBlock)]).bytes,
      PNGFile([("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet)]).bytes,
      PNGFile([
        ("iTXt", Array("XML:com.adobe.xmp\0\u{1}\0\0\0".utf8) + PNGFile.stored(packet))
      ]).bytes,
      PNGFile([("tEXt", profile + digits)]).bytes,
      PNGFile([("zTXt", profile + [0] + PNGFile.stored(digits))]).bytes,
      PNGFile([("zTXt", profile + [0] + fixedCode), ("zTXt", profile + [0] + ownCode)]).bytes,
      PNGFile([
        ("tEXt", Array("Raw profile type APP1\0".utf8) + PNGFile.profile("APP1", app1))
      ]).bytes,
    ]
  }()

  /// The profile with a position, compressed by Python's zlib with the fixed Huffman code and with
  /// a dynamic one.
  private static let fixedCode = bytes(
    """
    7801e34aadc84ce352000143230b2e134b134ba3440303030b03083034303032b5b0303081b0c1428906a800
    266704c540c065920a9504099802b131846b0ad3648caac1c414c93024f55c6616a896191b205c06e61ba3f2
    530c0c9240b4990992034006c19d6f88aac1d208ca827a8b0b00e439350b
    """)
  private static let ownCode = bytes(
    """
    78da554fdb0d803008fc670a47b852dad0716ad4c40d1cdf3eb55c42e0a0470f3a9ffba2adc2b19224499c01
    283a1cc04115d2ebd6cab098331e5140728e616d8412bed33045de0a242ccb96f714d57ee6f13b6bdc5b7e00
    7bcd51160375d167df5941e2518db3e805e439350b
    """)

  static let webP = [
    WebPFile([("VP8X", [12, 0, 0, 0]), ("XMP ", packet), ("EXIF", tiffBlock)]).bytes,
    WebPFile([("VP8 ", [1, 2, 3]), ("EXIF", Array("Exif\0\0".utf8) + tiffBlock)]).bytes,
  ]

  static let raf = [CarrierFile.raf(photo.bytes)]
  static let gif = [CarrierFile.gif(packet)]
  static let psd = [
    PSDFile([
      PSDFile.Resource(1036, [1, 2, 3], name: "thumbnail"), PSDFile.Resource(1060, packet),
      PSDFile.Resource(1058, tiffBlock),
    ]).bytes
  ]
  static let mrw = [CarrierFile.mrw(block(isBigEndian: true).tiff)]
  static let x3f = [CarrierFile.x3f(photo.bytes)]
  static let exv = [CarrierFile.exv(photo)]
  static let bare = [[0xFF, 0x0A, 1, 2], [0xFF, 0x4F, 0xFF, 0x51, 1], CarrierFile.crw]

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue).map { UInt8($0) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
