import CLibrary

/// The placement of a view in a picture, with its confidence.
package struct ViewPlacement: Hashable, Sendable {
  /// A reason why a placement cannot be judged.
  package enum Doubt: String, Sendable {
    /// A picture is too dark.
    case dark
    /// A picture has too little contrast, as in fog, or too little content, as when most of it is
    /// missing.
    case faint
    /// The view matches equally well at several placements.
    case repeats
  }

  /// The clockwise rotation of the view in the picture, in degrees.
  package let turnDegrees: Double
  /// The scale of the view in the picture.
  package let zoom: Double
  /// The displacement of the view to the right, in widths of the picture.
  package let dx: Double
  /// The downward displacement of the view, in widths of the picture.
  package let dy: Double
  /// The displacement of near objects relative to far ones, in widths, positive to the right; not
  /// zero if the camera was moved sideways.
  package let step: Double
  /// The correlation of the edges at the placement, −1 to 1.
  package let alike: Double
  /// The correlation at the second best placement, as a share of the best one's.
  package let rival: Double
  /// The correlation of edge directions without displacement, −1 to 1.
  package let agreement: Double
  /// The ratio of edges to noise in the poorer picture.
  package let texture: Double
  /// The distance from perfect alignment, in widths: the mean displacement of the corners plus the
  /// spread of separate planes.
  package let off: Double
  /// Whether both pictures show the same view.
  package let isLocked: Bool
  /// The reason why the placement cannot be judged; `nil` if it can.
  package let doubt: Doubt?
  /// The alignment score, 0 to 1, for the pictures as they are, before any correction of the
  /// placement; 0.75 corresponds to a distance of 2 % of the width. `nil` if the placement cannot
  /// be judged.
  package let score: Double?

  /// The correlation that pictures of other places do not exceed, and the correlation that pictures
  /// of the same view hardly fall below; in between, the result is uncertain
  /// (Benchmarks/README.md).
  private static let unlike = 0.22
  private static let surelyAlike = 0.36
  private static let lockedFrom = 0.3
  /// The relative correlation above which a second placement may be the right one as well.
  private static let rivalShare = 0.88
  /// The texture below which the edges of a picture hardly exceed its noise.
  private static let leastTexture = 1.6
  /// The distance in widths at which the score falls by the factor e.
  private static let fall = 0.07
  /// The maximum contribution of edge directions that agree by chance.
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
    let isBlank: Bool
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
      measured.map.meanCornerShift(width: measured.width, height: measured.height)
      + measured.parallax.spread
    let isRepeated = alike >= Self.lockedFrom && rival > Self.rivalShare
    isLocked = alike >= Self.lockedFrom && !isRepeated && !measured.isBlank
    let isFaint = measured.isBlank || texture < Self.leastTexture
    let faintness = isFaint ? measured.isDark ? Doubt.dark : .faint : nil
    doubt = isLocked ? nil : isRepeated && !measured.isBlank ? .repeats : faintness
    let sure = min(1, max(0, (alike - Self.unlike) / (Self.surelyAlike - Self.unlike)))
    let unsure = (1 - sure) * Self.chance * max(0, agreement)
    score = doubt == nil ? min(1, sure * exp(-off / Self.fall) + unsure) : nil
  }
}
