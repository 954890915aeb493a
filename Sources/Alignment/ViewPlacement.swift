import CLibrary

/// The placement of a view in a picture, with its confidence.
package struct ViewPlacement: Hashable, Sendable {
  /// A reason why a placement cannot be judged.
  package enum Doubt: String, Sendable {
    /// It is too dark.
    case dark
    /// Nothing stands out, as in fog.
    case faint
    /// The view lies equally well in several places.
    case repeats
  }

  /// The clockwise rotation of the view in the picture, in degrees.
  package let turnDegrees: Double
  /// The scale of the view in the picture.
  package let zoom: Double
  /// The displacement of the view to the right and downwards, in widths of the picture.
  package let dx: Double
  package let dy: Double
  /// The displacement of near objects against far ones, in widths, positive to the right: the
  /// camera stood aside.
  package let step: Double
  /// The correlation of the edges at the place, −1 to 1.
  package let alike: Double
  /// The correlation at the second best place, as a share of the best one's.
  package let rival: Double
  /// The correlation of edge directions without displacement, −1 to 1.
  package let agreement: Double
  /// The ratio of edges to noise in the poorer picture.
  package let texture: Double
  /// The distance from perfect alignment, in widths: the mean displacement of the corners plus the
  /// spread of separate planes.
  package let off: Double
  /// Whether both pictures show one view.
  package let isLocked: Bool
  /// The reason why the placement cannot be judged; `nil` where it can.
  package let doubt: Doubt?
  /// The alignment score without correction, 0 to 1; 0.75 stands for a distance of 2 % of the
  /// width. `nil` where it cannot be judged.
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

  /// The measurements of two pictures from which a placement is derived.
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
