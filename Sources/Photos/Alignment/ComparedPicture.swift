/// The size of a picture for comparison: the shape of the photo, with a longer side of 128 pixels.
///
/// Both sides are multiples of four and at least 64: of a panorama only the middle is compared.
package struct ComparedSize: Hashable, Sendable {
  /// The length of the longer side in pixels.
  package static let longestSide = 128
  /// The maximum ratio of the longer to the shorter side.
  private static let widestShape = 2.0

  /// The length of a row in pixels.
  package let width: Int
  /// The number of rows.
  package let height: Int

  /// Creates the size for a photo with the given sides, which may be in any unit.
  package init(width: Int, height: Int) {
    let shape = width > 0 && height > 0 ? Double(width) / Double(height) : 1
    let share = max(1 / Self.widestShape, min(shape, 1 / shape))
    let quarters = Double(Self.longestSide) * share / 4
    let shorter = 4 * Int(saturating: quarters.rounded(.toNearestOrAwayFromZero))
    self.width = shape >= 1 ? Self.longestSide : shorter
    self.height = shape >= 1 ? shorter : Self.longestSide
  }
}

/// A small grey picture used for comparison: rows from the top, brightness from 0 to 255.
package struct ComparedPicture: Sendable {
  let width: Int
  let height: Int
  let values: [Double]

  /// Creates a picture of a given size from the middle of a larger picture, cropped to the shape.
  package init(of picture: GreyPicture, size: ComparedSize) {
    let shape = Double(size.width) / Double(size.height)
    let (full, high) = (Double(picture.width), Double(picture.height))
    let isWide = full > high * shape
    let (across, down) = isWide ? (high * shape, high) : (full, full / shape)
    let columns = Resampling(from: picture.width, part: across, to: size.width)
    let rows = Resampling(from: picture.height, part: down, to: size.height)
    var values = [Double](repeating: 0, count: size.width * size.height)
    // Each source row is resampled only once, even if it contributes to two rows of the result.
    var known: (row: Int, line: [Double]) = (-1, [])
    for y in 0..<size.height {
      for (row, share) in rows.shares(of: y) {
        if known.row != row {
          known = (row, columns.resampled(picture.levels, from: row * picture.width))
        }
        for x in 0..<size.width { values[y * size.width + x] += share * known.line[x] }
      }
    }
    self.init(width: size.width, height: size.height, values: values)
  }

  init(width: Int, height: Int, values: [Double]) {
    (self.width, self.height, self.values) = (width, height, values)
  }

  /// The picture at half the width and height, both of which must be even.
  var halved: ComparedPicture {
    let (halfWidth, halfHeight) = (width / 2, height / 2)
    var means = [Double](repeating: 0, count: halfWidth * halfHeight)
    for y in 0..<halfHeight {
      for x in 0..<halfWidth {
        let at = 2 * y * width + 2 * x
        let below = at + width
        means[y * halfWidth + x] =
          (values[at] + values[at + 1] + values[below] + values[below + 1]) / 4
      }
    }
    return ComparedPicture(width: halfWidth, height: halfHeight, values: means)
  }

  private static let gauss = [0.00443, 0.05401, 0.24204, 0.39905, 0.24204, 0.05401, 0.00443]

  /// The picture blurred by a Gaussian with a standard deviation of 1 pixel (seven taps), mirrored
  /// at the edges.
  var blurred: ComparedPicture {
    var once = [Double](repeating: 0, count: values.count)
    var twice = once
    values.withUnsafeBufferPointer { values in
      once.withUnsafeMutableBufferPointer { once in
        for y in 0..<height {
          for x in 0..<width {
            var sum = 0.0
            for tap in -3...3 {
              sum += Self.gauss[tap + 3] * values[y * width + Self.mirrored(x + tap, width)]
            }
            once[y * width + x] = sum
          }
        }
        twice.withUnsafeMutableBufferPointer { twice in
          for y in 0..<height {
            for tap in -3...3 {
              let weight = Self.gauss[tap + 3]
              let from = Self.mirrored(y + tap, height) * width
              for x in 0..<width { twice[y * width + x] += weight * once[from + x] }
            }
          }
        }
      }
    }
    return ComparedPicture(width: width, height: height, values: twice)
  }

  private static func mirrored(_ index: Int, _ count: Int) -> Int {
    index < 0 ? -index : index >= count ? 2 * count - 2 - index : index
  }

  /// The standard deviation of the noise, in grey levels (J. Immerkær, 1996).
  var noise: Double {
    let sum = values.withUnsafeBufferPointer { values in
      var sum = 0.0
      for y in 1..<height - 1 {
        for x in 1..<width - 1 {
          let at = y * width + x
          let beside = values[at - 1] + values[at + 1] + values[at - width] + values[at + width]
          let above = values[at - width - 1] + values[at - width + 1]
          let below = values[at + width - 1] + values[at + width + 1]
          sum += abs(4 * values[at] - 2 * beside + above + below)
        }
      }
      return sum
    }
    return sum * (Double.pi / 2).squareRoot() / Double(6 * (width - 2) * (height - 2))
  }
}

/// The weights that resample a row of pixels to another length.
private struct Resampling {
  /// The offsets in `entries`: pixel p of the result has `entries[starts[p]..<starts[p + 1]]`.
  private var starts: [Int] = [0]
  private var entries: [(index: Int, share: Double)] = []

  /// Creates the weights for the middle `part` of `count` pixels, resampled to `resultCount`
  /// pixels.
  init(from count: Int, part: Double, to resultCount: Int) {
    let first = (Double(count) - part) / 2
    let step = part / Double(resultCount)
    for pixel in 0..<resultCount {
      let from = first + Double(pixel) * step
      if step > 1 {
        addMean(from, from + step, count)
      } else {
        let last = max(first, first + part - 1)
        addBetween(min(max(from + step / 2 - 0.5, first), last), count)
      }
      starts.append(entries.count)
    }
  }

  /// Adds the weights of the pixels between two positions.
  private mutating func addMean(_ from: Double, _ to: Double, _ count: Int) {
    let first = min(max(0, Int(saturating: from.rounded(.down))), count - 1)
    let last = min(max(first, Int(saturating: to.rounded(.up)) - 1), count - 1)
    for index in first...last {
      let share = min(to, Double(index + 1)) - max(from, Double(index))
      if share > 0 || first == last { entries.append((index, share / (to - from))) }
    }
  }

  /// Adds the weights of the two pixels around a position.
  private mutating func addBetween(_ place: Double, _ count: Int) {
    let place = min(max(place, 0), Double(count - 1))
    let index = min(Int(saturating: place.rounded(.down)), count - 1)
    let share = place - Double(index)
    entries.append((index, 1 - share))
    if share > 0, index + 1 < count { entries.append((index + 1, share)) }
  }

  func shares(of pixel: Int) -> ArraySlice<(index: Int, share: Double)> {
    entries[starts[pixel]..<starts[pixel + 1]]
  }

  func resampled(_ levels: [UInt8], from start: Int) -> [Double] {
    (0..<starts.count - 1).map { pixel in
      shares(of: pixel).reduce(0) { $0 + $1.share * Double(levels[start + $1.index]) }
    }
  }
}
