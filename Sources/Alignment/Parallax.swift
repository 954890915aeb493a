/// How planes lie apart sideways, in widths of the picture: what is nearer moves more when the
/// camera stands aside.
struct Parallax {
  /// How far what is near lies too far right, against what is far; below zero, too far left. The
  /// lower of two planes is taken as the nearer one.
  let step: Double
  /// How far the tiles lie from where the similarity leads them, on the average.
  let spread: Double

  /// A tile agrees with others within this many pixels.
  private static let agreement = 1.6
  /// A shear is seen from this many widths on, between the top and the bottom of the picture.
  private static let leastShear = 0.012
  /// A thing that stands nearer has as many tiles, and as much of what they say.
  private static let leastTiles = 2
  private static let leastShare = 0.05
  /// Of the tiles that lie apart from the rest, this much lies in one plane; else people walked by.
  private static let leastAgreement = 0.5
  /// How much lower a plane's middle must lie to be taken as the nearer one, in heights.
  private static let leastLower = 0.04

  private struct Residual {
    let tileY: Double
    let x: Double
    let shear: Double
    let weight: Double
  }

  /// Measures it by the shifts that are left after the similarity.
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

  /// Tiles that lie apart from what most have in common, where they are a plane of their own; in
  /// pixels.
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
