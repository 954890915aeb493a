/// A cell of a grid that divides the globe into steps of 0.01° of latitude and longitude; 0.01° of
/// latitude is about 1.1 km.
///
/// A cell contains its southern and western edges. Latitude 90° belongs to the top row, and the
/// meridians 180° and −180° are the same.
public struct GridCell: Hashable, Sendable {
  /// The height and width of a cell in degrees.
  public static let sideDegrees = 0.01
  /// The rows from the south pole to the north pole.
  public static let rows = -9000...8999
  /// The columns from the 180° meridian eastward around the globe.
  public static let columns = -18_000...17_999

  /// floor(latitude / 0.01°).
  public let row: Int
  /// floor(longitude / 0.01°).
  public let column: Int

  /// Creates the cell that contains a position.
  public init(containing coordinate: Coordinate) {
    row = min(Self.floor(coordinate.latitude), Self.rows.upperBound)
    column =
      coordinate.longitude == 180
      ? Self.columns.lowerBound : Self.floor(coordinate.longitude)
  }

  private static func floor(_ degrees: Double) -> Int {
    // The degrees are those of a coordinate, so at most 180 in magnitude.
    Int(bounded: (degrees / sideDegrees).rounded(.down))
  }
}
