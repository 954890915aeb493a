#if Postgres
  import CLibrary
  import Spatial

  /// An area bounded by parallels and meridians, as the ranges of cells that it touches.
  ///
  /// The area is slightly larger than requested, so callers filter its contents.
  struct CellArea {
    /// The southern and northern edges in degrees, which may lie beyond a pole.
    private(set) var south: Double
    private(set) var north: Double
    /// The western and eastern edges in degrees; −180 and 180 if the area crosses the 180°
    /// meridian.
    private(set) var west: Double
    private(set) var east: Double
    /// The first and the last cell of each range, ascending.
    private(set) var ranges: [(first: Int32, last: Int32)] = []

    /// The margin on all sides, in degrees: a centimetre, much more than rounding errors.
    private static let margin = 1e-7
    /// The maximum number of rows with ranges of their own; more rows are one range, from the first
    /// row to the last.
    private static let maximumRowCount = 1024

    /// Creates the area of a circle.
    ///
    /// The tangent meridians of a circle of angular radius δ around latitude φ are at
    /// ±asin(sin δ / cos φ), if it contains no pole: J. P. Matuschek, "Finding Points Within a
    /// Distance of a Latitude/Longitude Using Bounding Coordinates", section 3.3.
    ///
    /// - Precondition: `radiusMeters` is not negative; it may be infinite.
    init(around center: Coordinate, radiusMeters: Double) {
      let angle = min(radiusMeters / Earth.meanRadiusMeters, Double.pi)
      let ratio = angle < 1.5 ? sin(angle) / max(cos(center.latitude * .pi / 180), 1e-300) : 1
      // Close to a pole the arcsine is steep, so the circle is treated as one that contains the
      // pole.
      let reach = ratio < 0.999 ? asin(ratio) * 180 / Double.pi : 360
      let height = angle * 180 / Double.pi
      self.init(
        south: center.latitude - height, north: center.latitude + height,
        west: center.longitude - reach, east: center.longitude + reach)
    }

    /// Creates the area of a box with a margin in metres.
    init(_ box: BoundingBox, marginMeters: Double) {
      let height = marginMeters / Earth.meanRadiusMeters * 180 / Double.pi
      let (south, north) = (box.south - height, box.north + height)
      let steepest = min(max(abs(south), abs(north)), 90)
      let cosine = cos(steepest * .pi / 180)
      let reach = cosine > 1e-4 ? 2 * height / cosine : 360
      let east = box.east < box.west ? box.east + 360 : box.east
      // A box may write the 180° meridian as 180 or −180.
      let isOnSeam = abs(box.west) == 180 || abs(box.east) == 180
      self.init(
        south: south, north: north, west: isOnSeam ? -540 : box.west - reach,
        east: isOnSeam ? 540 : east + reach)
    }

    /// Returns the cells of all ranges, or `nil` if there are more than a number of them.
    func cells(atMost limit: Int) -> [Int32]? {
      var cells: [Int32] = []
      for range in ranges {
        guard cells.count + Int(range.last - range.first) < limit else { return nil }
        cells += range.first...range.last
      }
      return cells
    }

    private init(south: Double, north: Double, west: Double, east: Double) {
      (self.south, self.north) = (south - Self.margin, north + Self.margin)
      (self.west, self.east) = (west - Self.margin, east + Self.margin)
      let (first, last) = (
        Self.row(ofLatitude: self.south), Self.row(ofLatitude: self.north)
      )
      let isAround = self.east - self.west >= 360 - GridCell.sideDegrees
      if isAround || last - first >= Self.maximumRowCount {
        ranges = [
          (
            Self.key(row: first, column: GridCell.columns.lowerBound),
            Self.key(row: last, column: GridCell.columns.upperBound)
          )
        ]
      } else {
        addRows(first...last)
      }
      if isAround || self.west < -180 || self.east > 180 { (self.west, self.east) = (-180, 180) }
    }

    private mutating func addRows(_ rows: ClosedRange<Int>) {
      let columns = GridCell.columns
      let (first, last) = (Self.column(ofLongitude: west), Self.column(ofLongitude: east))
      for row in rows {
        if row >= Self.polarRow || row < -Self.polarRow {
          let key = Self.key(row: row, column: columns.lowerBound)
          ranges.append((key, key))
        } else if first <= last {
          ranges.append((Self.key(row: row, column: first), Self.key(row: row, column: last)))
        } else {
          ranges.append(
            (Self.key(row: row, column: columns.lowerBound), Self.key(row: row, column: last)))
          ranges.append(
            (Self.key(row: row, column: first), Self.key(row: row, column: columns.upperBound)))
        }
      }
    }

    /// The first row that is a single cell, as are the rows below its mirror image: beyond 89°, a
    /// cell would be narrower than a cluster.
    private static let polarRow = 8900

    private static func row(ofLatitude latitude: Double) -> Int {
      let row = Int(saturating: (latitude / GridCell.sideDegrees).rounded(.down))
      return min(max(row, GridCell.rows.lowerBound), GridCell.rows.upperBound)
    }

    private static func column(ofLongitude longitude: Double) -> Int {
      let column = Int(saturating: (longitude / GridCell.sideDegrees).rounded(.down))
      let (first, count) = (GridCell.columns.lowerBound, GridCell.columns.count)
      return ((column - first) % count + count) % count + first
    }

    private static func key(row: Int, column: Int) -> Int32 {
      Int32(
        (row - GridCell.rows.lowerBound) * GridCell.columns.count + column
          - GridCell.columns.lowerBound)
    }
  }
#endif
