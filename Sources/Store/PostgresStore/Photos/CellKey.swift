#if Postgres
  import CLibrary
  import Spatial

  /// Numbers of the cells of 0.01°, counted eastwards and row by row from the south pole.
  ///
  /// Beyond 89° of latitude a row is one cell, since a cell would be narrower than a cluster.
  enum CellKey {
    private static let polarRow = 8900

    /// Returns the number of the cell that contains a position.
    static func key(of position: Coordinate) -> Int32 {
      let cell = GridCell(containing: position)
      let isPolar = cell.row >= polarRow || cell.row < -polarRow
      let column = isPolar ? 0 : cell.column - GridCell.columns.lowerBound
      return Int32((cell.row - GridCell.rows.lowerBound) * GridCell.columns.count + column)
    }

    /// Returns the numbers of the cells that a circle touches, and maybe of cells within 2 cm.
    ///
    /// - Complexity: O(*k*) for *k* cells.
    static func keys(around center: Coordinate, radiusMeters: Double) -> [Int32] {
      var keys: [Int32] = []
      for range in CellArea(around: center, radiusMeters: radiusMeters).ranges {
        let columns = Int32(GridCell.columns.count)
        for row in range.first / columns...range.last / columns {
          let first = row * columns
          let number = Int(row) + GridCell.rows.lowerBound
          if number >= polarRow || number < -polarRow {
            // A range of whole rows includes numbers that no cell of a polar row has.
            keys.append(first)
          } else {
            keys += max(range.first, first)...min(range.last, first + columns - 1)
          }
        }
      }
      return keys
    }

    /// Returns whether a circle touches more than the cell of its centre.
    static func isOnRim(_ center: Coordinate, radiusMeters: Double) -> Bool {
      let ranges = CellArea(around: center, radiusMeters: radiusMeters).ranges
      return ranges.count > 1 || ranges[0].first != ranges[0].last
    }
  }

  /// The distances within which photos and spots influence each other, for a cluster radius.
  struct ClusterReach {
    /// The cluster radius in metres.
    let radiusMeters: Double

    /// A margin in metres, larger than rounding errors and the margin of ``CellArea``.
    private static let margin = 1.0

    /// The distance in metres within which a photo may belong to the spot of an anchor.
    var ofPhotos: Double { radiusMeters + Self.margin }
    /// The distance in metres within which an anchor may take photos from another anchor's spot.
    var ofAnchors: Double { 2 * radiusMeters + Self.margin }

    /// Returns whether the spots of other cells may depend on a photo or anchor at a position.
    func isRim(_ position: Coordinate) -> Bool {
      !isClearlyInside(position) && CellKey.isOnRim(position, radiusMeters: ofAnchors)
    }

    /// Returns whether a position is so far from the edges of its cell that no exact test is
    /// needed.
    private func isClearlyInside(_ position: Coordinate) -> Bool {
      guard abs(position.latitude) < 80 else { return false }
      // In degrees, an eighth more than the circle's extent anywhere below 80° of latitude.
      let height = 1.125 * ofAnchors / Earth.meanRadiusMeters * 180 / .pi
      return Self.edgeDistance(position.latitude) > height
        && Self.edgeDistance(position.longitude) * cos(position.latitude * .pi / 180) > height
    }

    /// Returns the distance in degrees from the nearest multiple of a cell's side.
    private static func edgeDistance(_ degrees: Double) -> Double {
      let part = degrees / GridCell.sideDegrees
      return abs(part - part.rounded()) * GridCell.sideDegrees
    }
  }
#endif
