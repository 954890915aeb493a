import PhotoMetadata
import Storage
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite struct CaptionIndexTests {
  private let folder = TemporaryFolder()

  private func add(_ library: borrowing Library, _ name: String, _ caption: String?) throws {
    let number = Double(name.utf8.first ?? 0)
    let block = ExifBlock(
      image: caption.map { [.init(0x010E, .ascii($0))] } ?? [],
      gps: name.hasPrefix("n") ? nil : ExifBlock.position(latitude: number / 10, longitude: 20))
    try library.folder.write(JPEGFile(block).bytes, to: library.photos.appending(name))
  }

  /// The captions of all located photos.
  private func captions(_ index: PhotoIndex) -> [String?] {
    (0..<index.photoCount).map { index.photo(at: $0).caption }
  }

  /// The names of the photos that a text finds.
  private func found(_ text: String, in index: PhotoIndex) throws -> [String] {
    let photos = try #require(SpotPhotos(of: SpotIndex(index, clusterRadius: 15)))
    let test = photos.test(names: text)
    return (0..<index.photoCount).filter { photos.passes(test, Int32($0)) }
      .map { index.photo(at: $0).path.lastComponent?.string ?? "" }
  }

  @Test func `captions are found by their words, after a restart, a move and another scan`() throws
  {
    var library = try Library()
    try add(library, "a.jpg", "Grandmother's jetty")
    try add(library, "b.jpg", nil)
    try add(library, "c.jpg", "Grandmother's jetty")
    try add(library, "d.jpg", "Élan vital")
    try add(library, "n.jpg", "Nowhere")
    try library.scan()
    let expected = ["Grandmother's jetty", nil, "Grandmother's jetty", "Élan vital"]
    #expect(captions(library.index) == expected && library.index.captions.texts.count == 3)
    library.index = try #require(try folder.saved(library.index))
    #expect(captions(library.index) == expected)
    #expect(try found("JETTY a", in: library.index) == ["a.jpg", "c.jpg"])
    #expect(try found("elan", in: library.index) == ["d.jpg"])
    #expect(try found("jetty d.jpg", in: library.index) == [])
    try library.folder.move(
      library.photos.appending("a.jpg"), to: library.photos.appending("z.jpg"))
    try library.scan()
    #expect(captions(library.index) == [nil, "Grandmother's jetty", "Élan vital"] + [expected[0]])
    #expect(library.index.captions.texts.count == 3)
    try add(library, "d.jpg", nil)
    try library.scan()
    #expect(try found("elan", in: library.index) == [])
  }

  @Test(arguments: ["IMG_1.JPG", "IMG_1.HEIC"])
  func `a shot has the caption of any of its files`(captioned: String) throws {
    var library = try Library()
    for name in ["IMG_1.JPG", "IMG_1.HEIC"] {
      let block = ExifBlock(
        image: name == captioned ? [.init(0x010E, .ascii("One"))] : [],
        exif: [.init(0x9003, .ascii("2024:04:13 20:34:30"))],
        gps: ExifBlock.position(latitude: 10, longitude: 20))
      try library.folder.write(JPEGFile(block).bytes, to: library.photos.appending(name))
    }
    try library.scan()
    #expect(library.index.shotCount == 1 && library.index.photoCount == 2)
    #expect((0..<2).map { library.index.shot(at: $0).photo.caption } == ["One", "One"])
  }

  @Test func `the mapped form has the captions`() throws {
    var library = try Library()
    try add(library, "a.jpg", "One")
    try add(library, "b.jpg", nil)
    try library.scan()
    let cache = PhotoIndexCache(path: folder.path("index.json"))
    try cache.save(library.index, clusterRadius: 15)
    let mapped = try #require(try cache.open(clusterRadius: 15)).index
    #expect(captions(mapped) == ["One", nil] && mapped.mapping != nil)
    #expect(try found("one", in: mapped) == ["a.jpg"])
  }

  @Test func `a photo without a position keeps its caption until it has one`() throws {
    var library = try Library()
    try add(library, "n.jpg", "Nowhere")
    try library.scan()
    library.index = try #require(try folder.saved(library.index))
    let row = try #require(library.index.unlocated.indices.first)
    let given = PhotoTable.Photo(
      library.index.unlocated[row],
      at: GivenPosition(ShotRow.place, source: .imported))
    #expect(given.facts.caption.map { library.index.captions[$0] } == "Nowhere")
  }

  @Test func `an older index has no captions, and invalid references are damage`() throws {
    var library = try Library()
    try add(library, "a.jpg", "One")
    try library.scan()
    let index = library.index
    let old = try #require(
      try folder.saved(index) {
        $0.replacing(#","caption":[0]"#, with: "").replacing(#""captions":["One"],"#, with: "")
      })
    #expect(captions(old) == [nil])
    for bad in [#""caption":[1]"#, #""caption":[]"#, #""caption":[-1]"#] {
      #expect(throws: PhotoIndexCacheError.self) {
        try folder.saved(index) { $0.replacing(#""caption":[0]"#, with: bad) }
      }
    }
  }
}
