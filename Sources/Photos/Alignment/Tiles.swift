import CLibrary

/// A rectangular part of a field, and its centre relative to that of the picture, in pixels.
struct Tile {
  private static let across = 6
  private static let down = 6

  let columns: Range<Int>
  let rows: Range<Int>
  let x: Double
  let y: Double

  /// Returns the tiles of a picture.
  static func all(width: Int, height: Int) -> [Tile] {
    (0..<down).flatMap { row in
      (0..<across).map { column in
        let columns = part(column, across, width)
        let rows = part(row, down, height)
        return Tile(
          columns: columns, rows: rows,
          x: Double(columns.lowerBound + columns.upperBound - width) / 2,
          y: Double(rows.lowerBound + rows.upperBound - height) / 2)
      }
    }
  }

  private static func part(_ index: Int, _ count: Int, _ length: Int) -> Range<Int> {
    edge(index, count, length)..<edge(index + 1, count, length)
  }

  private static func edge(_ index: Int, _ count: Int, _ length: Int) -> Int {
    (2 * index * length + count) / (2 * count)
  }
}

/// The shift of a tile between two fields.
struct TileShift {
  /// The maximum shifts that are tried, in pixels.
  struct Reach {
    let x: Int
    let y: Int
  }

  let x: Double
  let y: Double
  /// The correlation without a shift, between −1 and 1.
  var alike: Double
  /// The normalisation of the correlation.
  let energy: Double
  /// The edge energy of the tile.
  let own: Double
  /// The weight of the shift: the prominence of the correlation's peak, times the energy.
  let weight: Double

  /// The spacing of compared pixels in both directions; fields are smooth, so not all are needed.
  private static let stride = 2

  /// Returns the shift of each tile from one field to another.
  static func shifts(
    _ tiles: [Tile], of field: EdgeField, in seen: EdgeField, _ reach: Reach
  ) -> [TileShift] {
    let columns = 2 * reach.x + 1
    var likeness = [Double](repeating: 0, count: columns * (2 * reach.y + 1))
    return tiles.map { tile in
      let (own, energy) = compare(tile, field, seen, reach, &likeness)
      return shift(likeness, reach, own, energy)
    }
  }

  /// Returns the shift at the peak of the correlation, interpolated between pixels; its weight is
  /// zero if the peak is at the limit of the shifts.
  private static func shift(
    _ likeness: [Double], _ reach: Reach, _ own: Double, _ energy: Double
  ) -> TileShift {
    let columns = 2 * reach.x + 1
    var (best, sum) = (0, 0.0)
    for index in likeness.indices {
      sum += likeness[index]
      if likeness[index] > likeness[best] { best = index }
    }
    let (column, row) = (best % columns, best / columns)
    let isInside = column > 0 && column < columns - 1 && row > 0 && row < 2 * reach.y
    let mean = sum / Double(likeness.count)
    let peak = likeness[best]
    let top = { (step: Int) -> Double in
      isInside ? vertex(likeness[best - step], peak, likeness[best + step]) : 0
    }
    return TileShift(
      x: Double(column - reach.x) + top(1), y: Double(row - reach.y) + top(columns),
      alike: likeness[reach.y * columns + reach.x], energy: energy, own: own,
      weight: isInside ? max(0, peak - mean) * energy : 0)
  }

  /// Computes the correlation of a tile for each shift.
  private static func compare(
    _ tile: Tile, _ field: EdgeField, _ seen: EdgeField, _ reach: Reach,
    _ likeness: inout [Double]
  ) -> (own: Double, energy: Double) {
    let (width, height) = (field.width, field.height)
    let columns = 2 * reach.x + 1
    var (own, other) = (0.0, 0.0)
    for index in likeness.indices { likeness[index] = 0 }
    field.read { u, v, du, dv in
      seen.read { seenU, seenV, seenDu, seenDv in
        likeness.withUnsafeMutableBufferPointer { likeness in
          for y in Swift.stride(from: tile.rows.lowerBound, to: tile.rows.upperBound, by: stride) {
            let first = tile.columns.lowerBound + (y / stride & 1)
            let (top, bottom) = (max(-reach.y, -y), min(reach.y, height - 1 - y))
            for x in Swift.stride(from: first, to: tile.columns.upperBound, by: stride) {
              let at = y * width + x
              other += seenU[at] * seenU[at] + seenV[at] * seenV[at]
              let strength = u[at] * u[at] + v[at] * v[at]
              guard strength >= 0.01 else { continue }
              own += strength
              let (one, two, three, four) = (u[at], v[at], du[at], dv[at])
              let left = max(-reach.x, -x)
              let count = min(reach.x, width - 1 - x) - left + 1
              var byY = top
              while byY <= bottom {
                let to = at + byY * width + left
                let index = (byY + reach.y) * columns + left + reach.x
                var step = 0
                while step < count {
                  likeness[index &+ step] +=
                    one * seenU[to &+ step] + two * seenV[to &+ step]
                    + three * seenDu[to &+ step] + four * seenDv[to &+ step]
                  step &+= 1
                }
                byY += 1
              }
            }
          }
        }
      }
    }
    let energy = 2 * (own * other).squareRoot() + 1
    for index in likeness.indices { likeness[index] /= energy }
    return (own, energy)
  }

  /// Returns the vertex of the parabola through three values, relative to the middle one.
  private static func vertex(_ before: Double, _ top: Double, _ after: Double) -> Double {
    let bend = before - 2 * top + after
    return abs(bend) < 1e-12 ? 0 : 0.5 * (before - after) / bend
  }
}
