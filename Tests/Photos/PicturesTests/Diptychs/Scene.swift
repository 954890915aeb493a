import CLibrary
import TestSupport

@testable import Pictures

/// Synthetic pictures.
enum Scene {
  /// A picture of one colour.
  static func plain(_ width: Int, _ height: Int, _ color: Color = .white) -> Pixels {
    Canvas(width: width, height: height, color).pixels
  }

  /// Returns a smooth scene transformed by a similarity, which maps pixels to positions in the
  /// scene.
  static func smooth(_ width: Int, _ height: Int, _ map: Similarity) -> Pixels {
    var rgb: [UInt8] = []
    for row in 0..<height {
      for column in 0..<width {
        let (x, y) = map.transformed(Double(column) + 0.5, Double(row) + 0.5)
        for phase in [0.0, 1, 2] {
          let value = sin(x / 37 + phase) * cos(y / 29 - phase) + sin((x + y) / 61 + phase)
          rgb.append(UInt8(saturating: 127 + 55 * value))
        }
      }
    }
    return Pixels(width: width, height: height, rgb: rgb)
  }

  /// Returns noise, which cannot be compressed.
  static func noise(_ width: Int, _ height: Int, seed: UInt64) -> Pixels {
    var generator = SeededGenerator(seed: seed)
    let rgb = (0..<width * height * 3).map { _ in UInt8.random(in: 0...255, using: &generator) }
    return Pixels(width: width, height: height, rgb: rgb)
  }
}

extension Pixels {
  /// The colour of a pixel.
  func color(_ x: Int, _ y: Int) -> [Int] {
    let place = (y * width + x) * 3
    return rgb[place..<place + 3].map { Int($0) }
  }
}
