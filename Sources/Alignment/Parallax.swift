/// The sideways parallax between a near and a far plane, in widths of the picture. Near objects
/// move more when the camera steps aside.
struct Parallax {
  /// The displacement of the near plane against the far one, positive to the right. The lower of
  /// two planes is taken for the near one.
  let step: Double
  /// The mean distance of the tiles from their places under the similarity.
  let spread: Double

  /// A tile agrees with others within this many pixels.
  private static let agreement = 1.6
  /// The least shear that is taken for parallax, in widths from the top to the bottom of the
  /// picture.
  private static let leastShear = 0.012
  /// The least number of tiles of a near object, and their least share of the edge energy.
  private static let leastTiles = 2
  private static let leastShare = 0.05
  /// The least share of the outlying tiles that lies in one plane; with less, the outliers are
  /// taken for moving people.
  private static let leastAgreement = 0.5
  /// The least vertical distance between the middles of the two planes, in heights of the picture.
  private static let leastLower = 0.04

  private struct Residual {
    let tileY: Double
    let x: Double
    let shear: Double
    let weight: Double
  }

  /// Measures the parallax of the shifts that the similarity leaves.
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

  /// Returns the displacement in pixels of the outlying tiles, where they form a plane of their
  /// own.
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
