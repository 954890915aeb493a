#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The grid cells that may hold the points of a query: a range of rows, and in each of them the same one
/// or two ranges of columns.
///
/// It may name cells too many, never one too few: every edge is moved out by `marginDegrees` (1 cm), far
/// more than any rounding on the way.
struct GridCover {
  let rows: ClosedRange<Int>
  /// Disjoint; two where the area crosses the 180° meridian.
  let columnRanges: [ClosedRange<Int>]

  private static let marginDegrees = 1e-7

  /// Whether every column of the rows is covered, so that whole rows can be taken as they are stored.
  var coversWholeRows: Bool { columnRanges.first == GridCell.columns }

  /// Creates the cover of a circle on the ground.
  ///
  /// The meridians that touch a circle of angular radius δ around latitude φ lie asin(sin δ / cos φ) to
  /// both sides, where it holds no pole: J. P. Matuschek, "Finding Points Within a Distance of a
  /// Latitude/Longitude Using Bounding Coordinates", section 3.3.
  init(center: Coordinate, radiusMeters: Double) {
    let delta = min(radiusMeters / Earth.meanRadiusMeters, Double.pi) * 180 / Double.pi
    let south = center.latitude - delta - Self.marginDegrees
    let north = center.latitude + delta + Self.marginDegrees
    rows = GridCell.row(atLatitude: max(south, -90))...GridCell.row(atLatitude: min(north, 90))
    // Lowered by more than its rounding error, which is what counts close to a pole.
    let cosine = cos(center.latitude * Double.pi / 180) - 1e-15
    let sine = sin(delta * Double.pi / 180) * (1 + 1e-9)
    if south <= -90 || north >= 90 || sine >= cosine {
      columnRanges = [GridCell.columns]
    } else {
      let reach = asin(sine / cosine) * 180 / Double.pi
      columnRanges = Self.columnRanges(
        from: center.longitude - reach, through: center.longitude + reach)
    }
  }

  /// Creates the cover of a box.
  init(_ box: BoundingBox) {
    rows =
      GridCell.row(
        atLatitude: box.south - Self.marginDegrees)...GridCell.row(
        atLatitude: box.north + Self.marginDegrees)
    columnRanges = Self.columnRanges(
      from: box.west, through: box.west <= box.east ? box.east : box.east + 360)
  }

  /// The columns from one meridian eastwards to another, which may be written beyond ±180°.
  private static func columnRanges(
    from west: Double, through east: Double
  ) -> [ClosedRange<Int>] {
    let west = west - marginDegrees
    let east = east + marginDegrees
    let first = GridCell.column(atLongitude: west < -180 ? west + 360 : west)
    let last = GridCell.column(atLongitude: east > 180 ? east - 360 : east)
    let isWrapped = west < -180 || east > 180
    guard isWrapped else { return [first...last] }
    guard east - west < 360, last < first else { return [GridCell.columns] }
    return [GridCell.columns.lowerBound...last, first...GridCell.columns.upperBound]
  }
}
