/// A cell of the grid that divides the globe by 0.01° of latitude and longitude (about 1.1 km of
/// latitude).
///
/// A cell holds its southern and western edge. Latitude 90° belongs to the topmost row, and the meridians
/// 180° and −180° are one.
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
    row = Self.row(atLatitude: coordinate.latitude)
    column = coordinate.longitude == 180 ? -18_000 : Self.column(atLongitude: coordinate.longitude)
  }

  /// The row at a latitude; beyond a pole, the row at the pole.
  static func row(atLatitude latitude: Double) -> Int {
    let row = Int((latitude / sideDegrees).rounded(.down))
    return min(max(row, rows.lowerBound), rows.upperBound)
  }

  /// The column at a longitude; beyond the meridian 180°, the column at it.
  static func column(atLongitude longitude: Double) -> Int {
    let column = Int((longitude / sideDegrees).rounded(.down))
    return min(max(column, columns.lowerBound), columns.upperBound)
  }
}
