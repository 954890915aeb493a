import CLibrary
import PhotoMetadata
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import Pictures

@Suite struct PictureStoreTests {
  private let folder = TemporaryFolder()

  private func store(capacityBytes: Int = 1 << 20) -> PictureStore {
    PictureStore(folder: folder.path("kept"), capacityBytes: capacityBytes, decoders: 2)
  }

  private func file(_ content: some Sequence<UInt8>, _ name: String = "photo") throws -> FilePath {
    try folder.write(content, to: name)
    return folder.path(name)
  }

  private func picture(
    _ content: some Sequence<UInt8>, size: Int = 200, isSquare: Bool = false, accept: String = ""
  ) async throws -> Picture {
    try await store().picture(
      PictureOrder(
        name: "", files: [try file(content)], size: size, isSquare: isSquare, accept: accept))
  }

  private func size(_ picture: Picture) throws -> [Int] {
    let size = try #require(JPEGMarkers(picture.bytes)?.size)
    return [size.width, size.height]
  }

  // MARK: - JPEG

  @Test(arguments: [
    (2000, 1000, 200, false, [200, 100]), (1000, 2000, 200, false, [100, 200]),
    (150, 100, 200, false, [150, 100]), (2000, 1000, 200, true, [200, 200]),
    (150, 100, 200, true, [100, 100]), (3000, 2, 200, true, [2, 2]), (1, 1, 96, true, [1, 1]),
    (1000, 500, 1, false, [96, 48]), (3000, 300, 9999, false, [2048, 205]),
  ])
  func `a picture has the requested size, but is not larger than the photo`(
    width: Int, height: Int, size: Int, isSquare: Bool, expected: [Int]
  ) async throws {
    let photo = try PictureSample.jpeg("G", width: width, height: height)
    let picture = try await picture(photo, size: size, isSquare: isSquare)
    #expect(try self.size(picture) == expected && picture.mediaType == "image/jpeg")
  }

  @Test func `a square picture shows the middle of the photo`() async throws {
    let wide = try PictureSample.jpeg("RRGWBB RRWGBB", width: 1200, height: 400)
    let square = try await picture(wide, isSquare: true)
    #expect(try PictureSample.fields(of: square.bytes, columns: 2, rows: 2) == "GW WG")
    let tall = try PictureSample.jpeg("RR RR GW WG BB BB", width: 400, height: 1200)
    let other = try await picture(tall, size: 120, isSquare: true)
    #expect(try PictureSample.fields(of: other.bytes, columns: 2, rows: 2) == "GW WG")
  }

  @Test func `a picture is upright and has no metadata`() async throws {
    let photo = try PictureSample.jpeg("RG BW", width: 800, height: 400, orientation: 6)
    let picture = try await picture(photo)
    #expect(try size(picture) == [100, 200])
    #expect(try PictureSample.fields(of: picture.bytes, columns: 2, rows: 2) == "BR WG")
    var reader = MetadataReader()
    #expect(reader.read(picture.bytes) == .photo(PhotoProperties()))
  }

  @Test func `a damaged JPEG file has no picture`() async throws {
    await #expect(throws: PictureError.noPicture) { try await picture([0xFF, 0xD8, 0xFF, 0xD9]) }
    await #expect(throws: PictureError.noPicture) { try await picture([]) }
  }

  // MARK: - RAW

  @Test func `a RAW file's largest JPEG is used, with the RAW file's orientation`()
    async throws
  {
    let (small, large) = (
      try PictureSample.jpeg("RR RR", width: 160, height: 120),
      try PictureSample.jpeg("RG BW", width: 1200, height: 800)
    )
    for isBigEndian in [false, true] {
      for chain: [RAWFile.Part] in [
        [.init(orientation: 8, preview: large), .init(preview: small)],
        [.init(orientation: 8, preview: small), .init(strip: large)],
        [.init(orientation: 8, strip: small, subdirectory: .init(preview: large))],
      ] {
        let file = RAWFile(directories: chain, isBigEndian: isBigEndian)
        let picture = try await picture(file.bytes)
        #expect(try size(picture) == [133, 200])
        #expect(try PictureSample.fields(of: picture.bytes, columns: 2, rows: 2) == "GW RB")
      }
    }
  }

