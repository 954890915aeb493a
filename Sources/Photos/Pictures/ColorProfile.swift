internal import CLibrary

/// An RGB colour space described by an ICC profile with three primaries and three tone curves
/// (ICC.1:2022, section 8.3.3), such as Display P3, which phones use, or Adobe RGB, which cameras
/// use.
struct ColorProfile {
  /// The linear intensity, 0 to 1, of each byte value of red, green and blue.
  private let intensities: [[Double]]
  /// The rows of the matrix that converts these linear intensities to those of sRGB.
  private let rows: [[Double]]

  /// Parses a profile; `nil` if the bytes are not a profile of this kind, or if it differs from
  /// sRGB by at most two byte steps.
  ///
  /// - Parameter profile: The bytes of the profile.
  init?(_ profile: some Collection<UInt8>) {
    let reader = ProfileReader(Array(profile))
    guard reader.text(at: 36) == "acsp", reader.text(at: 16) == "RGB ",
      reader.text(at: 20) == "XYZ ",
      let colors = reader.colors, let curves = reader.curves
    else { return nil }
    intensities = curves
    rows = Self.sRGBOfXYZ.map { row in
      (0..<3).map { column in
        var sum = 0.0
        for place in 0..<3 { sum += row[place] * colors[column][place] }
        return sum
      }
    }
    guard !isSRGB else { return nil }
  }

  /// Whether a conversion to sRGB would make no visible difference.
  private var isSRGB: Bool {
    let steps: [UInt8] = [0, 64, 128, 192, 255]
    for red in steps {
      for green in steps {
        for blue in steps {
          let converted = sRGB(red, green, blue)
          guard abs(Int(converted.red) - Int(red)) <= 2,
            abs(Int(converted.green) - Int(green)) <= 2,
            abs(Int(converted.blue) - Int(blue)) <= 2
          else { return false }
        }
      }
    }
    return true
  }

  /// Converts a colour to sRGB; a colour outside the gamut of sRGB is clamped.
  func sRGB(
    _ red: UInt8, _ green: UInt8, _ blue: UInt8
  ) -> (red: UInt8, green: UInt8, blue: UInt8) {
    let red = intensities[0][Int(red)]
    let green = intensities[1][Int(green)]
    let blue = intensities[2][Int(blue)]
    func sample(_ row: [Double]) -> UInt8 {
      let intensity = min(max(row[0] * red + row[1] * green + row[2] * blue, 0), 1)
      return Self.samples[Int(saturating: intensity * Double(Self.samples.count - 1) + 0.5)]
    }
    return (sample(rows[0]), sample(rows[1]), sample(rows[2]))
  }

  /// The sRGB bytes of evenly spaced linear intensities, according to the curve of IEC 61966-2-1.
  private static let samples: [UInt8] = (0..<16_384).map { step in
    let intensity = Double(step) / 16_383
    let sample =
      intensity <= 0.003_130_8 ? 12.92 * intensity : 1.055 * pow(intensity, 1 / 2.4) - 0.055
    return UInt8(saturating: sample * 255 + 0.5)
  }

  /// The matrix that converts the connection space of profiles, XYZ under D50, to linear sRGB: the
  /// inverse of the primaries in the profile of sRGB.
  private static let sRGBOfXYZ: [[Double]] = [
    [3.133_856_1, -1.616_866_7, -0.490_614_6],
    [-0.978_768_4, 1.916_141_5, 0.033_454_0],
    [0.071_945_3, -0.228_991_4, 1.405_242_7],
  ]
}

extension Pixels {
  /// Returns the picture converted to sRGB.
  ///
  /// - Parameter profile: The ICC profile of the picture.
  /// - Returns: The converted picture, or the same picture if the profile is empty, of an
  ///   unsupported kind, or that of sRGB.
  package func inSRGB(from profile: some Collection<UInt8>) -> Pixels {
    guard let profile = ColorProfile(profile) else { return self }
    var rgb = rgb
    for place in stride(from: 0, to: rgb.count, by: 3) {
      (rgb[place], rgb[place + 1], rgb[place + 2]) = profile.sRGB(
        rgb[place], rgb[place + 1], rgb[place + 2])
    }
    return Pixels(width: width, height: height, rgb: rgb, isCutOff: isCutOff)
  }
}

