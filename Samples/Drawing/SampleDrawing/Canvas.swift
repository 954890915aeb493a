/// A color with red, green and blue components, each 0 to 1.
struct Color {
  var red: Double
  var green: Double
  var blue: Double

  /// Creates a color from the number `0xRRGGBB`.
  init(_ hex: Int) {
    red = Double(hex >> 16 & 0xFF) / 255
    green = Double(hex >> 8 & 0xFF) / 255
    blue = Double(hex & 0xFF) / 255
  }

  /// Returns the linear mixture of this color (0) and another (1).
  func mixed(with other: Color, _ share: Double) -> Color {
    var color = self
    color.red += (other.red - red) * share
    color.green += (other.green - green) * share
    color.blue += (other.blue - blue) * share
    return color
  }
}

/// A point of a drawing: `x` to the right and `y` down, 320 by 240 units from the upper left
/// corner.
struct Point {
  var x: Double
  var y: Double

  init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

/// A surface to draw on with filled shapes, whose edges are smoothed by drawing at twice the size.
struct Canvas {
  /// The width in units of ``Point``.
  let width: Double
  /// The height in units of ``Point``.
  let height: Double

  private static let scale = 2
  private let columns: Int
  private let rows: Int
  private var pixels: [Color]

  /// Creates a black canvas.
  init(width: Int, height: Int) {
    self.width = Double(width)
    self.height = Double(height)
    columns = width * Self.scale
    rows = height * Self.scale
    pixels = Array(repeating: Color(0), count: columns * rows)
  }

  /// Fills rows with a vertical gradient.
  mutating func fillBand(from top: Double, to bottom: Double, _ upper: Color, _ lower: Color) {
    let scale = Double(Self.scale)
    let first = max(0, Int(top * scale))
    let end = min(rows, Int(bottom * scale))
    guard first < end else { return }
    for row in first..<end {
      let color = upper.mixed(with: lower, (Double(row) / scale - top) / (bottom - top))
      for column in 0..<columns { pixels[row * columns + column] = color }
    }
  }

  /// Fills the area enclosed by closed outlines, by the even-odd rule: an area enclosed by an even
  /// number of them is a hole.
  mutating func fill(_ outlines: [Point]..., color: Color, opacity: Double = 1) {
    fill(outlines, color: color, opacity: opacity)
  }

  /// Fills outlines as above, given as one array.
  mutating func fill(_ outlines: [[Point]], color: Color, opacity: Double = 1) {
    let scale = Double(Self.scale)
    let heights = outlines.joined().map(\.y)
    guard let top = heights.min(), let bottom = heights.max() else { return }
    let first = Int(max(0, min(top * scale, Double(rows))))
    let last = Int(max(0, min(bottom * scale + 1, Double(rows))))
    for row in first..<max(first, last) {
      let crossings = Self.crossings(of: outlines, at: (Double(row) + 0.5) / scale)
      for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
        let from = Int(max(0, min((crossings[pair] * scale).rounded(), Double(columns))))
        let to = Int(max(0, min((crossings[pair + 1] * scale).rounded(), Double(columns))))
        for column in from..<max(from, to) {
          let place = row * columns + column
          pixels[place] = pixels[place].mixed(with: color, opacity)
        }
      }
    }
  }

  private static func crossings(of outlines: [[Point]], at y: Double) -> [Double] {
    var crossings: [Double] = []
    for outline in outlines {
      guard var previous = outline.last else { continue }
      for point in outline {
        if (previous.y <= y) != (point.y <= y) {
          let share = (y - previous.y) / (point.y - previous.y)
          crossings.append(previous.x + (point.x - previous.x) * share)
        }
        previous = point
      }
    }
    return crossings.sorted()
  }

  /// Mirrors the area above a line into the area below it, with waves and a tint, like still water.
  mutating func reflect(below line: Double, tint: Color, strength: Double = 0.45) {
    let first = Int(line * Double(Self.scale))
    for row in first..<rows {
      let depth = row - first
      let ripple = (depth / 3 % 4 == 0 ? 2 : 0) + (depth / 5 % 3 == 1 ? -2 : 0)
      let source = max(0, first - 1 - depth * first / max(first, rows - first))
      for column in 0..<columns {
        let from = source * columns + min(max(column + ripple, 0), columns - 1)
        pixels[row * columns + column] = pixels[from].mixed(with: tint, strength)
      }
    }
  }

  /// Returns the drawing at its final size.
  func picture() -> Picture {
    let scale = Self.scale
    var rgb: [UInt8] = []
    rgb.reserveCapacity(columns * rows * 3 / (scale * scale))
    for row in stride(from: 0, to: rows, by: scale) {
      for column in stride(from: 0, to: columns, by: scale) {
        let upper = pixels[row * columns + column].mixed(
          with: pixels[row * columns + column + 1], 0.5)
        let lower = pixels[(row + 1) * columns + column].mixed(
          with: pixels[(row + 1) * columns + column + 1], 0.5)
        let color = upper.mixed(with: lower, 0.5)
        for part in [color.red, color.green, color.blue] {
          rgb.append(UInt8((min(max(part, 0), 1) * 255).rounded()))
        }
      }
    }
    return Picture(width: columns / scale, height: rows / scale, rgb: rgb)
  }
}
