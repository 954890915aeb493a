import TestSupport
import Testing

@testable import Alignment

/// A synthetic place: rectangles of random brightness, larger than the pictures taken of it.
struct Scene {
  private static let margin = 32
  private let width: Int
  private let height: Int
  private var levels: [UInt8]

  init(seed: UInt64, width: Int = 128, height: Int = 96) {
    var random = SeededGenerator(seed: seed)
    self.width = width + 2 * Self.margin
    self.height = height + 2 * Self.margin
    levels = [UInt8](repeating: 128, count: self.width * self.height)
    for _ in 0..<90 {
      let (left, top) = (
        Int.random(in: -10..<self.width, using: &random),
        Int.random(in: -10..<self.height, using: &random)
      )
      let right = min(self.width, left + Int.random(in: 5...26, using: &random))
      let bottom = min(self.height, top + Int.random(in: 5...26, using: &random))
      let level = UInt8.random(in: 20...240, using: &random)
      for y in max(0, top)..<max(0, bottom, top) {
        for x in max(0, left)..<max(0, right, left) { levels[y * self.width + x] = level }
      }
    }
  }

  /// Returns the picture of a camera turned left and up by some pixels, at most 32; `tone` maps
  /// brightness values. It has some noise, like any photo: areas without noise are blank.
  func seen(x: Int = 0, y: Int = 0, tone: (UInt8) -> UInt8 = { $0 }) -> GreyPicture {
    let (seenWidth, seenHeight) = (width - 2 * Self.margin, height - 2 * Self.margin)
    var noise = SeededGenerator(seed: UInt64(64 * (x + Self.margin) + y + Self.margin))
    var seen: [UInt8] = []
    for row in 0..<seenHeight {
      let start = (row + Self.margin - y) * width + Self.margin - x
      for level in levels[start..<start + seenWidth] {
        seen.append(tone(level) &+ UInt8.random(in: 0...2, using: &noise))
      }
    }
    return GreyPicture(width: seenWidth, height: seenHeight, levels: seen)!
  }
}

extension GreyPicture {
  /// The picture of which the first quarter is there: decoders fill the rest with grey.
  func cutOff() throws -> GreyPicture {
    let end = height / 4 * width
    return try #require(
      GreyPicture(
        width: width, height: height,
        levels: levels[..<end] + [UInt8](repeating: 128, count: levels.count - end)))
  }

  /// The picture at the size at which photos of its shape are compared.
  var compared: ComparedPicture {
    ComparedPicture(of: self, size: ComparedSize(width: width, height: height))
  }
}
