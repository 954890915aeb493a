/// A colour in sRGB, one byte per channel.
struct Color: Hashable, Sendable {
  let red: UInt8
  let green: UInt8
  let blue: UInt8

  static let white = Color(red: 255, green: 255, blue: 255)
  static let black = Color(red: 0, green: 0, blue: 0)
  /// The background colour.
  static let ground = Color(red: 0x14, green: 0x18, blue: 0x1B)
}

/// A rectangle on a canvas, in pixels.
struct Box: Hashable, Sendable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int
}

/// A picture that can be drawn on.
struct Canvas: Sendable {
  /// The length of a row in pixels.
  let width: Int
  /// The number of rows.
  let height: Int
  private(set) var rgb: [UInt8]

  /// Creates a canvas filled with a colour.
  init(width: Int, height: Int, _ color: Color) {
    (self.width, self.height) = (width, height)
    rgb = Array(repeating: 0, count: width * height * 3)
    fill(Box(x: 0, y: 0, width: width, height: height), color)
  }

  /// The picture drawn so far.
  var pixels: Pixels { Pixels(width: width, height: height, rgb: rgb) }

  /// Blends a colour over pixels, according to their coverage.
  ///
  /// - Parameters:
  ///   - color: The colour.
  ///   - coverage: The coverage of each pixel; clipped to the canvas.
  ///   - x: The column of the first covered pixel.
  ///   - y: The row of the first covered pixel.
  ///   - opacity: The opacity of the colour on covered pixels, 0–255.
  mutating func blend(_ color: Color, _ coverage: Coverage, x: Int, y: Int, opacity: Int = 255) {
    for row in max(0, -y)..<max(0, -y, min(coverage.height, height - y)) {
      for column in max(0, -x)..<max(0, -x, min(coverage.width, width - x)) {
        let share = Int(coverage.values[row * coverage.width + column]) * opacity
        guard share > 0 else { continue }
        let place = ((y + row) * width + x + column) * 3
        blend(place, color.red, share)
        blend(place + 1, color.green, share)
        blend(place + 2, color.blue, share)
      }
    }
  }

  private mutating func blend(_ place: Int, _ value: UInt8, _ share: Int) {
    let whole = 255 * 255
    let sum = Int(rgb[place]) * (whole - share) + Int(value) * share
    rgb[place] = UInt8(truncatingIfNeeded: (sum + whole / 2) / whole)
  }

  /// Draws a part of a picture.
  ///
  /// - Parameters:
  ///   - picture: The picture.
  ///   - box: The destination, inside the canvas.
  ///   - map: Maps points in the box, relative to its corner, to points of the picture. Points
  ///     outside the picture get the colour of its nearest edge pixel.
  mutating func draw(_ picture: Pixels, in box: Box, _ map: Similarity) {
    let sampler = Sampler(picture, map)
    for row in 0..<box.height {
      for column in 0..<box.width {
        let (red, green, blue) = sampler.color(column, row)
        let place = ((box.y + row) * width + box.x + column) * 3
        rgb[place] = red
        rgb[place + 1] = green
        rgb[place + 2] = blue
      }
    }
  }

  /// Copies a rectangle from another canvas of the same size.
  mutating func copy(_ box: Box, of other: Canvas) {
    for row in box.y..<box.y + box.height {
      let start = (row * width + box.x) * 3
      let range = start..<start + box.width * 3
      rgb.replaceSubrange(range, with: other.rgb[range])
    }
  }

  /// Fills a rectangle with a colour.
  mutating func fill(_ box: Box, _ color: Color) {
    for row in box.y..<box.y + box.height {
      for column in box.x..<box.x + box.width {
        let place = (row * width + column) * 3
        rgb[place] = color.red
        rgb[place + 1] = color.green
        rgb[place + 2] = color.blue
      }
    }
  }
}

/// An interpolator of the colours of a picture, with antialiasing.
///
/// The colour of a canvas pixel is the mean of several samples, about as many as there are pixels
/// of the picture in it, so that reducing a picture skips no pixels. Each sample is interpolated
/// between four pixels. Coordinates are fixed-point numbers in units of 1/65,536 pixel.
private struct Sampler {
  private let picture: Pixels
  private let samples: Int
  /// The position of the first sample of a box.
  private let start: (x: Int, y: Int)
  /// The step in the picture from a pixel to the next one in a row; the step to the next row is
  /// perpendicular.
  private let step: (x: Int, y: Int)

  private static let one = 65_536
  /// The maximum number of samples along a pixel's side; a greater reduction skips pixels.
  private static let maximumSamples = 8

  init(_ picture: Pixels, _ map: Similarity) {
    self.picture = picture
    samples = min(max(1, Int(saturating: map.scale.rounded(.up))), Self.maximumSamples)
    let one = Double(Self.one)
    let first = map.transformed(0.5 / Double(samples), 0.5 / Double(samples))
    // The centre of the first pixel of the picture is at (0.5, 0.5).
    start = (Int(saturating: (first.x - 0.5) * one), Int(saturating: (first.y - 0.5) * one))
    step = (Int(saturating: map.a * one), Int(saturating: map.b * one))
  }

  /// Returns the mean colour of the samples of a canvas pixel, relative to the corner of the box.
  func color(_ column: Int, _ row: Int) -> (UInt8, UInt8, UInt8) {
    let x = start.x + column * step.x - row * step.y
    let y = start.y + column * step.y + row * step.x
    var (red, green, blue) = (0, 0, 0)
    for down in 0..<samples {
      for across in 0..<samples {
        let sum = sample(
          x + (across * step.x - down * step.y) / samples,
          y + (across * step.y + down * step.x) / samples)
        red += sum.red
        green += sum.green
        blue += sum.blue
      }
    }
    let count = samples * samples << 16
    return (mean(red, count), mean(green, count), mean(blue, count))
  }

  private func mean(_ sum: Int, _ count: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: (sum + count / 2) / count)
  }

  /// Returns the colour interpolated between four pixels, times 65,536.
  private func sample(_ x: Int, _ y: Int) -> (red: Int, green: Int, blue: Int) {
    let (right, below) = (x >> 8 & 0xFF, y >> 8 & 0xFF)
    let (left, above) = (256 - right, 256 - below)
    let columns = (clamped(x >> 16, picture.width), clamped(x >> 16 + 1, picture.width))
    let rows = (clamped(y >> 16, picture.height), clamped(y >> 16 + 1, picture.height))
    let upper = rows.0 * picture.width
    let lower = rows.1 * picture.width
    let places = (
      (upper + columns.0) * 3, (upper + columns.1) * 3, (lower + columns.0) * 3,
      (lower + columns.1) * 3
    )
    func between(_ channel: Int) -> Int {
      (Int(picture.rgb[places.0 + channel]) * left + Int(picture.rgb[places.1 + channel]) * right)
        * above
        + (Int(picture.rgb[places.2 + channel]) * left
          + Int(picture.rgb[places.3 + channel]) * right) * below
    }
    return (between(0), between(1), between(2))
  }

  private func clamped(_ place: Int, _ count: Int) -> Int { min(max(place, 0), count - 1) }
}
