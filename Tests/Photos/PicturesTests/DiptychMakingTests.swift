import PhotoMetadata
import Storage
import SystemPackage
import TestSupport
import Testing

@testable import Pictures

@Suite struct DiptychMakingTests {
  private let folder = TemporaryFolder()

  private func photo(
    _ content: some Sequence<UInt8>, _ name: String, label: String? = nil
  ) throws -> DiptychOrder.Photo {
    try folder.write(content, to: name)
    return DiptychOrder.Photo(files: [folder.path(name)], label: label)
  }

  private func order(
    _ earlier: some Sequence<UInt8>, _ later: some Sequence<UInt8>
  ) throws -> DiptychOrder {
    DiptychOrder(earlier: try photo(earlier, "a"), later: try photo(later, "b"))
  }

  @Test func `two photos become one upright picture without metadata`() async throws {
    var order = try order(
      try PictureSample.jpeg("RG BW", width: 800, height: 400, orientation: 6),
      try PictureSample.jpeg("GG BB", width: 400, height: 400))
    order.shape = .landscape
    let store = PictureStore(folder: folder.path("kept"))
    let picture = try await store.diptych(order)
    #expect(picture.mediaType == "image/jpeg")
    let size = try #require(JPEGMarkers(picture.bytes)?.size)
    #expect([size.width, size.height] == [1200, 630])
    #expect(try PictureSample.fields(of: picture.bytes, columns: 4, rows: 2) == "BRGG WGBB")
    var reader = MetadataReader()
    #expect(reader.read(picture.bytes) == .photo(PhotoProperties()))
    order.isAnimated = true
    #expect(try await store.diptych(order).mediaType == "image/gif")
  }

  @Test func `photos of the same view are aligned`() throws {
    // Fields of many sizes; the later photo lies 30 pixels further to the left.
    func view(_ shift: Int) -> Pixels {
      var generator = SeededGenerator(seed: 5)
      var rgb = Array(repeating: UInt8(120), count: 640 * 480 * 3)
      for _ in 0..<120 {
        let (x, y) = (
          Int.random(in: -40..<700, using: &generator), Int.random(in: -40..<500, using: &generator)
        )
        let (width, height) = (
          Int.random(in: 20..<160, using: &generator), Int.random(in: 20..<120, using: &generator)
        )
        let color = (0..<3).map { _ in UInt8.random(in: 0...255, using: &generator) }
        for row in max(0, y)..<max(0, y, min(480, y + height)) {
          let left = x - shift
          for column in max(0, left)..<max(0, left, min(640, left + width)) {
            for channel in 0..<3 { rgb[(row * 640 + column) * 3 + channel] = color[channel] }
          }
        }
      }
      return Pixels(width: 640, height: 480, rgb: rgb)
    }
    let photos = try [0, 30].map { try #require(Thumbnail.jpeg(of: view($0), quality: 95)) }
    var order = try order(photos[0], photos[1])
    order.shape = .landscape
    try folder.write(try DiptychMaking.picture(order).bytes, to: "made")
    let made = try PictureMaking.pixels(of: [LibraryFile(folder.path("made"))], longestSide: 1200)
    var differences = 0
    for row in stride(from: 20, to: 610, by: 10) {
      for column in stride(from: 20, to: 580, by: 10) {
        let (left, right) = ((row * 1200 + column) * 3, (row * 1200 + column + 603) * 3)
        let apart = (0..<3).map { abs(Int(made.rgb[left + $0]) - Int(made.rgb[right + $0])) }
        if apart.reduce(0, +) > 90 { differences += 1 }
      }
    }
    // Some edges lie a pixel apart.
    #expect(differences < 59 * 56 / 20)
  }

  @Test(arguments: [(1, 1), (1, 20_000), (20_000, 1)])
  func `photos one pixel wide or high are drawn`(width: Int, height: Int) throws {
    let strange = try PictureSample.jpeg("R", width: width, height: height)
    let other = try PictureSample.jpeg("B", width: 300, height: 200)
    for isAnimated in [false, true] {
      var order = try order(strange, other)
      order.isAnimated = isAnimated
      #expect(try DiptychMaking.picture(order).bytes.count > 1000)
    }
  }

  @Test func `the error names the photo that has no picture`() throws {
    let sound = try PictureSample.jpeg("G", width: 40, height: 30)
    for content: [UInt8] in [
      [], [0xFF, 0xD8, 0xFF, 0xD9], Array("GIF89a".utf8), [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10],
    ] {
      #expect(throws: DiptychError(side: .later, cause: .noPicture)) {
        try DiptychMaking.picture(try order(sound, content))
      }
      #expect(throws: DiptychError(side: .earlier, cause: .noPicture)) {
        try DiptychMaking.picture(try order(content, sound))
      }
    }
    let gone = DiptychOrder.Photo(files: [folder.path("gone")], label: nil)
    #expect(throws: DiptychError(side: .later, cause: .gone)) {
      try DiptychMaking.picture(DiptychOrder(earlier: try photo(sound, "a"), later: gone))
    }
  }

  @Test func `a truncated photo is drawn as far as it can be decoded`() throws {
    let whole = try PictureSample.jpeg("RG BW", width: 600, height: 600)
    let sound = try PictureSample.jpeg("G", width: 40, height: 30)
    let order = try order(whole.prefix(whole.count * 2 / 3), sound)
    #expect(try DiptychMaking.picture(order).bytes.count > 1000)
  }

  @Test func `a photo with four colour components has no picture`() throws {
    // The frame header's three components become four; the remaining data is not examined.
    let sound = try PictureSample.jpeg("G", width: 40, height: 30)
    let start = try #require(sound.indices.first { sound[$0...].starts(with: [0xFF, 0xC0]) })
    var four = sound
    four[start + 3] += 3
    four[start + 9] = 4
    four.insert(contentsOf: [4, 0x11, 0], at: start + 19)
    #expect(throws: DiptychError(side: .earlier, cause: .noPicture)) {
      try DiptychMaking.picture(try order(four, sound))
    }
  }
}
