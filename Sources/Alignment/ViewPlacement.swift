import CLibrary

/// How a view lies in a picture, and how sure that is.
package struct ViewPlacement: Hashable, Sendable {
  /// Why it cannot be told how pictures lie on each other.
  package enum Doubt: String, Sendable {
    /// It is too dark.
    case dark
    /// Nothing stands out, as in fog.
    case faint
    /// The view lies equally well in several places.
    case repeats
  }

  /// How the view is turned in the picture, clockwise, in degrees.
  package let turnDegrees: Double
  /// How much larger the view is in the picture.
  package let zoom: Double
  /// How far the view lies too far right and too low, in widths of the picture.
  package let dx: Double
  package let dy: Double
  /// How far what is near lies too far right against what is far, in widths: the camera stood
  /// aside.
  package let step: Double
  /// How alike the edges are where the view was found, between −1 and 1.
  package let alike: Double
  /// How alike they are in the second best place, as a share of the best.
  package let rival: Double
  /// How far directions are the same where they lie, between −1 and 1.
  package let agreement: Double
  /// How far the edges of the poorer picture stand out of its noise.
  package let texture: Double
  /// How far the view lies from its place, in widths: the mean way of the corners, and the spread of
  /// planes that lie apart.
  package let off: Double
  /// Whether both pictures show one view.
  package let isLocked: Bool
  /// Why that cannot be told; `nil` where it can.
  package let doubt: Doubt?
  /// How well the pictures lie on each other as they are, from 0 to 1: 0.75 is 2 % of the width
  /// away; `nil` where it cannot be told.
  package let score: Double?

  /// Pictures of other places are at most as alike as the first, those of one view hardly less than
  /// the second; between both it is unsure (Benchmarks/README.md).
  private static let unlike = 0.22
  private static let surelyAlike = 0.36
  private static let lockedFrom = 0.3
  /// Another place that is as alike as this share of the best may be the right one as well.
  private static let rivalShare = 0.88
  /// Below this the edges of a picture hardly stand out of its noise.
  private static let leastTexture = 1.6
  /// The score falls by the factor e for so many widths.
  private static let fall = 0.07
  /// The most that directions which agree by chance can add.
  private static let chance = 0.25

  /// What is measured of two pictures, before anything is made of it.
  struct Measurement {
    let map: Similarity
    let width: Int
    let height: Int
    let parallax: Parallax
    let alike: Double
    let rival: Double
    let agreement: Double
    let texture: Double
    let isDark: Bool
  }

  init(_ measured: Measurement) {
    turnDegrees = measured.map.turnDegrees
    zoom = measured.map.zoom
    dx = measured.map.x / Double(measured.width)
    dy = measured.map.y / Double(measured.width)
    step = measured.parallax.step
    (alike, rival) = (measured.alike, measured.rival)
    (agreement, texture) = (measured.agreement, measured.texture)
    off =
      measured.map.cornersWay(width: measured.width, height: measured.height)
      + measured.parallax.spread
    let isRepeated = alike >= Self.lockedFrom && rival > Self.rivalShare
    isLocked = alike >= Self.lockedFrom && !isRepeated
    let isFaint = texture < Self.leastTexture
    doubt =
      isLocked
      ? nil : isRepeated ? .repeats : isFaint ? (measured.isDark ? .dark : .faint) : nil
    let sure = min(1, max(0, (alike - Self.unlike) / (Self.surelyAlike - Self.unlike)))
    let unsure = (1 - sure) * Self.chance * max(0, agreement)
    score = doubt == nil ? min(1, sure * exp(-off / Self.fall) + unsure) : nil
  }
}
