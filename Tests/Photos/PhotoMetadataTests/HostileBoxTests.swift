import PhotoMetadata
import Spatial
import TestSupport
import Testing

@Suite struct HostileBoxTests {
  private let user = Box("udta", [Box.userText("©xyz", "+1+1/")])
  private let type = Box.fileType("qt  ")

  @Test(arguments: [1, 2, 7] as [UInt32])
  func `a box smaller than its header ends the walk`(size: UInt32) {
    let small = Box("free", size: .claimed(size), [0, 0, 0, 0, 0, 0, 0, 9])
    #expect(reading([type, small].file).malformation != nil)
    let inside = Box("moov", [small, user])
    #expect(reading([type, inside].file).malformation == nil)
  }

  @Test(arguments: [
    Box("mdat", size: .claimed(.max), [0]), Box("mdat", size: .claimedLong(.max), [0]),
    Box("mdat", size: .claimedLong(UInt64(Int64.max)), [0]),
    Box("mdat", size: .claimedLong(0), [0]), Box("mdat", size: .claimedLong(15), [0]),
  ])
  func `box sizes beyond the file, or beyond 64 bits, end the walk`(box: Box) {
    #expect(reading([type, box, Box("moov", [user])].file).malformation != nil)
    // A box that claims more than its parent ends with the parent.
    #expect(properties([type, Box("moov", [user, box])].file).coordinate != nil)
  }

  @Test func `counts of 2³²−1 are not trusted`() {
    let most: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
    let picture = Box.fileType("heic")
    for version in [0, 1, 2, 3] as [UInt8] {
      for widths in [[0, 0], [0x44, 0], [0x88, 0x88], [0xFF, 0xFF], [0x44, 0x44]] as [[UInt8]] {
        let places = Box.full("iloc", version: version, widths + most + most + most)
        let infos = Box.full("iinf", version: version, most + most)
        let entry = Box.full("infe", version: 2, [0xFF, 0xFF, 0, 0] + Array("Exif\0".utf8))
        let entries = Box.full("iinf", version: version, most + entry.bytes)
        for boxes in [[infos, places], [entries, places]] {
          _ = reading([picture, Box.full("meta", boxes.file)].file)
        }
      }
    }
    let keys = Box.full("keys", most + Box("mdta", [1]).bytes)
    let movie = Box("moov", [Box("meta", [Box.full("hdlr", []), keys]), user])
    #expect(properties([type, movie].file).coordinate != nil)
  }

  @Test(arguments: [4, 8])
  func `item locations that overflow or lie beyond the file are ignored`(width: Int) {
    let entry = Box.full("infe", version: 2, [0, 1, 0, 0] + Array("Exif\0".utf8))
    let infos = Box.full("iinf", [0, 1] + entry.bytes)
    let numbers: [UInt64] = [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF, UInt64(Int64.max), .max]
    for base in numbers {
      for offset in numbers {
        for length in numbers {
          func sized(_ number: UInt64) -> [UInt8] {
            width == 8 ? Box.number(number) : Box.number(UInt32(truncatingIfNeeded: number))
          }
          let widths = UInt8(width << 4 | width)
          let places = Box.full(
            "iloc",
            [widths, UInt8(width << 4), 0, 1, 0, 1, 0, 0] + sized(base) + [0, 1] + sized(offset)
              + sized(length))
          let meta = Box.full("meta", [infos, places].file)
          #expect(properties([Box.fileType("heic"), meta].file).coordinate == nil)
        }
      }
    }
  }

  @Test func `an item of overlapping parts is not joined beyond 1 MiB`() {
    let entry = Box.full("infe", version: 2, [0, 1, 0, 0] + Array("Exif\0".utf8))
    let infos = Box.full("iinf", [0, 1] + entry.bytes)
    let parts = (0..<1024).flatMap { _ in [0, 0, 0, 0, 0, 0x10, 0, 0] as [UInt8] }
    let places = Box.full("iloc", [0x44, 0, 0, 1, 0, 1, 0, 0, 4, 0] + parts)
    let meta = Box.full("meta", [infos, places].file)
    let media = Box("mdat", [UInt8](repeating: 0xFE, count: 1 << 20))
    #expect(properties([Box.fileType("heic"), meta, media].file).coordinate == nil)
  }

  @Test func `items without location fields are counted without visiting them`() {
    let item: [UInt8] = [0, 7, 0, 0, 0xFF, 0xFF]
    let items = (0..<65_535).flatMap { _ in item }
    let places = Box.full("iloc", [0, 0, 0xFF, 0xFF] + items)
    let meta = Box.full("meta", [Box.full("iinf", [0, 0]), places].file)
    #expect(reading([Box.fileType("heic"), meta].file) == .photo(PhotoProperties()))
  }

  @Test func `boxes nested too deeply are skipped`() {
    var nested = user
    for _ in 0..<2000 { nested = Box("moov", [nested]) }
    #expect(reading([type, nested].file) == .photo(PhotoProperties()))
  }

  @Test func `too many boxes end the walk`() {
    let empty = Box("free", [] as [UInt8]).bytes
    let many = (0..<70_000).flatMap { _ in empty }
    #expect(reading(type.bytes + many + Box("moov", [user]).bytes).malformation != nil)
  }

  @Test func `a truncated movie gives its values or none`() {
    let movie = MovieFile([
      .movieHeader(created: 3_800_000_000),
      Box(
        "udta",
        [
          .userText("©mak", "Maker"), .place(latitude: 1.5, longitude: 2.5, altitude: 3),
        ]),
      .metadata([("com.apple.quicktime.location.ISO6709", "+1.5+2.5+3/")]),
    ])
    let whole = movie.bytes
    for length in 0..<whole.count {
      guard case .photo(let photo) = reading(Array(whole[..<length])) else { continue }
      #expect(photo.coordinate?.latitude ?? 1.5 == 1.5, "\(length) bytes")
      #expect(photo.coordinate != nil, "\(length) bytes")
    }
  }
}
