/// The coverage of pixels by a shape, 0–255, in rows from the top.
package struct Coverage: Hashable, Sendable {
  /// The length of a row in pixels.
  package let width: Int
  /// The number of rows.
  package let height: Int
  /// The coverage of each pixel.
  package let values: [UInt8]

  /// Creates the coverage of a rectangle with rounded corners.
  init(boxOfWidth width: Int, height: Int, cornerRadius radius: Double) {
    var values: [UInt8] = []
    values.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width {
        // The distance of the pixel's centre from the centres of the corners' circles.
        let across = max(radius - min(Double(x) + 0.5, Double(width - x) - 0.5), 0)
        let down = max(radius - min(Double(y) + 0.5, Double(height - y) - 0.5), 0)
        let outside = (across * across + down * down).squareRoot() - radius
        values.append(UInt8(saturating: min(max(0.5 - outside, 0), 1) * 255 + 0.5))
      }
    }
    (self.width, self.height, self.values) = (width, height, values)
  }

  init(width: Int, height: Int, values: [UInt8]) {
    (self.width, self.height, self.values) = (width, height, values)
  }
}

/// An antialiasing rasterizer of outlines with exact area coverage.
///
/// Each edge adds the area to its right to the pixels that it crosses, and the running sum along a
/// row is the coverage, as in font-rs (Raph Levien, 2016) and the second rasterizer of
/// stb_truetype. Where outlines overlap, a pixel counts as covered once.
struct OutlineCoverage {
  /// A point of a contour in pixels, y downwards.
  typealias Point = GlyphOutlines.Point

  private let width: Int
  private let height: Int
  /// The length of a row in `areas`: an edge may add coverage up to two pixels beyond the last one.
  private let stride: Int
  private var areas: [Double]

  /// Creates a rasterizer without outlines.
  init(width: Int, height: Int) {
    (self.width, self.height, stride) = (width, height, width + 2)
    areas = Array(repeating: 0, count: (width + 2) * height)
  }

  /// The coverage of the outlines added so far.
  var coverage: Coverage {
    var values: [UInt8] = []
    values.reserveCapacity(width * height)
    for row in 0..<height {
      var sum = 0.0
      for column in 0..<width {
        sum += areas[row * stride + column]
        values.append(UInt8(saturating: min(abs(sum), 1) * 255 + 0.5))
      }
    }
    return Coverage(width: width, height: height, values: values)
  }

  /// Adds a closed contour, clamped to the sides of the area.
  mutating func add(_ contour: [Point]) {
    guard let start = Self.start(of: contour) else { return }
    var (at, control) = (start, Point?.none)
    for point in contour + [start] {
      switch (control, point.isOnCurve) {
      case (nil, true):
        addLine(at, point)
        at = point
      case (nil, false): control = point
      case (let middle?, true):
        addCurve(at, middle, point)
        (at, control) = (point, nil)
      case (let middle?, false):
        let between = Self.middle(of: middle, point)
        addCurve(at, middle, between)
        (at, control) = (between, point)
      }
    }
  }

  /// Returns a point on the curve at which a contour can begin: its first point, or one before it.
  private static func start(of contour: [Point]) -> Point? {
    guard let first = contour.first, let last = contour.last else { return nil }
    if first.isOnCurve { return first }
    return last.isOnCurve ? last : middle(of: last, first)
  }

  private static func middle(of one: Point, _ other: Point) -> Point {
    Point(x: (one.x + other.x) / 2, y: (one.y + other.y) / 2)
  }

  /// Adds a quadratic Bézier curve as line segments of about one and a half pixels.
  private mutating func addCurve(_ from: Point, _ control: Point, _ to: Point) {
    let bend = abs(from.x - 2 * control.x + to.x) + abs(from.y - 2 * control.y + to.y)
    let pieces = min(max(1, Int(saturating: (2 * bend).squareRoot().rounded(.up))), 32)
    var at = from
    for piece in 1...pieces {
      let t = Double(piece) / Double(pieces)
      let (before, between, after) = ((1 - t) * (1 - t), 2 * t * (1 - t), t * t)
      let next = Point(
        x: before * from.x + between * control.x + after * to.x,
        y: before * from.y + between * control.y + after * to.y)
      addLine(at, next)
      at = next
    }
  }

  private mutating func addLine(_ from: Point, _ to: Point) {
    let (top, bottom) = from.y < to.y ? (from, to) : (to, from)
    guard top.y < bottom.y else { return }
    let direction = from.y < to.y ? 1.0 : -1
    let slope = (bottom.x - top.x) / (bottom.y - top.y)
    let firstRow = min(max(Int(saturating: top.y), 0), height)
    let lastRow = min(max(Int(saturating: bottom.y.rounded(.up)), 0), height)
    for row in firstRow..<max(firstRow, lastRow) {
      let start = max(top.y, Double(row))
      let end = min(bottom.y, Double(row + 1))
      guard start < end else { continue }
      let limit = Double(width)
      let first = min(max(top.x + (start - top.y) * slope, 0), limit)
      let last = min(max(top.x + (end - top.y) * slope, 0), limit)
      addEdge(row, from: min(first, last), to: max(first, last), (end - start) * direction)
    }
  }

  /// Adds an edge that crosses a row between two columns and covers a share of the row's height.
  private mutating func addEdge(_ row: Int, from left: Double, to right: Double, _ share: Double) {
    let first = Int(saturating: left)
    let last = Int(saturating: right)
    let place = row * stride + first
    guard first < last else {
      let mean = (left + right) / 2 - Double(first)
      areas[place] += share * (1 - mean)
      areas[place + 1] += share * mean
      return
    }
    // Accumulates the area to the right of the edge, pixel by pixel.
    let slope = 1 / (right - left)
    var before = 0.0
    for column in first...last {
      let reach = min(Double(column + 1), right)
      let begin = max(Double(column), left)
      // The shares of the height passed at the end and at the start of the pixel.
      let passed = (reach - left) * slope
      let begun = (begin - left) * slope
      let area = (begun + passed) / 2 * (reach - begin) + passed * (Double(column + 1) - reach)
      areas[row * stride + column] += share * (area - before)
      before = area
    }
    areas[row * stride + last + 1] += share * (1 - before)
  }
}
