/// The border of an old print scanned together with its paper: white, cream or black, on all sides,
/// with straight, curved or ragged edges. The edges of the border are not part of the view.
enum Border {
  /// The maximum deviation of paper from the tone of the border, in grey levels.
  private static let toneLevels = 22.0
  /// The minimum share of border-toned pixels in a row or column of the border.
  private static let paperShare = 0.72
  /// The minimum and maximum width of a border, as shares of the picture's side.
  private static let narrowest = 0.015
  private static let widest = 0.28
  /// The depth of curved edges, and the width of the excluded strip along the border, in pixels.
  private static let curve = 5.0
  private static let beside = 3

  private struct Margins {
    let top: Double
    let bottom: Double
    let left: Double
    let right: Double
  }

  /// Returns a mask of the picture inside its border; `nil` if it has no border.
  static func inside(_ picture: ComparedPicture) -> [Bool]? {
    let tone = edgeTone(of: picture)
    let isPaper = picture.values.map { abs($0 - tone) <= toneLevels }
    let (width, height) = (picture.width, picture.height)
    let rowPaper = { (row: Int) in (0..<width).count { isPaper[row * width + $0] } }
    let columnPaper = { (column: Int) in (0..<height).count { isPaper[$0 * width + column] } }
    let margins = Margins(
      top: margin(height, width, rowPaper),
      bottom: margin(height, width) { rowPaper(height - 1 - $0) },
      left: margin(width, height, columnPaper),
      right: margin(width, height) { columnPaper(width - 1 - $0) })
    let isBordered = [margins.top, margins.bottom, margins.left, margins.right].allSatisfy {
      $0 >= narrowest && $0 < widest
    }
    return isBordered ? mask(picture, margins, isPaper) : nil
  }

  /// Returns the width of the border on one side, as a share of the picture's extent in that
  /// direction.
  private static func margin(_ count: Int, _ length: Int, _ paper: (Int) -> Int) -> Double {
    for depth in 0..<count {
      guard Double(depth) < Double(count) * widest else { break }
      if Double(paper(depth)) < paperShare * Double(length) { return Double(depth) / Double(count) }
    }
    return widest
  }

  /// Returns the median brightness of the outermost pixels.
  private static func edgeTone(of picture: ComparedPicture) -> Double {
    let (width, height, values) = (picture.width, picture.height, picture.values)
    var tones: [Double] = []
    for x in 0..<width { tones += [values[x], values[(height - 1) * width + x]] }
    for y in 0..<height { tones += [values[y * width], values[(y + 1) * width - 1]] }
    return tones.sorted()[tones.count >> 1]
  }

  /// Returns the mask: all pixels except the paper connected to the picture's edge, up to slightly
  /// beyond the margins, and a strip along it.
  private static func mask(
    _ picture: ComparedPicture, _ margins: Margins, _ isPaper: [Bool]
  ) -> [Bool] {
    let (width, height) = (picture.width, picture.height)
    let left = margins.left * Double(width) + curve
    let right = Double(width - 1) - margins.right * Double(width) - curve
    let top = margins.top * Double(height) + curve
    let bottom = Double(height - 1) - margins.bottom * Double(height) - curve
    var isBorder = [Bool](repeating: false, count: width * height)
    var waiting: [(x: Int, y: Int)] = []
    for x in 0..<width { waiting += [(x, 0), (x, height - 1)] }
    for y in 0..<height { waiting += [(0, y), (width - 1, y)] }
    while let (x, y) = waiting.popLast() {
      guard x >= 0, y >= 0, x < width, y < height else { continue }
      let at = y * width + x
      let isDeep =
        Double(x) > left && Double(x) < right && Double(y) > top && Double(y) < bottom
      guard !isBorder[at], !isDeep, isPaper[at] else { continue }
      isBorder[at] = true
      waiting += [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
    }
    var inside = [Bool](repeating: true, count: width * height)
    for y in 0..<height {
      for x in 0..<width where isBorder[y * width + x] {
        for besideY in max(0, y - beside)...min(height - 1, y + beside) {
          for besideX in max(0, x - beside)...min(width - 1, x + beside) {
            inside[besideY * width + besideX] = false
          }
        }
      }
    }
    return inside
  }
}
