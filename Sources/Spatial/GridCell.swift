/// A cell of the grid that divides the globe by 0.01° of latitude and longitude (about 1.1 km of
/// latitude).
///
/// A cell holds its southern and western edge. Latitude 90° belongs to the topmost row, and the
/// meridians 180° and −180° are one.
public struct GridCell: Hashable, Sendable {
  /// The side of a cell in degrees.
  public static let sideDegrees = 0.01
  /// The rows from the south pole to the north pole.
  public static let rows = -9000...8999
  /// The columns from the meridian 180° eastwards round the globe.
  public static let columns = -18_000...17_999

  /// floor(latitude / 0.01°).
  public let row: Int
  /// floor(longitude / 0.01°).
  public let column: Int

  /// Creates the cell that holds a position.
  public init(containing coordinate: Coordinate) {
    row = min(Self.floor(coordinate.latitude), Self.rows.upperBound)
    column =
      coordinate.longitude == 180
      ? Self.columns.lowerBound : Self.floor(coordinate.longitude)
  }

  private static func floor(_ degrees: Double) -> Int {
    // At most 180° from a coordinate.
    Int(bounded: (degrees / sideDegrees).rounded(.down))
  }
}
