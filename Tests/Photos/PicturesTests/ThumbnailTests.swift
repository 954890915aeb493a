import CLibrary
import PhotoMetadata
import SystemPackage
import TestSupport
import Testing

@testable import Pictures

@Suite struct ThumbnailTests {
  private let folder = TemporaryFolder()

  /// A picture whose quarters are red and green above, blue and white below.
  private func quarters(width: Int, height: Int) -> Pixels {
    let colours: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]
    var rgb: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width { rgb += colours[2 * (y * 2 / height) + x * 2 / width] }
    }
    return Pixels(width: width, height: height, rgb: rgb)
  }

  /// The names of the colours of the quarters, from left to right and from above.
  private func colours(_ pixels: Pixels) -> String {
    [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y in
      let start = (pixels.height * y / 4 * pixels.width + pixels.width * x / 4) * 3
      switch (pixels.rgb[start] > 127, pixels.rgb[start + 1] > 127, pixels.rgb[start + 2] > 127) {
      case (true, false, false): return "R"
      case (false, true, false): return "G"
      case (false, false, true): return "B"
      case (true, true, true): return "W"
      default: return "?"
      }
    }.joined()
  }

  private func photo(_ pixels: Pixels, _ parts: [JPEGFile.Part] = []) throws -> FilePath {
    let picture = try #require(JPEGCodec.file(of: pixels))
    var file = JPEGFile(parts)
    file.hasPicture = false
    return try write(file.bytes + picture.dropFirst(2))
  }

  private func write(_ content: some Sequence<UInt8>) throws -> FilePath {
    try folder.write(content, to: "photo.jpg")
    return folder.path("photo.jpg")
  }

  private func pixels(_ thumbnail: [UInt8]) throws -> Pixels {
    try folder.write(thumbnail, to: "thumbnail.jpg")
    let file = try FileDescriptor.open(folder.path("thumbnail.jpg"), .readOnly)
    return try file.closeAfter { try #require(JPEGCodec.pixels(of: file, longestSide: 512)) }
  }

  @Test(arguments: [
    (2000, 1000, 512, 256), (1000, 2000, 256, 512), (513, 512, 512, 511), (512, 40, 512, 40),
    (100, 80, 100, 80), (1, 1, 1, 1), (6000, 8, 512, 1), (8, 6000, 1, 512),
  ])
  func `a thumbnail keeps the aspect ratio, and no side exceeds 512 pixels`(
    width: Int, height: Int, newWidth: Int, newHeight: Int
  ) throws {
    let thumbnail = try #require(
      Thumbnail.jpeg(of: try photo(quarters(width: width, height: height))))
    let size = try #require(JPEGMarkers(thumbnail)?.size)
    #expect(size.width == newWidth && size.height == newHeight)
    if newWidth > 3, newHeight > 3 { #expect(colours(try pixels(thumbnail)) == "RGBW") }
  }

  @Test func `a thumbnail has no metadata of the photo`() throws {
    let block = ExifBlock(
      image: [.init(0x10F, .ascii("Maker"))],
      gps: ExifBlock.position(
        latitude: [(48, 1), (51, 1), (3024, 100)], "N",
        longitude: [(2, 1), (17, 1), (402, 10)], "E"))
    let path = try photo(
      quarters(width: 40, height: 40),
      [.jfif, .exif(block.tiff), .xmp(attributes: #"exif:GPSLatitude="48,51.504N""#)])
    let thumbnail = try #require(Thumbnail.jpeg(of: path))
    let markers = try #require(JPEGMarkers(thumbnail))
    #expect(markers.codes.allSatisfy { ![0xFE].contains($0) && !(0xE0...0xEF).contains($0) })
    #expect(thumbnail.firstRange(of: Array("Maker".utf8)) == nil)
  }

  /// The expected picture of R G over B W, with row 0 and column 0 at the sides given by EXIF 2.32,
  /// section 4.6.4 A.
  @Test(arguments: zip(1...8, ["RGBW", "GRWB", "WBGR", "BWRG", "RBGW", "BRWG", "WGBR", "GWRB"]))
  func `a thumbnail is rotated and mirrored by the photo's orientation`(
    orientation: Int, seen: String
  ) throws {
    let block = ExifBlock(image: [.init(0x112, .shorts([UInt16(orientation)]))])
    let path = try photo(quarters(width: 800, height: 400), [.exif(block.tiff)])
    let thumbnail = try pixels(try #require(Thumbnail.jpeg(of: path)))
    #expect((thumbnail.width > thumbnail.height) == (orientation < 5))
    #expect(colours(thumbnail) == seen)
  }

  @Test func `each orientation moves every pixel correctly, for odd sizes too`() {
    let pixels = Pixels(width: 3, height: 2, rgb: (0..<6).flatMap { [$0, $0, $0] })
    let rows = (1...8).map { orientation in
      let turned = pixels.turned(by: orientation)
      let values = stride(from: 0, to: turned.rgb.count, by: 3).map { "\(turned.rgb[$0])" }
      return stride(from: 0, to: values.count, by: turned.width).map {
        values[$0..<$0 + turned.width].joined()
      }
    }
    #expect(
      rows == [
        ["012", "345"], ["210", "543"], ["543", "210"], ["345", "012"],
        ["03", "14", "25"], ["30", "41", "52"], ["52", "41", "30"], ["25", "14", "03"],
      ])
  }

  @Test func `a file that is not a JPEG picture has no thumbnail`() throws {
    #expect(Thumbnail.jpeg(of: folder.path("missing")) == nil)
    #expect(Thumbnail.jpeg(of: folder.root) == nil)
    for content in [
      [], [0xFF], [0xFF, 0xD8], [0xFF, 0xD8, 0xFF, 0xD9], Array("RIFF....WEBP".utf8),
    ] {
      #expect(Thumbnail.jpeg(of: try write(content)) == nil)
    }
    #expect(Thumbnail.jpeg(of: try write(JPEGFile().bytes)) == nil)
  }

  @Test func `a truncated photo is shown as far as it can be decoded`() throws {
    let whole = try Corpus.contents(of: try photo(quarters(width: 600, height: 600)))
    let half = try write(whole.prefix(whole.count / 2))
    #expect(colours(try pixels(try #require(Thumbnail.jpeg(of: half)))).hasPrefix("RG"))
  }

  /// Returns a JPEG file that claims another size, with the maximum length of such a picture.
  private func claiming(
    _ size: UInt16, frame: UInt8 = 0xC0, isLong: Bool = true
  ) throws -> FilePath {
    var file = try #require(JPEGCodec.file(of: quarters(width: 16, height: 16)))
    let start = try #require(file.firstRange(of: [0xFF, 0xC0])).lowerBound
    let (high, low) = (UInt8(size >> 8), UInt8(size & 0xFF))
    file.replaceSubrange(start + 5..<start + 9, with: [high, low, high, low])
    file[start + 1] = frame
    if isLong { file += [UInt8](repeating: 0, count: Int(size) * Int(size) / 512) }
    return try write(file)
  }

  /// A progressive picture of 24 megapixels in which all coefficients are 0, of 141 kB.
  private var progressive24Megapixels: [UInt8] {
    func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
      [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
    }
    let quantization = [UInt8(0)] + [UInt8](repeating: 1, count: 64)
    // 6000 × 4000 pixels in three components.
    let frame: [UInt8] = [8, 0x0F, 0xA0, 0x17, 0x70, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
    // The only code, of one bit, is that of a difference of 0.
    let codes = [UInt8(0), 1] + [UInt8](repeating: 0, count: 16)
    let scan: [UInt8] = [3, 1, 0, 2, 0, 3, 0, 0, 0, 0]
    let data = [UInt8](repeating: 0, count: 750 * 500 * 3 / 8)
    return [0xFF, 0xD8] + segment(0xDB, quantization) + segment(0xC2, frame) + segment(0xC4, codes)
      + segment(0xDA, scan) + data + [0xFF, 0xD9]
  }

  @Test func `a progressive picture of 24 megapixels has a thumbnail`() throws {
    let picture = try pixels(
      try #require(Thumbnail.jpeg(of: try write(progressive24Megapixels))))
    #expect(picture.width == 512 && picture.height == 341)
    #expect(picture.rgb.allSatisfy { (126...130).contains($0) })
  }

  private var peakMemoryBytes: Int {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return Int(usage.ru_maxrss) * 1024
  }

  @Test func `a file that claims huge dimensions uses little memory`() throws {
    let before = peakMemoryBytes
    #expect(Thumbnail.jpeg(of: try claiming(65_000)) == nil)
    #expect(Thumbnail.jpeg(of: try claiming(13_000)) != nil)
    #expect(Thumbnail.jpeg(of: try claiming(13_000, isLong: false)) == nil)
    // Progressive: all of its coefficients would have to be in memory.
    #expect(Thumbnail.jpeg(of: try claiming(13_000, frame: 0xC2)) == nil)
    // Nothing else in this process needs that much memory at the same time.
    #expect(peakMemoryBytes - before < 200 << 20)
  }

  @Test func `data after the picture is not read`() throws {
    let path = try photo(quarters(width: 16, height: 16))
    let file = try FileDescriptor.open(path, .readWrite)
    try file.closeAfter { try file.resize(to: 1 << 40) }
    #expect(Thumbnail.jpeg(of: path) != nil)
  }

  @Test func `an embedded colour profile is applied`() throws {
    let gray = Pixels(width: 8, height: 8, rgb: Array(repeating: 128, count: 192))
    let picture = try #require(JPEGCodec.file(of: gray))
    // Grey with an exponent of 1.8 is lighter in sRGB.
    let profile = ColorProfileTests.genericRGB
    for (name, expected) in [("ICC_PROFILE\0\u{1}\u{1}", 146), ("ICC_PROFILE\0\u{1}\u{2}", 128)] {
      let length = 2 + name.utf8.count + profile.count
      let segment =
        [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 0xFF)] + Array(name.utf8) + profile
      let path = try write(picture.prefix(2) + segment + picture.dropFirst(2))
      let shown = try pixels(try #require(Thumbnail.jpeg(of: path)))
      #expect(shown.rgb.allSatisfy { abs(Int($0) - expected) <= 1 })
    }
  }
}
