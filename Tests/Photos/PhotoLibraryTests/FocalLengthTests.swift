import PhotoLibrary
import PhotoMetadata
import Spatial
import SystemPackage
import TestSupport
import Testing

@Suite struct FocalLengthTests {
  private let folder = TemporaryFolder()

  /// Adds a photo whose place is its number; the focal length of the lens in tenths of a
  /// millimetre.
  private func add(
    _ library: borrowing Library, _ name: String, _ number: Int, tenths: UInt32, film: UInt16
  ) throws {
    let exif: [ExifBlock.Entry] = [
      .init(0x920A, .rationals([(tenths, 10 as UInt32)])), .init(0xA405, .shorts([film])),
    ]
    let gps = ExifBlock.position(latitude: 10 + Double(number), longitude: 20)
    let content = JPEGFile(ExifBlock(exif: exif, gps: gps)).bytes
    try library.folder.write(content, to: library.photos.appending(name))
  }

  private func focalLengths(_ index: PhotoIndex) -> [FocalLength?] {
    let spots = index.spots(clusterRadius: 15)
    let pasts = SpotPasts(of: SpotIndex(index, clusterRadius: 15))
    return spots.sorted { $0.coordinate.latitude < $1.coordinate.latitude }
      .map { pasts[$0.id]?.coverFocalLength }
  }

  @Test func `each spot's cover keeps its focal length after a restart and another scan`() throws {
    var library = try Library()
    try add(library, "a.jpg", 1, tenths: 42, film: 26)
    try add(library, "b.jpg", 2, tenths: 0, film: 0)
    try add(library, "c.jpg", 3, tenths: 500, film: 0)
    try library.scan()
    let expected = [
      FocalLength(millimeters: 4.2, millimetersOn35mmFilm: 26), nil,
      FocalLength(millimeters: 50, millimetersOn35mmFilm: nil),
    ]
    #expect(focalLengths(library.index) == expected)
    library.index = try #require(try folder.saved(library.index))
    #expect(focalLengths(library.index) == expected)
    try library.folder.move(
      library.photos.appending("a.jpg"), to: library.photos.appending("z.jpg"))
    try library.scan()
    #expect(focalLengths(library.index) == expected)
  }

  @Test func `an older index has no focal lengths, and invalid references are damage`() throws {
    var library = try Library()
    try add(library, "a.jpg", 1, tenths: 42, film: 26)
    try library.scan()
    let index = library.index
    let old = try #require(
      try folder.saved(index) {
        $0.replacing(#","focalLength":[0]"#, with: "")
          .replacing(#""focalLengths":[[4.2,26]],"#, with: "")
      })
    #expect(focalLengths(old) == [nil])
    for bad in [#""focalLength":[1]"#, #""focalLength":[]"#, #""focalLength":[-1]"#] {
      #expect(throws: PhotoIndexCacheError.self) {
        try folder.saved(index) { $0.replacing(#""focalLength":[0]"#, with: bad) }
      }
    }
    for bad in ["[4.2]", "[null,null]", "[-1,0]", "26"] {
      #expect(throws: PhotoIndexCacheError.self) {
        try folder.saved(index) { $0.replacing("[4.2,26]", with: bad) }
      }
    }
  }
}
