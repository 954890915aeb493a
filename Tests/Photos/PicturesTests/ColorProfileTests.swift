import TestSupport
import Testing

@testable import Pictures

/// Expected colours are computed by Little CMS 2 with the relative colorimetric intent.
@Suite struct ColorProfileTests {
  /// An ICC profile with three colours in XYZ and one curve for all of them.
  private static func profile(
    _ colors: [[Double]], curve: [UInt8], space: String = "RGB "
  ) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 128)
    bytes.replaceSubrange(16..<20, with: space.utf8)
    bytes.replaceSubrange(20..<24, with: "XYZ ".utf8)
    bytes.replaceSubrange(36..<40, with: "acsp".utf8)
    let names = ["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"]
    bytes += uint32(names.count)
    let data = 132 + 12 * names.count
    for (number, name) in names.enumerated() {
      bytes += Array(name.utf8) + uint32(data + 20 * min(number, 3))
      bytes += uint32(number < 3 ? 20 : curve.count)
    }
    for color in colors {
      bytes +=
        Array("XYZ ".utf8) + uint32(0) + color.flatMap { uint32(Int(saturating: $0 * 65_536)) }
    }
    return bytes + curve
  }

  private static func uint32(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static let displayP3 = [
    [0.515_12, 0.241_2, -0.001_05], [0.291_98, 0.692_25, 0.041_89], [0.157_1, 0.066_57, 0.784_07],
  ]
  private static let genericRGBColors = [
    [0.454_3, 0.241_91, 0.014_89], [0.353_35, 0.673_63, 0.090_64], [0.156_65, 0.084_46, 0.719_57],
  ]
  private static let sRGB = [
    [0.436_07, 0.222_49, 0.013_92], [0.385_15, 0.716_87, 0.097_08], [0.143_07, 0.060_61, 0.714_1],
  ]

  /// The curve of sRGB as a formula.
  private static var formula: [UInt8] {
    let numbers = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.040_45]
    return Array("para".utf8) + uint32(0) + [0, 3, 0, 0]
      + numbers.flatMap { uint32(Int(saturating: $0 * 65_536)) }
  }

  /// An exponent.
  private static func exponent(_ exponent: Double) -> [UInt8] {
    Array("curv".utf8) + uint32(0) + uint32(1) + uint32(Int(saturating: exponent * 256)).suffix(2)
  }

  /// A profile whose grey of 128 is 146 in sRGB.
  static let genericRGB = profile(genericRGBColors, curve: exponent(1.8))

  private func converted(_ color: [UInt8], _ profile: [UInt8]) -> [UInt8] {
    Pixels(width: 1, height: 1, rgb: color).inSRGB(from: profile).rgb
  }

  private func expectNear(_ color: [UInt8], _ expected: [UInt8], _ profile: [UInt8]) {
    let found = converted(color, profile)
    #expect(
      zip(found, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 },
      "\(color) is \(found), not \(expected)")
  }

  @Test(
    arguments: [
      ([128, 128, 128], [128, 128, 128]), ([200, 100, 50], [215, 93, 31]),
      ([50, 150, 100], [0, 153, 95]), ([60, 80, 190], [54, 81, 197]),
      ([255, 255, 255], [255, 255, 255]), ([0, 255, 0], [0, 255, 0]), ([20, 10, 30], [22, 9, 31]),
    ] as [([UInt8], [UInt8])])
  func `Display P3 colours are converted to sRGB`(_ color: [UInt8], _ expected: [UInt8]) {
    expectNear(color, expected, Self.profile(Self.displayP3, curve: Self.formula))
  }

  @Test(
    arguments: [
      ([128, 128, 128], [146, 146, 146]), ([200, 100, 50], [212, 121, 64]),
      ([50, 150, 100], [60, 164, 119]), ([60, 80, 190], [76, 104, 202]),
      ([20, 10, 30], [26, 12, 40]),
    ] as [([UInt8], [UInt8])])
  func `tone curves may be exponents`(_ color: [UInt8], _ expected: [UInt8]) {
    expectNear(color, expected, Self.genericRGB)
  }

  @Test func `tone curves may be tables of points`() {
    let points = (0...4).flatMap { Self.uint32($0 * 65_535 / 4).suffix(2) }
    let straight = Array("curv".utf8) + Self.uint32(0) + Self.uint32(5) + points
    let identity = Array("curv".utf8) + Self.uint32(0) + Self.uint32(0)
    for color in [[10, 20, 30], [128, 200, 255], [255, 1, 0]] as [[UInt8]] {
      #expect(
        converted(color, Self.profile(Self.sRGB, curve: straight))
          == converted(color, Self.profile(Self.sRGB, curve: identity)))
    }
    expectNear([55, 55, 55], [128, 128, 128], Self.profile(Self.sRGB, curve: straight))
  }

  @Test func `an sRGB profile needs no conversion`() {
    #expect(ColorProfile(Self.profile(Self.sRGB, curve: Self.formula)) == nil)
  }

  @Test func `unsupported and truncated profiles are ignored`() {
    let whole = Self.profile(Self.displayP3, curve: Self.formula)
    #expect(ColorProfile(whole) != nil)
    #expect(ColorProfile([]) == nil)
    #expect(ColorProfile(Self.profile(Self.displayP3, curve: Self.formula, space: "CMYK")) == nil)
    for count in 0..<whole.count { #expect(ColorProfile(whole[..<count]) == nil) }
    let unknown = Array("para".utf8) + Self.uint32(0) + [0, 9] + Self.uint32(0)
    #expect(ColorProfile(Self.profile(Self.displayP3, curve: unknown)) == nil)
  }

  @Test func `damaged profiles do not crash the conversion`() {
    var random = SeededGenerator(seed: 11)
    let whole = Self.profile(Self.displayP3, curve: Self.formula)
    for _ in 0..<2000 {
      var damaged = whole
      for _ in 0..<4 {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      #expect(converted([1, 128, 255], damaged).count == 3, "\(damaged)")
    }
  }
}
