/// The horizontal parallax between a near and a far plane, in widths of the picture. Near objects
/// move more than far ones if the camera moves sideways.
struct Parallax {
  /// The displacement of the near plane relative to the far one, positive to the right. The lower
  /// of the two planes is assumed to be the near one.
  let step: Double
  /// The mean displacement of tiles relative to the similarity, due to shear and to separate
  /// planes.
  let spread: Double

  /// The maximum deviation in pixels of tiles that belong to one plane.
  private static let agreement = 1.6
  /// The minimum shear that counts as parallax, in widths of the picture from its top to its
  /// bottom.
  private static let leastShear = 0.012
  /// The minimum number of tiles of a separate plane, and their minimum share of the weight.
  private static let leastTiles = 2
  private static let leastShare = 0.05
  /// The minimum share of the outlying tiles that must form one plane; with less, they are assumed
  /// to be moving people.
  private static let leastAgreement = 0.5
  /// The minimum vertical distance between the centres of the two planes, in heights of the
  /// picture.
  private static let leastLower = 0.04

  private struct Residual {
    let tileY: Double
    let x: Double
    let shear: Double
    let weight: Double
  }

  /// Measures the parallax in the tile shifts that remain after the similarity.
  init(_ tiles: [Tile], _ shifts: [TileShift], width: Int, height: Int) {
    guard let fit = CommonShift.fit(tiles, shifts, hasShear: true, reach: 4) else {
      (step, spread) = (0, 0)
      return
    }
    let plane = Self.planeApart(tiles, shifts, fit, Double(height))
    let shear = fit.k * Double(height)
    step =
      abs(plane.step) > abs(shear)
      ? plane.step / Double(width)
      : abs(shear) / Double(width) >= Self.leastShear ? shear / Double(width) : 0
    spread = step == 0 ? 0 : plane.spread / Double(width)
  }

  /// Returns the displacement in pixels of the outlying tiles if they form a separate plane, and
  /// the mean displacement of tiles relative to the similarity.
  private static func planeApart(
    _ tiles: [Tile], _ shifts: [TileShift], _ fit: CommonShift, _ height: Double
  ) -> (step: Double, spread: Double) {
    let all = tiles.indices.compactMap { index -> Residual? in
      let (x, y) = fit.residual(tiles[index], shifts[index])
      guard shifts[index].weight > 0, abs(y) <= agreement else { return nil }
      return Residual(
        tileY: tiles[index].y, x: x, shear: fit.k * tiles[index].y, weight: shifts[index].weight)
    }
    let inside = all.filter { abs($0.x) <= agreement }
    let outside = all.filter { abs($0.x) > agreement }
    let middle = weightedMedian(outside)
    let plane = outside.filter { abs($0.x - middle) <= agreement }
    let lower = (mean(plane, \.tileY) - mean(inside, \.tileY)) / height
    let isPlane =
      plane.count >= leastTiles && weight(plane) >= leastShare * weight(all)
      && weight(plane) >= leastAgreement * weight(outside) && abs(lower) >= leastLower
    let sign: Double = lower > 0 ? 1 : -1
    return (
      isPlane ? sign * mean(plane) { $0.x + $0.shear } : 0,
      mean(isPlane ? inside + plane : inside) {
        abs((abs($0.x) > agreement ? $0.x : 0) + $0.shear)
      }
    )
  }

  private static func weight(_ tiles: [Residual]) -> Double { tiles.reduce(0) { $0 + $1.weight } }

  private static func mean(_ tiles: [Residual], _ value: (Residual) -> Double) -> Double {
    let total = weight(tiles)
    return tiles.reduce(0) { $0 + $1.weight * value($1) } / (total == 0 ? 1 : total)
  }

  private static func weightedMedian(_ tiles: [Residual]) -> Double {
    let half = weight(tiles) / 2
    var sum = 0.0
    for tile in tiles.sorted(by: { $0.x < $1.x }) {
      sum += tile.weight
      if sum >= half { return tile.x }
    }
    return 0
  }
}
