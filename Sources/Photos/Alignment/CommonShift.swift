/// The common part of the shifts of all tiles: a similarity and a horizontal shear. The shear
/// models a sideways step of the camera, which moves the nearer, lower part of the picture more.
struct CommonShift {
  /// The shift in pixels.
  let x: Double
  let y: Double
  /// The change of scale and the rotation.
  let s: Double
  let r: Double
  /// The shear.
  let k: Double

  /// Fits the common part to the shifts; `nil` if too few tiles have edges.
  ///
  /// Outliers are given little weight (Tukey's biweight, four rounds). The limit is `reach` pixels
  /// in the first round, and half as much in each following round.
  static func fit(
    _ tiles: [Tile], _ shifts: [TileShift], hasShear: Bool = false, reach: Double
  ) -> CommonShift? {
    var weights = shifts.map(\.weight)
    var fit: CommonShift?
    var width = reach
    for _ in 0..<4 {
      guard let round = leastSquares(tiles, shifts, weights, hasShear) else { return nil }
      fit = round
      let limit = max(1.2, width)
      weights = shifts.indices.map { index in
        let (x, y) = round.residual(tiles[index], shifts[index])
        let share = (x * x + y * y) / (limit * limit)
        return share < 1 ? shifts[index].weight * (1 - share) * (1 - share) : 0
      }
      width /= 2
    }
    return fit
  }

  /// Returns the part of a tile's shift that the fit does not explain.
  func residual(_ tile: Tile, _ shift: TileShift) -> (x: Double, y: Double) {
    (
      shift.x - (x + s * tile.x - r * tile.y + k * tile.y),
      shift.y - (y + s * tile.y + r * tile.x)
    )
  }

  /// Fits the common part to weighted shifts; `nil` if the weights are too small or the equations
  /// singular.
  private static func leastSquares(
    _ tiles: [Tile], _ shifts: [TileShift], _ weights: [Double], _ hasShear: Bool
  ) -> CommonShift? {
    let count = hasShear ? 5 : 4
    var normal = [[Double]](repeating: [Double](repeating: 0, count: count + 1), count: count)
    for (index, tile) in tiles.enumerated() where weights[index] > 0 {
      add(&normal, [1, 0, tile.x, -tile.y, tile.y], shifts[index].x, weights[index])
      add(&normal, [0, 1, tile.y, tile.x, 0], shifts[index].y, weights[index])
    }
    // Regularisation, so that a few tiles cannot cause a rotation or shear.
    let total = weights.reduce(0, +)
    for index in 2..<count { normal[index][index] += 8 * total }
    guard total > 1e-9, let solved = solve(normal) else { return nil }
    return CommonShift(
      x: solved[0], y: solved[1], s: solved[2], r: solved[3], k: hasShear ? solved[4] : 0)
  }

  private static func add(
    _ normal: inout [[Double]], _ row: [Double], _ value: Double, _ weight: Double
  ) {
    let count = normal.count
    for i in 0..<count {
      for j in 0..<count { normal[i][j] += weight * row[i] * row[j] }
      normal[i][count] += weight * row[i] * value
    }
  }

  /// Solves linear equations by Gaussian elimination with pivoting; `nil` if they are singular.
  private static func solve(_ equations: [[Double]]) -> [Double]? {
    var normal = equations
    let count = normal.count
    for column in 0..<count {
      var pivot = column
      for row in column..<count where abs(normal[row][column]) > abs(normal[pivot][column]) {
        pivot = row
      }
      guard abs(normal[pivot][column]) >= 1e-12 else { return nil }
      normal.swapAt(column, pivot)
      for row in 0..<count where row != column {
        let factor = normal[row][column] / normal[column][column]
        for at in column...count { normal[row][at] -= factor * normal[column][at] }
      }
    }
    return (0..<count).map { normal[$0][count] / normal[$0][$0] }
  }
}
