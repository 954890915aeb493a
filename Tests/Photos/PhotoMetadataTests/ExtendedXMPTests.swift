import PhotoMetadata
import Spatial
import TestSupport
import Testing

/// The part of an XMP packet that does not fit into a segment of a JPEG file.
@Suite struct ExtendedXMPTests {
  private let name = "0123456789ABCDEF0123456789ABCDEF"
  private let position = #"exif:GPSLatitude="10N" exif:GPSLongitude="20E""#

  /// A packet that names its extension.
  private func packet(_ name: String, _ attributes: String = "") -> JPEGFile.Part {
    .xmp(
      attributes: """
        xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="\(name)" \(attributes)
        """)
  }

  /// An extension with a position after a comment that pads it to the given length.
  private func wholeExtension(padding: Int = 0, attributes: String? = nil) -> [UInt8] {
    Array(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <!--\(String(repeating: "x", count: padding))-->
      <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/"
      xmlns:xmp="http://ns.adobe.com/xap/1.0/" \(attributes ?? position)/></rdf:RDF>
      """.utf8)
  }

  /// The segments of an extension that is split at some offsets.
  private func pieces(_ whole: [UInt8], cuts: [Int], name: String? = nil) -> [JPEGFile.Part] {
    let bounds = [0] + cuts + [whole.count]
    return zip(bounds, bounds.dropFirst()).map { start, end in
      .extendedXMP(
        name ?? self.name, wholeLength: whole.count, offset: start, whole[start..<end])
    }
  }

  private func isFound(_ parts: [JPEGFile.Part]) -> Bool {
    properties(parts).coordinate == Coordinate(latitude: 10, longitude: 20)
  }

  @Test func `pieces of an extension are joined in any order and place`() {
    let whole = wholeExtension()
    for cuts in [[], [1], [100, 200], Array(1..<60)] {
      let pieces = pieces(whole, cuts: cuts)
      #expect(isFound([packet(name)] + pieces))
      #expect(isFound(pieces.reversed() + [.jfif, packet(name)]))
      #expect(isFound([packet(name), .application(2, length: 40_000)] + pieces.shuffled()))
    }
    let long = wholeExtension(padding: 300_000)
    let cuts = Array(stride(from: 65_000, to: long.count, by: 65_000))
    #expect(isFound([packet(name)] + pieces(long, cuts: cuts).reversed()))
  }

  @Test func `the packet takes precedence, and its extension completes it`() {
    let whole = wholeExtension(attributes: position + #" xmp:Rating="5""#)
    let photo = properties(
      [packet(name, #"exif:GPSLatitude="1N" exif:GPSLongitude="2E""#)] + pieces(whole, cuts: [50]))
    #expect(photo.coordinate == Coordinate(latitude: 1, longitude: 2))
    #expect(photo.rating == 5)
    #expect(photo.isFavorite)
    let exif = JPEGFile.Part.exif(ExifBlock(gps: somewhere).tiff)
    #expect(properties([packet(name), exif] + pieces(whole, cuts: [50])).isSomewhere)
  }

  @Test func `an extension is not read if position and time are known`() throws {
    let whole = wholeExtension(padding: 200_000, attributes: #"xmp:Rating="5""#)
    let cuts = Array(stride(from: 65_000, to: whole.count, by: 65_000))
    let time = [Entry(0x9003, .ascii("2024:04:13 20:34:30"))]
    for (exif, isKnown) in [
      (ExifBlock(exif: time, gps: somewhere), true), (ExifBlock(exif: time), false),
      (ExifBlock(gps: somewhere), false),
    ] {
      let file = JPEGFile([.exif(exif.tiff), packet(name)] + pieces(whole, cuts: cuts)).bytes
      let (reading, bytesRead) = try readFile([(0, file)], count: file.count)
      guard case .photo(let photo) = reading else {
        Issue.record("\(reading)")
        continue
      }
      #expect((bytesRead < 50_000) == isKnown)
      #expect(photo.isFavorite != isKnown)
    }
  }

  @Test func `only the extension named by the packet is read`() {
    let other = String(name.reversed())
    let strange = pieces(
      wholeExtension(attributes: #"exif:GPSLatitude="3N" exif:GPSLongitude="4E""#), cuts: [70],
      name: other)
    let pieces = pieces(wholeExtension(), cuts: [80])
    #expect(isFound([packet(name), strange[0], pieces[0], strange[1], pieces[1]]))
    #expect(properties([packet(name)] + strange).coordinate == nil)
    #expect(properties([.xmp(attributes: "")] + pieces).coordinate == nil)
    #expect(properties(pieces).coordinate == nil)
    for name in ["", "0", String(name.dropLast()), name + "0"] {
      #expect(properties([packet(name)] + pieces).coordinate == nil, "\(name)")
    }
  }

  @Test func `an extension with gaps, overlaps or wrong lengths is ignored`() {
    let whole = wholeExtension()
    func piece(_ range: Range<Int>, at offset: Int? = nil, of length: Int? = nil) -> JPEGFile.Part {
      .extendedXMP(
        name, wholeLength: length ?? whole.count, offset: offset ?? range.lowerBound, whole[range])
    }
    let end = whole.count
    #expect(isFound([packet(name), piece(0..<50), piece(50..<end)]))
    let broken: [String: [JPEGFile.Part]] = [
      "the first piece is missing": [piece(50..<end)],
      "the last piece is missing": [piece(0..<50)],
      "a gap": [piece(0..<50), piece(51..<end)],
      "an overlap": [piece(0..<51), piece(50..<end)],
      "a piece twice": [piece(0..<50), piece(0..<50), piece(50..<end)],
      "the whole twice": [piece(0..<end), piece(0..<end)],
      "an offset beyond the end": [piece(0..<50), piece(50..<end, at: 0xFFFF_FFFF)],
      "different lengths": [piece(0..<50), piece(50..<end, of: end + 1)],
      "a length beyond the pieces": [piece(0..<end, of: 0xFFFF_FFFF)],
      "a length within the pieces": [piece(0..<end, of: end - 1)],
      "nothing in it": [piece(0..<0, of: 0)],
      "no room for its numbers": [
        .segment(
          marker: 0xE1, Array(("http://ns.adobe.com/xmp/extension/\0" + name + "1234567").utf8))
      ],
    ]
    for (flaw, parts) in broken {
      let reading = reading(JPEGFile([packet(name)] + parts).bytes)
      guard case .photo(let photo) = reading else {
        Issue.record("\(flaw): \(reading)")
        continue
      }
      #expect(photo.coordinate == nil, "\(flaw)")
    }
    let cut = JPEGFile([packet(name)] + pieces(whole, cuts: [50])).bytes.dropLast(14 + 10)
    #expect(reading(Array(cut)).malformation != nil)
  }

  @Test func `an extension of any length is read`() throws {
    for length in [1_000_000, 3_000_000, 6_000_000] {
      let whole = wholeExtension(padding: length)
      let cuts = Array(stride(from: 65_000, to: whole.count, by: 65_000))
      let exif = JPEGFile.Part.exif(ExifBlock(image: [Entry(0x110, .ascii("A model"))]).tiff)
      let file = JPEGFile([exif, packet(name)] + pieces(whole, cuts: cuts)).bytes
      let (reading, bytesRead) = try readFile([(0, file)], count: file.count)
      // What is read to find a segment is read again as a part of the packet.
      #expect(bytesRead <= file.count + (4 << 10) * (cuts.count + 8))
      guard case .photo(let photo) = reading else {
        Issue.record("\(length) bytes: \(reading)")
        continue
      }
      #expect(photo.model == "A model")
      #expect(photo.coordinate != nil, "\(length) bytes")
    }
  }
}