  @Test func `an unreferenced JPEG in a RAW file is found`() async throws {
    let large = try PictureSample.jpeg("RG BW", width: 640, height: 480)
    let small = try PictureSample.jpeg("RR RR", width: 160, height: 120)
    var olympus = RAWFile(directories: [.init(preview: small)])
    olympus.magic = 0x4F52
    // Across the blocks in which a file is read.
    for gap in [10, (256 << 10) - olympus.bytes.count - 1, 600_000] {
      let file = olympus.bytes + [UInt8](repeating: 0xFF, count: gap) + large
      let picture = try await picture(file)
      #expect(try PictureSample.fields(of: picture.bytes, columns: 2, rows: 2) == "RG BW")
    }
  }

  @Test func `sensor data in lossless JPEG is not used as a picture`() async throws {
    let small = try PictureSample.jpeg("RG BW", width: 160, height: 120)
    var lossless = try PictureSample.jpeg("RR RR", width: 1600, height: 1200)
    let frame = try #require(lossless.firstRange(of: [0xFF, 0xC0])).lowerBound
    lossless[frame + 1] = 0xC3
    let file = RAWFile(directories: [.init(preview: small), .init(strip: lossless)])
    #expect(try size(try await picture(file.bytes)) == [160, 120])
  }

  @Test func `previews in Fujifilm and Canon formats are found`() async throws {
    let (small, large) = (
      try PictureSample.jpeg("RR RR", width: 160, height: 120),
      try PictureSample.jpeg("RG BW", width: 1200, height: 800)
    )
    for file in [
      CarrierFile.raf(large), CR3File(preview: large, sample: small).bytes,
      CR3File(preview: small, sample: large).bytes,
    ] {
      let picture = try await picture(file)
      #expect(try PictureSample.fields(of: picture.bytes, columns: 2, rows: 2) == "RG BW")
    }
  }

  @Test func `circular directories and offsets beyond the end are harmless`()
    async throws
  {
    let small = try PictureSample.jpeg("RG BW", width: 160, height: 120)
    var file = RAWFile(directories: [.init(preview: small), .init(orientation: 1)])
    file.isCircle = true
    #expect(try size(try await picture(file.bytes)) == [160, 120])
    let cut = file.bytes.prefix(60)
    await #expect(throws: PictureError.noPicture) { try await picture(cut) }
  }

