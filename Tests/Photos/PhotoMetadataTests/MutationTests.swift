import CivilTime
import PhotoMetadata
import Spatial
import TestSupport
import Testing

@Suite struct MutationTests {
  private let files: [[UInt8]] = [true, false].flatMap { isBigEndian in
    let block = ExifBlock(
      isBigEndian: isBigEndian,
      image: [
        Entry(0x10F, .ascii("Maker")), Entry(0x110, .ascii("A model")), Entry(0x112, .shorts([1])),
        Entry(0x4746, .shorts([5])),
      ],
      exif: [
        Entry(0x9003, .ascii("2024:04:13 20:34:30")), Entry(0x9011, .ascii("+02:00")),
        Entry(0x9291, .ascii("25")),
      ],
      gps: somewhere + [
        Entry(5, .bytes([1])), Entry(6, .rationals([(43, 10)])), Entry(0x10, .ascii("M")),
        Entry(7, .rationals([(18, 1), (34, 1), (30, 1)])), Entry(0x1D, .ascii("2024:04:13")),
        Entry(0x11, .rationals([(900, 10)])), Entry(0x1F, .rationals([(5, 1)])),
      ])
    let xmp = JPEGFile.Part.xmp(
      attributes: #"exif:GPSLatitude="48,51.504N" xmp:Rating="5""#,
      elements: "<exif:GPSLongitude>2,17.67E</exif:GPSLongitude>")
    var big = block
    big.isBigTIFF = true
    var panasonic = ExifBlock(
      image: [Entry(0x2E, .raw(type: 7, count: 5000, JPEGFile(block).bytes))])
    panasonic.magic = 0x55
    let packet = Array(XMPText.packet(attributes: #"exif:GPSLatitude="48,51N""#).utf8)
    let profile = Array("Raw profile type exif\0\0".utf8)
    return [
      block.tiff, big.tiff, panasonic.tiff,
      PNGFile([
        ("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet),
        ("zTXt", profile + PNGFile.stored(PNGFile.profile("exif", block.tiff))),
        ("IDAT", [1, 2, 3]), ("IDAT", [4, 5, 6]), ("eXIf", block.tiff),
      ]).bytes,
      WebPFile([("VP8X", [12, 0, 0, 0]), ("XMP ", packet), ("EXIF", block.tiff)]).bytes,
      JPEGFile([.jfif, .exif(block.tiff)]).bytes,
      JPEGFile([.exif(block.tiff), .application(2, length: 50), xmp]).bytes,
      JPEGFile([xmp]).bytes, extended(block),
      PSDFile([
        PSDFile.Resource(1036, [1, 2, 3], name: "thumbnail"), PSDFile.Resource(1060, packet),
        PSDFile.Resource(1058, block.tiff),
      ]).bytes,
    ] + Self.boxed(block)
  }

  /// A JPEG file with two EXIF blocks and an XMP packet in pieces.
  private static func extended(_ block: ExifBlock) -> [UInt8] {
    let name = "0123456789ABCDEF0123456789ABCDEF"
    let whole = Array(XMPText.packet(attributes: #"exif:GPSLongitude="2E""#).utf8)
    let pieces = stride(from: 0, to: whole.count, by: 100).map { start in
      JPEGFile.Part.extendedXMP(
        name, wholeLength: whole.count, offset: start, whole[start...].prefix(100))
    }
    let packet = JPEGFile.Part.xmp(
      attributes: """
        xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="\(name)"
        exif:GPSLatitude="48N"
        """)
    return JPEGFile([.exif(ExifBlock().tiff), packet] + pieces + [.exif(block.tiff)]).bytes
  }

  /// The files that are built of boxes.
  private static func boxed(_ block: ExifBlock) -> [[UInt8]] {
    let packet = Array("<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>".utf8)
    let halves = [Array(block.tiff[..<50]), Array(block.tiff[50...])]
    var inParts = HEIFFile([
      HEIFFile.Item("Exif", parts: [[0, 0, 0, 0]] + halves), .xmp(packet),
    ])
    inParts.isInItemData = true
    inParts.locationVersion = 2
    inParts.entryVersion = 3
    let canon = Box(
      "uuid", userType: "85c0b687820f11e08111f4ce462b6a48",
      ["CMT1", "CMT2", "CMT4"].map { Box($0, block.tiff) })
    let movie = MovieFile([
      .movieHeader(created: 3_800_000_000),
      Box(
        "udta",
        [
          .userText("©xyz", "+485130.24+0021740.2+3/"),
          .place(latitude: 1.5, longitude: 2.5, altitude: 3), Box("XMP_", packet),
        ]),
      .metadata([
        ("com.apple.quicktime.location.ISO6709", "+1.5+2.5+3/"),
        ("com.apple.quicktime.creationdate", "2023-11-14T23:00:00+0100"),
        ("com.apple.quicktime.location.accuracy.horizontal", "4.5"),
      ]),
    ])
    return [
      HEIFFile([.exif(block.tiff), .xmp(packet)]).bytes, inParts.bytes, movie.bytes,
      [Box.fileType("crx "), Box("moov", [canon])].file,
      [
        Box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]), Box("Exif", [0, 0, 0, 0] + block.tiff),
        Box("jxlc", [1]),
      ].file,
    ]
  }

  @Test(arguments: [21, 22, 23, 24] as [UInt64])
  func `damaged photos do not trap, nor give impossible values`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var reader = MetadataReader()
    for round in 0..<Effort.scaled(8000) {
      let damaged = Damage.apply(to: files[round % files.count], using: &generator)
      guard case .photo(let photo) = reader.read(damaged) else { continue }
      #expect(photo.isPossible, "seed \(seed), round \(round)")
    }
  }
}

/// The corpus's photos, which are larger and more unusual than synthetic ones.
@Suite(.enabled(if: Corpus.folder != nil, Comment(rawValue: Corpus.skipMessage)))
struct CorpusDamageTests {
  @Test func `damaged real photos do not trap, nor give impossible values`() throws {
    var generator = SeededGenerator(seed: 31)
    var reader = MetadataReader()
    for (name, photo) in try Corpus.photos() {
      for round in 0..<12 {
        // Data beyond the metadata is rarely read.
        let most = min(photo.count, 200_000)
        let length = Int.random(in: 0...most, using: &generator)
        var damaged = Array(photo[..<(round % 3 == 0 ? length : most)])
        if round % 3 != 0 {
          for _ in 0..<8 where !damaged.isEmpty {
            let place = Int.random(in: 0..<min(damaged.count, 4000), using: &generator)
            damaged[place] = UInt8.random(in: 0...255, using: &generator)
          }
        }
        guard case .photo(let photo) = reader.read(damaged) else { continue }
        #expect(photo.isPossible, "\(name), round \(round)")
      }
    }
  }
}

extension PhotoProperties {
  /// Whether every value satisfies its type's invariants.
  fileprivate var isPossible: Bool {
    let numbers = [altitudeMeters, horizontalAccuracyMeters, heading?.degrees]
    return (coordinate == nil) == (positionSource == nil)
      && coordinate.map {
        (-90...90).contains($0.latitude) && (-180...180).contains($0.longitude)
          && !$0.isNullIsland
      } ?? true
      && numbers.allSatisfy { $0?.isFinite ?? true }
      && (horizontalAccuracyMeters ?? 1) > 0
      && (captured == nil) == (captureTimeSource == nil)
      && (-1...5).contains(rating ?? 0) && (1...8).contains(orientation ?? 1)
      && !(captured?.iso8601.isEmpty ?? false)
  }
}