/// A reader of the contents of a profile; all numbers are big-endian (ICC.1:2022, section 4).
private struct ProfileReader {
  /// The maximum number of points in a curve; real profiles have fewer.
  private static let maximumPoints = 4096
  /// The maximum number of tags.
  private static let maximumTags = 100

  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns four characters at an offset.
  func text(at offset: Int) -> String? {
    part(at: offset, count: 4).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The primaries of red, green and blue in XYZ (section 9.2, `rXYZ`, `gXYZ`, `bXYZ`).
  var colors: [[Double]]? {
    var colors: [[Double]] = []
    for name in ["rXYZ", "gXYZ", "bXYZ"] {
      guard let tag = tag(name), text(at: tag) == "XYZ ", let x = fixed(at: tag + 8),
        let y = fixed(at: tag + 12), let z = fixed(at: tag + 16)
      else { return nil }
      colors.append([x, y, z])
    }
    return colors
  }

  /// The linear intensities, 0 to 1, of each byte value of red, green and blue (`rTRC`, `gTRC`,
  /// `bTRC`).
  var curves: [[Double]]? {
    var curves: [[Double]] = []
    for name in ["rTRC", "gTRC", "bTRC"] {
      guard let tag = tag(name), let curve = curve(at: tag) else { return nil }
      var intensities: [Double] = []
      for sample in 0...255 {
        let intensity = curve(Double(sample) / 255)
        guard intensity.isFinite else { return nil }
        intensities.append(min(max(intensity, 0), 1))
      }
      curves.append(intensities)
    }
    return curves
  }

  /// Parses a tone curve: evenly spaced points or a gamma (section 10.6), or a parametric curve
  /// (section 10.18).
  private func curve(at tag: Int) -> ((Double) -> Double)? {
    switch text(at: tag) {
    case "curv":
      guard let count = uint32(at: tag + 8), count <= Self.maximumPoints else { return nil }
      if count == 0 { return { $0 } }
      if count == 1 {
        guard let exponent = uint16(at: tag + 12) else { return nil }
        return { pow($0, Double(exponent) / 256) }
      }
      let points = (0..<count).compactMap { uint16(at: tag + 12 + 2 * $0) }
      guard points.count == count else { return nil }
      return { sample in
        let place = sample * Double(count - 1)
        let lower = min(Int(saturating: place), count - 2)
        let share = place - Double(lower)
        return (Double(points[lower]) * (1 - share) + Double(points[lower + 1]) * share) / 65_535
      }
    case "para":
      let counts = [1, 3, 4, 5, 7]
      guard let kind = uint16(at: tag + 8), kind < counts.count else { return nil }
      let read = (0..<counts[kind]).compactMap { fixed(at: tag + 12 + 4 * $0) }
      guard read.count == counts[kind] else { return nil }
      return Self.formula(kind, read)
    default: return nil
    }
  }

  /// Returns a parametric curve of table 68, with the parameters g, a, b, c, d, e, f in this order.
  private static func formula(_ kind: Int, _ read: [Double]) -> (Double) -> Double {
    let g = read[0]
    let (a, b) = kind >= 1 ? (read[1], read[2]) : (1, 0)
    switch kind {
    case 0: return { pow($0, g) }
    case 1, 2:
      let c = kind == 2 ? read[3] : 0
      return { a * $0 + b >= 0 ? pow(a * $0 + b, g) + c : c }
    default:
      let (c, d) = (read[3], read[4])
      let (e, f) = kind == 4 ? (read[5], read[6]) : (0, 0)
      return { $0 >= d ? pow(max(a * $0 + b, 0), g) + e : c * $0 + f }
    }
  }

  /// Returns the offset of a tag's data.
  private func tag(_ name: String) -> Int? {
    guard let count = uint32(at: 128), count <= Self.maximumTags else { return nil }
    for number in 0..<count where text(at: 132 + 12 * number) == name {
      return uint32(at: 136 + 12 * number)
    }
    return nil
  }

  private func part(at offset: Int, count: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    return bytes[offset..<offset + count]
  }

  private func uint16(at offset: Int) -> Int? {
    part(at: offset, count: 2).map { $0.reduce(0) { $0 << 8 | Int($1) } }
  }

  private func uint32(at offset: Int) -> Int? {
    part(at: offset, count: 4).map { $0.reduce(0) { $0 << 8 | Int($1) } }
  }

  /// Parses a 16.16 fixed-point number (section 4.2, `s15Fixed16Number`).
  private func fixed(at offset: Int) -> Double? {
    uint32(at: offset).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
  }
}
