import TestSupport
import Testing

@testable import Alignment

@Suite struct ComparedPictureTests {
  @Test(arguments: [
    (4000, 3000, 128, 96), (3000, 4000, 96, 128), (1, 60_000, 64, 128), (60_000, 1, 128, 64),
    (0, 0, 128, 128), (-3, 5, 128, 128), (1, 1, 128, 128), (1920, 1080, 128, 72),
  ])
  func `the compared size keeps a photo's aspect ratio, at most 2:1`(
    width: Int, height: Int, comparedWidth: Int, comparedHeight: Int
  ) {
    let size = ComparedSize(width: width, height: height)
    #expect(size.width == comparedWidth && size.height == comparedHeight)
  }

  @Test func `a grey picture needs one byte per pixel and at least one pixel`() {
    #expect(GreyPicture(width: 2, height: 2, levels: [1, 2, 3]) == nil)
    #expect(GreyPicture(width: 2, height: 2, levels: [1, 2, 3, 4, 5]) == nil)
    #expect(GreyPicture(width: 0, height: 2, levels: []) == nil)
    #expect(GreyPicture(width: -1, height: -1, levels: [1]) == nil)
    #expect(GreyPicture(width: .max, height: .max, levels: [1]) == nil)
    #expect(GreyPicture(width: 1, height: 1, rgb: [1, 2]) == nil)
    #expect(GreyPicture(width: 1, height: 1, rgb: [255, 255, 255])?.levels == [255])
    #expect(GreyPicture(width: 1, height: 1, rgb: [255, 0, 0])?.levels == [76])
    #expect(GreyPicture(width: 1, height: 1, rgb: [0, 255, 0])?.levels == [150])
  }

  @Test func `a picture of the compared size is unchanged, one twice as large is averaged 2 × 2`()
    throws
  {
    let scene = Scene(seed: 4).seen()
    #expect(scene.compared.values == scene.levels.map(Double.init))
    var random = SeededGenerator(seed: 5)
    let levels = (0..<256 * 192).map { _ in UInt8.random(in: 0...255, using: &random) }
    let large = try #require(GreyPicture(width: 256, height: 192, levels: levels)).compared
    for (index, value) in large.values.enumerated() {
      let at = 512 * (index / 128) + 2 * (index % 128)
      let sum = [at, at + 1, at + 256, at + 257].reduce(0) { $0 + Double(levels[$1]) }
      #expect(abs(value - sum / 4) < 1e-9)
    }
  }

  @Test func `a picture of another aspect ratio is cropped to its middle`() throws {
    // Three vertical bands of a panorama: a square crop holds only the middle one.
    let levels = (0..<300 * 100).map { at in UInt8([10, 200, 90][at % 300 / 100]) }
    let panorama = try #require(GreyPicture(width: 300, height: 100, levels: levels))
    let square = ComparedPicture(of: panorama, size: ComparedSize(width: 1, height: 1))
    #expect(square.values.allSatisfy { abs($0 - 200) < 1e-9 })
  }

  @Test(arguments: Effort.seeds(20))
  func `compared pixels stay within the range of the picture's values`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let width = Int.random(in: 1...400, using: &random)
    let height = Int.random(in: 1...400, using: &random)
    let levels = (0..<width * height).map { _ in UInt8.random(in: 50...60, using: &random) }
    let picture = try #require(GreyPicture(width: width, height: height, levels: levels))
    for size in [
      ComparedSize(width: width, height: height), ComparedSize(width: 1, height: 2),
      ComparedSize(width: 4, height: 3),
    ] {
      let compared = ComparedPicture(of: picture, size: size)
      #expect(compared.values.count == size.width * size.height)
      #expect(
        compared.values.allSatisfy { $0 >= 50 - 1e-9 && $0 <= 60 + 1e-9 },
        "seed \(seed): \(width) × \(height)")
    }
  }

  @Test func `the paper border around a print is ignored`() throws {
    let scene = Scene(seed: 6)
    let print = { (tone: UInt8, picture: GreyPicture) -> GreyPicture in
      let levels = picture.levels.enumerated().map { at, level in
        let (x, y) = (at % 128, at / 128)
        return min(x, y, 127 - x, 95 - y) < 9 + (x / 7 + y / 5) % 2 ? tone : level
      }
      return GreyPicture(width: 128, height: 96, levels: levels)!
    }
    #expect(Border.inside(scene.seen().compared) == nil)
    for tone in [12, 225, 245] as [UInt8] {
      let paper = print(tone, scene.seen()).compared
      let inside = try #require(Border.inside(paper))
      #expect(inside[48 * 128 + 64] && !inside[3 * 128 + 3] && !inside[48 * 128 + 2])
      let found = Aligner(paper).placement(in: scene.seen(x: 7).compared)
      #expect(found.isLocked && abs(found.dx - 7.0 / 128) < 0.008)
      // Two different prints are not matched by their identical borders.
      let other = print(tone, Scene(seed: 60).seen()).compared
      #expect(!Aligner(paper).placement(in: other).isLocked)
    }
  }
}