  // MARK: - Pictures passed through

  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]
  private static let gif = Array("GIF89a\u{1}\0\u{1}\0\0\0\0;".utf8)
  private static let webP = Array("RIFF\u{4}\0\0\0WEBPxxxx".utf8)
  private static let avif = [Box.fileType("avif", "mif1", "avif"), Box("mdat", [1])].file
  private static let heic = [Box.fileType("heic", "mif1", "heic"), Box("mdat", [1])].file

  @Test(arguments: [
    (png, "image/png"), (gif, "image/gif"), (webP, "image/webp"), (avif, "image/avif"),
  ])
  func `formats that browsers display are passed through unchanged`(
    content: [UInt8], mediaType: String
  ) async throws {
    let picture = try await picture(content, accept: "image/avif,*/*")
    #expect(picture == Picture(mediaType: mediaType, bytes: content))
    let long = content + [UInt8](repeating: 0, count: (8 << 20) - content.count)
    #expect(try await self.picture(long, accept: "image/avif").bytes.count == 8 << 20)
    await #expect(throws: PictureError.noPicture) { try await self.picture(long + [0]) }
  }

  @Test(arguments: [
    ("image/heic", true), ("text/html, image/HEIC ; q=0.5", true), ("image/heif;q=1", true),
    ("image/heic;q=0", false), ("image/heic; q=0.000", false), ("image/*,*/*", false), ("", false),
    ("ximage/heic", false),
  ])
  func `HEIC is passed through to clients that accept it`(accept: String, isGiven: Bool)
    async throws
  {
    guard isGiven else {
      await #expect(throws: PictureError.noPicture) {
        try await self.picture(Self.heic, accept: accept)
      }
      return
    }
    let picture = try await self.picture(Self.heic, accept: accept)
    #expect(picture == Picture(mediaType: "image/heic", bytes: Self.heic))
  }

  @Test func `movies and other files have no picture`() async throws {
    for content in [
      [Box.fileType("qt  "), Box("mdat", [1])].file, [Box.fileType("isom"), Box("mdat", [1])].file,
      Array("hello, world".utf8), [0], CarrierFile.crw, Array("<svg/>".utf8),
    ] {
      await #expect(throws: PictureError.noPicture) {
        try await picture(content, accept: "image/heic,image/svg+xml")
      }
    }
  }

  // MARK: - Files

  @Test func `the first file that gives a picture is used`() async throws {
    let movie = try file([Box.fileType("isom"), Box("mdat", [1])].file, "a.mov")
    let photo = try file(try PictureSample.jpeg("RG BW", width: 40, height: 40), "b.heic")
    let missing = folder.path("missing.jpg")
    let order = PictureOrder(name: "", files: [missing, movie, photo], size: 96)
    #expect(try await store().picture(order).mediaType == "image/jpeg")
  }

  @Test func `missing, unsupported and unreadable files give different errors`() async throws {
    let (missing, loop) = (folder.path("missing.jpg"), folder.path("loop.jpg"))
    try folder.link(loop, to: loop)
    let long = folder.path(String(repeating: "n", count: 300) + ".jpg")
    let text = try file(Array("text".utf8))
    func error(_ files: [FilePath]) async -> PictureError? {
      await #expect(throws: PictureError.self) {
        try await store().picture(PictureOrder(name: "x", files: files, size: 96))
      }
    }
    #expect(await error([]) == .gone)
    #expect(await error([missing]) == .gone)
    #expect(await error([text, missing]) == .noPicture)
    #expect(await error([folder.root]) == .noPicture)
    // Links are not followed, so nobody can read a link.
    #expect(await error([loop]) == .gone)
    let unreadable = PictureError.unreadable(.fileNameTooLong)
    #expect(await error([missing, long, text]) == unreadable)
    #expect(await error([text, long]) == unreadable)
  }

  @Test func `the original is the first existing file`() throws {
    let photo = try file([0xFF, 0xD8, 0xFF], "IMG 1.jpg")
    let original = try store().original(of: [folder.path("missing"), photo])
    #expect(original.name == "IMG 1.jpg" && original.mediaType == "image/jpeg")
    #expect(original.size == 3)
    var bytes: [UInt8] = [0, 0]
    _ = try bytes.withUnsafeMutableBytes { try original.descriptor.read(into: $0) }
    #expect(bytes == [0xFF, 0xD8])
    let raw = try file(RAWFile(directories: [.init()]).bytes, "a.nef")
    #expect(try store().original(of: [raw]).mediaType == "application/octet-stream")
    #expect(throws: PictureError.gone) { try store().original(of: [folder.path("missing")]) }
  }

  // MARK: - The cache

  @Test func `a generated picture is cached, readable only by its owner`() async throws {
    let photo = try file(try PictureSample.jpeg("RG BW", width: 400, height: 200))
    let order = PictureOrder(name: "abc-2", files: [photo], size: 100, isSquare: true)
    let picture = try await store().picture(order)
    let kept = folder.path("kept")
    #expect(try folder.permissions(of: kept) == .ownerReadWriteExecute)
    #expect(try folder.contents(of: kept.appending("abc-2-100-square.jpg")) == picture.bytes)
    let permissions = try folder.permissions(of: kept.appending("abc-2-100-square.jpg"))
    #expect(permissions == .ownerReadWrite)
    folder.remove(photo)
    #expect(try await store().picture(order) == picture)
    let other = PictureOrder(name: "abc-2", files: [photo], size: 101, isSquare: true)
    await #expect(throws: PictureError.gone) { try await store().picture(other) }
  }

  @Test func `a truncated picture in the cache is generated again`() async throws {
    let photo = try file(try PictureSample.jpeg("RG BW", width: 400, height: 200))
    let order = PictureOrder(name: "abc", files: [photo], size: 100)
    let picture = try await store().picture(order)
    let kept = folder.path("kept").appending("abc-100-whole.jpg")
    for damaged in [[], Array(picture.bytes.dropLast(3)), [UInt8](repeating: 0, count: 4000)] {
      try folder.write(damaged, to: kept)
      #expect(try await store().picture(order) == picture)
      #expect(try folder.contents(of: kept) == picture.bytes)
    }
  }

  @Test(arguments: ["", "../a", "a/b", "a.b", "ä", String(repeating: "a", count: 65)])
  func `nothing is cached under an invalid name`(name: String) async throws {
    let photo = try file(try PictureSample.jpeg("RG BW", width: 40, height: 20))
    let store = store()
    _ = try await store.picture(PictureOrder(name: name, files: [photo], size: 100))
    store.settle()
    #expect(Corpus.paths(under: folder.root) == [photo])
  }

  @Test func `without a writable cache pictures are generated, and the error is reported once`()
    async throws
  {
    let photo = try file(try PictureSample.jpeg("RG BW", width: 400, height: 200))
    let reports = Mutex<[Errno]>([])
    let store = PictureStore(folder: photo.appending("kept")) { error in
      reports.withLock { $0.append(error) }
    }
    for size in [100, 120, 140] {
      let order = PictureOrder(name: "a", files: [photo], size: size)
      #expect(try self.size(try await store.picture(order)) == [size, size / 2])
    }
    store.settle()
    #expect(reports.withLock { $0 } == [.fileExists])
  }

  @Test func `concurrent orders are all answered, or rejected as busy`()
    async throws
  {
    let photo = try file(try PictureSample.jpeg("RG BW", width: 400, height: 200))
    let store = store()
    let outcomes = await withTaskGroup { group in
      for number in 0..<100 {
        group.addTask {
          do throws(PictureError) {
            let order = PictureOrder(name: "n\(number)", files: [photo], size: 100)
            return try await store.picture(order).bytes.isEmpty ? "empty" : "made"
          } catch { return "\(error)" }
        }
      }
      return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
    }
    let made = outcomes["made"] ?? 0
    #expect(made >= PictureStore.maximumWaiting + 2)
    #expect(made + (outcomes["\(PictureError.busy)"] ?? 0) == 100)
  }
}

