/// A palette of the colours that represent a picture best, chosen by median cut (Heckbert, 1982).
struct ColorTable: Sendable {
  /// The colours of the palette, at least one.
  let colors: [Color]
  /// The palette index of each pixel.
  let indices: [UInt8]

  /// Creates a palette.
  ///
  /// - Parameters:
  ///   - rgb: The colours of the pixels, three bytes each.
  ///   - maximumColors: The maximum number of colours, up to 256.
  init(_ rgb: [UInt8], maximumColors: Int) {
    let colors = Self.distinct(rgb)
    var boxes = [ColorBox(colors[...])].compactMap(\.self)
    while boxes.count < maximumColors,
      let widest = boxes.indices.max(by: { boxes[$0].error < boxes[$1].error }),
      boxes[widest].error > 0
    {
      let (left, right) = boxes[widest].halves
      boxes[widest] = left
      boxes.append(right)
    }
    self.colors = boxes.isEmpty ? [.black] : boxes.map(\.mean)
    var places: [Int32: UInt8] = [:]
    places.reserveCapacity(colors.count)
    for (place, box) in boxes.enumerated() {
      for color in box.colors { places[color.key] = UInt8(truncatingIfNeeded: place) }
    }
    indices = stride(from: 0, to: rgb.count - 2, by: 3).map { place in
      places[Self.key(rgb[place], rgb[place + 1], rgb[place + 2])] ?? 0
    }
  }

  /// Returns the distinct colours of a picture, at 7 bits per channel, with their pixel counts.
  private static func distinct(_ rgb: [UInt8]) -> [CountedColor] {
    var counts: [Int32: Int] = [:]
    for place in stride(from: 0, to: rgb.count - 2, by: 3) {
      counts[key(rgb[place], rgb[place + 1], rgb[place + 2]), default: 0] += 1
    }
    // Sorted, because the order of a dictionary is random.
    return counts.map(CountedColor.init).sorted { $0.key < $1.key }
  }

  private static func key(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int32 {
    Int32(red >> 1) << 14 | Int32(green >> 1) << 7 | Int32(blue >> 1)
  }
}

/// A colour at 7 bits per channel with its pixel count.
private struct CountedColor {
  let key: Int32
  let count: Int

  init(_ entry: (key: Int32, value: Int)) { (key, count) = entry }

  func channel(_ number: Int) -> Int { Int(key >> Int32(14 - 7 * number)) & 0x7F }
}

/// A set of colours represented by a single palette colour.
private struct ColorBox {
  let colors: ArraySlice<CountedColor>
  /// The channel in which the colours differ most.
  private let channel: Int
  /// The sum of squared deviations from the mean in that channel.
  let error: Double
  let mean: Color

  init?(_ colors: ArraySlice<CountedColor>) {
    guard !colors.isEmpty else { return nil }
    self.colors = colors
    var count = 0
    var sums = [0, 0, 0]
    var squares = [0, 0, 0]
    for color in colors {
      count += color.count
      for channel in 0..<3 {
        let value = color.channel(channel)
        sums[channel] += value * color.count
        squares[channel] += value * value * color.count
      }
    }
    let errors = (0..<3).map {
      Double(squares[$0]) - Double(sums[$0]) * Double(sums[$0]) / Double(count)
    }
    channel = (0..<3).max { errors[$0] < errors[$1] } ?? 0
    error = colors.count > 1 ? errors[channel] : 0
    // From 7 bits to 8.
    let bytes = sums.map { UInt8(truncatingIfNeeded: ($0 * 255 + 127 * count / 2) / (127 * count)) }
    mean = Color(red: bytes[0], green: bytes[1], blue: bytes[2])
  }

  /// The colours on both sides of the mean in that channel, at least one on each side.
  var halves: (ColorBox, ColorBox) {
    let channel = channel
    let sorted = colors.sorted {
      ($0.channel(channel), $0.key) < ($1.channel(channel), $1.key)
    }
    let total = sorted.reduce(0) { $0 + $1.count * $1.channel(channel) }
    let count = sorted.reduce(0) { $0 + $1.count }
    let split =
      sorted.firstIndex { $0.channel(channel) * count > total } ?? sorted.count / 2
    let middle = min(max(split, 1), sorted.count - 1)
    guard let left = ColorBox(sorted[..<middle]), let right = ColorBox(sorted[middle...]) else {
      return (self, self)
    }
    return (left, right)
  }
}
