import PhotoMetadata
import TestSupport
import Testing

@testable import Recreations

@Suite struct JPEGPictureTests {
  private let exif = Array("Exif\0\0new".utf8)
  private let xmp = Array("<new/>".utf8)

  private func written(_ parts: [JPEGFile.Part], then rest: [UInt8] = []) throws -> [UInt8] {
    try JPEGPicture(JPEGFile(parts).bytes + rest).file(exif: exif, xmp: xmp)
  }

  /// Returns the expected file for these parts.
  private func expected(_ parts: [JPEGFile.Part], after jfif: [JPEGFile.Part] = []) -> [UInt8] {
    let metadata: [JPEGFile.Part] = [
      .segment(marker: 0xE1, exif),
      .segment(marker: 0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp),
    ]
    return JPEGFile(jfif + metadata + parts).bytes
  }

  @Test func `the picture data is kept, and other metadata is removed`() throws {
    let adobe = JPEGFile.Part.segment(marker: 0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1])
    let file = try written(
      [
        .exif([1, 2]), .xmp("<old/>"), .extendedXMP("A", wholeLength: 1, offset: 0, [1]),
        .segment(marker: 0xED, Array("Photoshop 3.0\0".utf8)), .profile,
        .segment(marker: 0xE2, Array("MPF\0".utf8)), .segment(marker: 0xFE, Array("me".utf8)),
        .application(11, length: 5), .tables, adobe, .frame(), .segment(marker: 0xC4, [0, 1]),
        .segment(marker: 0xFE, Array("me".utf8)),
      ], then: Array("a movie of the same moment".utf8))
    #expect(
      file == expected([.profile, .tables, adobe, .frame(), .segment(marker: 0xC4, [0, 1])]))
  }

  @Test func `the thumbnail of a JFIF header is removed, and its resolution kept`() throws {
    let header = Array("JFIF\0".utf8) + [1, 1, 1, 0, 72, 0, 72]
    let file = try written([.segment(marker: 0xE0, header + [1, 1, 9, 9, 9]), .frame()])
    #expect(
      file == expected([.frame()], after: [.segment(marker: 0xE0, header + [0, 0])]))
    // Too short for one, and of another application.
    #expect(
      try written([
        .segment(marker: 0xE0, Array("JFIF\0".utf8)), .segment(marker: 0xE0, Array("CIFF".utf8)),
        .frame(),
      ]) == expected([.frame()]))
  }

  @Test func `pictures of every supported kind are kept`() throws {
    let kinds: [(String, [JPEGFile.Part], Int, Int)] = [
      ("one pixel", [.frame(width: 1, height: 1)], 1, 1),
      ("narrow", [.tables, .frame(width: 1, height: 60_000)], 1, 60_000),
      ("CMYK", [.frame(components: 4)], 32, 24),
      ("grey", [.frame(components: 1)], 32, 24),
      ("arithmetic", [.frame(0xC9)], 32, 24),
      ("fill bytes before a marker", [.bytes([0xFF, 0xFF]), .frame()], 32, 24),
      (
        "several scans, with tables and intervals between, and stuffed bytes",
        [
          .frame(0xC2), .segment(marker: 0xDA, [1, 1, 0, 0, 0, 0]),
          .bytes([0x12, 0xFF, 0, 0x34, 0xFF, 0xD0, 0x56]), .tables,
        ], 32, 24
      ),
    ]
    for (name, parts, width, height) in kinds {
      let picture = try JPEGPicture(JPEGFile(parts).bytes)
      #expect(picture.width == width && picture.height == height, "\(name)")
      let fills = name.hasPrefix("fill") ? [JPEGFile.Part.frame()] : parts
      #expect(picture.file(exif: exif, xmp: xmp) == expected(fills), "\(name)")
    }
  }

  @Test func `rejects incomplete and unsupported pictures`() {
    var headless = JPEGFile([.frame()])
    headless.hasPicture = false
    let whole = JPEGFile([.tables, .frame()]).bytes
    var kinds: [(String, [UInt8])] = [
      ("nothing", []), ("a start", [0xFF, 0xD8]), ("a PNG", [0x89] + Array("PNG".utf8)),
      ("no frame", JPEGFile([.tables]).bytes), ("no scan", headless.bytes + [0xFF, 0xD9]),
      ("two frames", JPEGFile([.frame(), .frame()]).bytes),
      ("a frame behind the scan", JPEGFile().bytes.dropLast(2) + JPEGFile([.frame()]).bytes),
      ("16 bits", JPEGFile([.frame(precision: 16)]).bytes),
      ("12 bits", JPEGFile([.frame(0xC1, precision: 12)]).bytes),
      ("two colours", JPEGFile([.frame(components: 2)]).bytes),
      ("lossless", JPEGFile([.frame(0xC3)]).bytes),
      ("hierarchical", JPEGFile([.segment(marker: 0xDE, [8]), .frame()]).bytes),
      ("no width", JPEGFile([.frame(width: 0)]).bytes),
      ("no height", JPEGFile([.frame(height: 0)]).bytes),
      ("too wide", JPEGFile([.frame(width: 65_501)]).bytes),
      ("200 megapixels in 40 bytes", JPEGFile([.frame(width: 16_000, height: 13_000)]).bytes),
      ("a frame of no components", JPEGFile([.segment(marker: 0xC0, [8, 0, 1, 0, 1])]).bytes),
      ("a segment without a length", JPEGFile([.bytes([0xFF, 0xE1, 0, 1]), .frame()]).bytes),
      ("bytes between segments", JPEGFile([.bytes([0x20]), .frame()]).bytes),
      ("a marker in a wrong place", JPEGFile([.bytes([0xFF, 0xD0]), .frame()]).bytes),
      (
        "more segments than any file",
        JPEGFile(Array(repeating: .tables, count: 5000) + [.frame()]).bytes
      ),
      (
        "more scans than any file",
        JPEGFile(
          [.frame()] + Array(repeating: .segment(marker: 0xDA, [1, 1, 0, 0, 0, 0]), count: 101)
        ).bytes
      ),
    ]
    for end in whole.indices { kinds.append(("cut off at \(end)", Array(whole[..<end]))) }
    for (name, bytes) in kinds {
      #expect(throws: RecreationError.self, "\(name)") { try JPEGPicture(bytes) }
    }
    #expect(throws: Never.self) { try JPEGPicture(whole) }
  }

  @Test func `a damaged photo is rejected, or becomes a valid file with only the new metadata`()
    throws
  {
    let sound = try samplePhoto()
    let exif = try #require(PhotoProperties().exifBlock(width: 1, height: 1, hasProfile: true))
    var kept = 0
    for seed in UInt64(0)..<400 {
      var generator = SeededGenerator(seed: seed)
      let damaged = Damage.apply(to: sound, using: &generator)
      guard let picture = try? JPEGPicture(damaged) else { continue }
      kept += 1
      let file = picture.file(exif: exif, xmp: xmp)
      let again = try JPEGPicture(file)
      #expect(again.width == picture.width && again.height == picture.height, "seed \(seed)")
      #expect(again.file(exif: exif, xmp: xmp) == file, "seed \(seed)")
      #expect(
        properties(of: file) == properties(of: JPEGFile([.exif(Array(exif.dropFirst(6)))]).bytes))
    }
    #expect(kept > 20 && kept < 400)
  }
}

/// Photos of the corpus.
@Suite(.enabled(if: Corpus.folder != nil, Comment(rawValue: Corpus.skipMessage)))
struct JPEGPictureCorpusTests {
  @Test func `the scans of real photos are kept without their metadata`() throws {
    let exif = try #require(PhotoProperties().exifBlock(width: 1, height: 1, hasProfile: true))
    var refused: [String: RecreationError] = [:]
    let photos = try Corpus.jpegs()
    for (name, content) in photos {
      do {
        let file = try JPEGPicture(content).file(exif: exif, xmp: [])
        var silent = PhotoProperties()
        silent.exifPosition = .absent
        #expect(properties(of: file) == silent, "\(name)")
        #expect(
          JPEGMarkers(file)?.size?.width == JPEGMarkers(content)?.size?.width, "\(name)")
      } catch {
        refused[name] = error
      }
    }
    // Many photos of the corpus are only the heads of files.
    #expect(photos.count - refused.count > 20, "\(refused.count) of \(photos.count) are refused")
    for (name, error) in refused.sorted(by: { $0.key < $1.key }) { print(name, error) }
  }
}
