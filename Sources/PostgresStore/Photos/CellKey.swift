#if Postgres
  import CLibrary
  import Spatial

  /// The number of a cell of 0.01°, counted eastwards and row by row from the south pole.
  ///
  /// Beyond 89° a row is one cell: there a cell is narrower than a cluster.
  enum CellKey {
    private static let polarRow = 8900

    /// The cell that holds a position.
    static func key(of position: Coordinate) -> Int32 {
      let cell = GridCell(containing: position)
      let isPolar = cell.row >= polarRow || cell.row < -polarRow
      let column = isPolar ? 0 : cell.column - GridCell.columns.lowerBound
      return Int32((cell.row - GridCell.rows.lowerBound) * GridCell.columns.count + column)
    }

    /// The cells that a circle touches; some that it almost touches too.
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
            // A range of whole rows names cells that polar rows do not have.
            keys.append(first)
          } else {
            keys += max(range.first, first)...min(range.last, first + columns - 1)
          }
        }
      }
      return keys
    }

    /// Whether a circle touches more cells than that of its centre.
    static func isOnRim(_ center: Coordinate, radiusMeters: Double) -> Bool {
      let ranges = CellArea(around: center, radiusMeters: radiusMeters).ranges
      return ranges.count > 1 || ranges[0].first != ranges[0].last
    }
  }

  /// The distances across which photos and spots concern each other, for a cluster radius.
  struct ClusterReach {
    /// The cluster radius in metres.
    let radiusMeters: Double

    /// More than any rounding, and than the margins of cells.
    private static let margin = 1.0

    /// The distance in metres across which a photo may belong to an anchor.
    var ofPhotos: Double { radiusMeters + Self.margin }
    /// The distance in metres across which an anchor decides which photos another one has.
    var ofAnchors: Double { 2 * radiusMeters + Self.margin }

    /// Whether neighbouring cells may depend on what lies at a position.
    func isRim(_ position: Coordinate) -> Bool {
      !isClearlyInside(position) && CellKey.isOnRim(position, radiusMeters: ofAnchors)
    }

    /// Whether the circle is far enough from the edges of its cell that no exact test is needed.
    private func isClearlyInside(_ position: Coordinate) -> Bool {
      guard abs(position.latitude) < 80 else { return false }
      // Degrees of latitude and of longitude, an eighth more than the circle has below 80°.
      let height = 1.125 * ofAnchors / Earth.meanRadiusMeters * 180 / .pi
      return Self.edgeDistance(position.latitude) > height
        && Self.edgeDistance(position.longitude) * cos(position.latitude * .pi / 180) > height
    }

    /// The distance in degrees from a multiple of a cell's side.
    private static func edgeDistance(_ degrees: Double) -> Double {
      let part = degrees / GridCell.sideDegrees
      return abs(part - part.rounded()) * GridCell.sideDegrees
    }
  }
#endif
