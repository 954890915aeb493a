import Testing

@testable import Encodings

@Suite struct WholeNumberTests {
  @Test(arguments: [
    (0.0, 0), (-0.9, 0), (1.9, 1), (-1.9, -1), (2_147_483_648, 2_147_483_648),
    (9.3e18, .max), (-9.3e18, .min), (1e300, .max), (-1e300, .min),
    (.infinity, .max), (-.infinity, .min), (.nan, 0),
    (9_223_372_036_854_774_784, 9_223_372_036_854_774_784),
  ])
  func `a number out of range becomes the nearer bound`(number: Double, whole: Int) {
    #expect(Int(saturating: number) == whole)
    #expect(Int64(saturating: number) == Int64(whole))
  }

  @Test func `smaller and unsigned types have their own bounds`() {
    #expect(UInt8(saturating: 255.9) == 255)
    #expect(UInt8(saturating: 256) == 255)
    #expect(UInt8(saturating: -0.5) == 0)
    #expect(UInt64(saturating: -1) == 0)
    #expect(UInt64(saturating: 1e20) == .max)
    #expect(Int32(saturating: 2_147_483_647.5) == .max)
    #expect(Int32(saturating: -2_147_483_648.5) == .min)
    #expect(Int16(saturating: .nan) == 0)
  }

  @Test func `a duration of too many seconds is clamped`() {
    #expect(Duration.seconds(saturating: 1.5) == .milliseconds(1500))
    #expect(Duration.seconds(saturating: .infinity) == .seconds(3_155_760_000))
    #expect(Duration.seconds(saturating: -1e300) == .seconds(-3_155_760_000))
    #expect(Duration.seconds(saturating: .nan) == .zero)
  }
}
