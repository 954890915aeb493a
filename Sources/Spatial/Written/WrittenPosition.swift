extension Coordinate {
  /// Reads a position as people and maps write it.
  ///
  /// - Degrees: `48.8584 2.2945`, `48.8584,2.2945`, `(48.8584, 2.2945)`, `48,8584 2,2945`.
  /// - Hemispheres: `N48.8584 E2.2945`, `48.8584N 2.2945E`, `N48 51.5 E2 17.67`.
  /// - Minutes and seconds: `48°51.5'N 2°17.67'E`, `48°51'30"N 2°17'40"E`,
  ///   `-33°51'24" 151°12'55"`.
  /// - `geo:` addresses: `geo:48.8584,2.2945` (RFC 5870), and the `q` of Android.
  /// - Links of OpenStreetMap, Google Maps, Apple Maps and Plus Codes that hold the position.
  /// - Full Plus Codes: `8FW4V75V+8Q`, the centre of the cell.
  ///
  /// Latitude comes first unless letters say otherwise. The minus may be U+2212. A notation that
  /// may mean two positions is refused: `N48 51.5` is 48° 51.5' north without a longitude, or 48°
  /// north and 51.5° east.
  ///
  /// - Throws: ``WrittenPositionError``.
  /// - Complexity: O(*n*), where *n* is the length of the text; beyond 4096 bytes it is none.
  public init(written text: String) throws(WrittenPositionError) {
    guard text.utf8.count <= 4096 else { throw .unreadable }
    let text = text.trimmingSpace
    if let link = MapLink(text) {
      self = try link.coordinate()
    } else if text.contains("+"), let code = PlusCode(text) {
      self = try code.center()
    } else {
      self = try AngleNotation.coordinate(text)
    }
  }

  /// Creates a coordinate from degrees that somebody wrote.
  init(writtenLatitude latitude: Double, longitude: Double) throws(WrittenPositionError) {
    guard (-90...90).contains(latitude) else { throw .latitudeOutOfRange }
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      throw .longitudeOutOfRange
    }
    self = coordinate
  }
}

/// Why a text is no position.
public enum WrittenPositionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text is in none of the notations.
  case unreadable
  /// The text may mean two positions.
  case ambiguous
  /// The latitude is not in −90...90.
  case latitudeOutOfRange
  /// The longitude is not in −180...180.
  case longitudeOutOfRange
  /// A link that names a place without a position, or is of a site that is not known.
  case linkWithoutPosition
  /// A Plus code that is short: it needs a place that it is near.
  case shortPlusCode
  /// Coordinates in another reference system than WGS 84.
  case otherReferenceSystem

  /// The notations that are read, for messages.
  public static let notations = """
    degrees (48.8584 2.2945, or with decimal commas 48,8584 2,2945), hemispheres (N48 51.5 E2 17.67), degrees, \
    minutes and seconds (48°51'30"N 2°17'40"E), geo:48.8584,2.2945, a link of OpenStreetMap, Google Maps or Apple \
    Maps, or a full Plus code (8FW4V75V+8Q)
    """

  /// What is wrong, without the text itself.
  public var description: String {
    switch self {
    case .unreadable: "it is in no known notation"
    case .ambiguous: "it may mean two positions"
    case .latitudeOutOfRange: "the latitude, which comes first, is out of range −90 to 90"
    case .longitudeOutOfRange: "the longitude is out of range −180 to 180"
    case .linkWithoutPosition:
      "the link holds no position; open it, and copy the address that the map then has"
    case .shortPlusCode: "the Plus code is short and tells a position only near a place"
    case .otherReferenceSystem: "its reference system is not WGS 84"
    }
  }
}

extension StringProtocol {
  /// The text without white space at both ends.
  var trimmingSpace: String {
    let start = self.drop { $0.isWhitespace }
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}
