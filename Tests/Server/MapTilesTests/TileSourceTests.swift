import HTTPClient
import SystemPackage
import Testing

@testable import MapTiles

@Suite struct TileSourceTests {
  @Test(arguments: [
    ("https://tiles.example/{z}/{x}/{y}.png", "https://tiles.example/3/4/5.png"),
    ("HTTP://a:8080/?y={y}&x={x}&z={z}&key=1", "http://a:8080/?y=5&x=4&z=3&key=1"),
  ])
  func `an address has placeholders for zoom, column and row`(setting: String, url: String) throws {
    let source = try TileSource(setting: setting)
    #expect(source.address(zoom: 3, x: 4, y: 5)?.url == url)
  }

  @Test(arguments: [
    "", "https://tiles.example/{z}/{x}.png", "https://tiles.example/0/0/0.png",
    "ftp://tiles.example/{z}/{x}/{y}.png", "https://{s}.tiles.example/{z}/{x}/{y}.png",
    "https://tiles.example/{z}/{x}/{y}{r}.png", "https:///{z}/{x}/{y}.png",
    "https://tiles.example/{z}/{x}/{y} .png", "file:///tmp/{z}/{x}/{y}.png",
  ])
  func `rejects an invalid tile address`(setting: String) {
    #expect(throws: TileSourceError.self) { try TileSource(setting: setting) }
  }

  @Test func `any other setting is a path`() throws {
    #expect(try TileSource(setting: "/maps/a").kind == .folder("/maps/a"))
    #expect(try TileSource(setting: "/maps/a.MBTiles").kind == .database("/maps/a.MBTiles"))
    #expect(try TileSource(setting: "maps").address(zoom: 0, x: 0, y: 0) == nil)
  }

  @Test(
    arguments: [
      (nil, 604_800), ("max-age=86401", 86_401), ("public, Max-Age = 172800", 172_800),
      ("max-age=60", 86_400), ("no-store", 604_800), ("max-age=-1", 86_400),
      ("max-age=99999999999", 31_536_000), ("max-age=999999999999999999999999", 604_800),
      ("s-maxage=99999, max-age=100000, max-age=1", 100_000),
    ] as [(String?, Int64)])
  func `a tile stays fresh for as long as its server says, at least one day`(
    header: String?, seconds: Int64
  ) {
    #expect(TileFetcher.freshSeconds(header) == seconds)
  }

  @Test func `truncated pictures are recognised`() {
    let png: [UInt8] =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 9] + Array("IEND".utf8) + [1, 2, 3, 4]
    let webP = Array("RIFF".utf8) + [6, 0, 0, 0] + Array("WEBPab".utf8)
    for whole in [png, webP, [0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xD9]] {
      #expect(TilePicture.mediaType(of: whole) != nil && TilePicture.isWhole(whole))
      #expect(!TilePicture.isWhole(whole.dropLast()))
      #expect(!TilePicture.isWhole(Array(whole.prefix(3))))
    }
    #expect(TilePicture.mediaType(of: Array("<svg xmlns=".utf8)) == nil)
    #expect(!TilePicture.isWhole(Array("RIFF".utf8)))
  }
}