@Suite(.enabled(if: Corpus.folder != nil, Comment(rawValue: Corpus.skipMessage)))
struct PictureCorpusTests {
  private let folder = TemporaryFolder()

  @Test func `real photos have pictures of the expected size`() async throws {
    let photos = try #require(Corpus.folder).appending("photos")
    let store = PictureStore(folder: folder.path("kept"))
    for (name, expected) in [
      ("nom-exif/testdata/canon-r6.cr3", [320, 213]),
      ("pigallery2/test/backend/assets/orientation/Portrait_8.jpg", [213, 320]),
      ("exiftool/t/images/FujiFilm.raf", [160, 120]),
      ("immich-test-assets/formats/jpg/el_torcal_rocks.jpg", [320, 213]),
    ] {
      let order = PictureOrder(name: "", files: [photos.pushing(FilePath(name))], size: 320)
      let picture = try await store.picture(order)
      let size = try #require(JPEGMarkers(picture.bytes)?.size)
      #expect([size.width, size.height] == expected, "\(name)")
    }
  }

  /// Includes damaged and unusual files.
  @Test func `every file of the corpus gives a picture or an error`() async throws {
    let photos = try #require(Corpus.folder).appending("photos")
    let store = PictureStore(folder: folder.path("kept"))
    var counts: [String: Int] = [:]
    for path in Corpus.paths(under: photos) {
      do throws(PictureError) {
        let order = PictureOrder(
          name: "", files: [path], size: 320, accept: "image/heic,image/avif")
        counts[try await store.picture(order).mediaType, default: 0] += 1
      } catch { counts["\(error)", default: 0] += 1 }
    }
    #expect((counts["image/jpeg"] ?? 0) >= 140)
    #expect((counts["image/heic"] ?? 0) >= 9 && (counts["image/avif"] ?? 0) >= 3)
  }
}

@Suite(
  .enabled(if: Corpus.folder != nil, Comment(rawValue: Corpus.skipMessage)),
  .enabled(if: PhotoFormats.decodesHEIF, "libheif is not installed"))
struct DecodedPictureTests {
  private let folder = TemporaryFolder()

  private func picture(
    _ name: String, isSquare: Bool = false, accept: String = "image/webp,*/*"
  ) async throws -> Picture {
    let path = try #require(Corpus.folder).appending("photos").pushing(FilePath(name))
    return try await PictureStore(folder: folder.path("kept")).picture(
      PictureOrder(name: "", files: [path], size: 320, isSquare: isSquare, accept: accept))
  }

  @Test(arguments: [
    ("immich-test-assets/formats/heic/IMG_2682.heic", [4032, 3024]),
    ("pigallery2/test/backend/assets/parsingfromheic.heic", [1600, 3232]),
    ("immich-test-assets/formats/avif/8bit-sRGB.avif", [1617, 1080]),
  ])
  func `HEIC and AVIF are converted to JPEG for clients that do not accept them`(
    name: String, original: [Int]
  ) async throws {
    let whole = try await picture(name)
    let size = try #require(JPEGMarkers(whole.bytes)?.size)
    #expect(max(size.width, size.height) == 320 && whole.mediaType == "image/jpeg")
    let (ratio, expected) = (
      Double(size.width) / Double(size.height), Double(original[0]) / Double(original[1])
    )
    #expect(abs(ratio / expected - 1) < 0.01)
    let square = try #require(JPEGMarkers(try await picture(name, isSquare: true).bytes)?.size)
    #expect([square.width, square.height] == [320, 320])
    let asItIs = try await picture(name, accept: "image/heic,image/avif")
    #expect(asItIs.mediaType != "image/jpeg")
  }
}
