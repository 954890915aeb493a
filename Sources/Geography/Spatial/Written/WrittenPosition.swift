extension Coordinate {
  /// Parses a position in any notation common among people and maps.
  ///
  /// - Degrees: `48.8584 2.2945`, `48.8584,2.2945`, `(48.8584, 2.2945)`, `48,8584 2,2945`.
  /// - Hemispheres: `N48.8584 E2.2945`, `48.8584N 2.2945E`, `N48 51.5 E2 17.67`.
  /// - Minutes and seconds: `48°51.5'N 2°17.67'E`, `48°51'30"N 2°17'40"E`, `-33°51'24" 151°12'55"`.
  /// - `geo:` URIs: `geo:48.8584,2.2945` (RFC 5870), and Android's variant with the parameter `q`.
  /// - Links of OpenStreetMap, Google Maps, Apple Maps and Plus Codes that contain the position.
  /// - Full Plus Codes: `8FW4V75V+8Q`, the centre of the cell.
  ///
  /// Latitude comes first unless letters say otherwise. The minus sign may be U+2212. A text that
  /// could mean two positions is rejected: `N48 51.5` is 48° 51.5' north without a longitude, or
  /// 48° north and 51.5° east.
  ///
  /// - Throws: ``WrittenPositionError``; `unreadable` for a text of more than 4096 bytes.
  /// - Complexity: O(*n*), where *n* is the length of the text.
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

  /// Creates a coordinate from parsed degrees; throws if one is out of range.
  init(writtenLatitude latitude: Double, longitude: Double) throws(WrittenPositionError) {
    guard (-90...90).contains(latitude) else { throw .latitudeOutOfRange }
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      throw .longitudeOutOfRange
    }
    self = coordinate
  }
}

/// A reason why a text cannot be parsed as a position.
public enum WrittenPositionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text is in none of the supported notations.
  case unreadable
  /// The text could mean two positions.
  case ambiguous
  /// The latitude is not in −90...90.
  case latitudeOutOfRange
  /// The longitude is not in −180...180.
  case longitudeOutOfRange
  /// A link without a position, or a link to an unknown site.
  case linkWithoutPosition
  /// A short Plus code, which is relative to a reference position.
  case shortPlusCode
  /// Coordinates in a reference system other than WGS 84.
  case otherReferenceSystem

  /// The supported notations, for messages.
  public static let notations = """
    degrees (48.8584 2.2945, or with decimal commas 48,8584 2,2945), hemispheres (N48 51.5 E2 17.67), degrees, \
    minutes and seconds (48°51'30"N 2°17'40"E), geo:48.8584,2.2945, a link of OpenStreetMap, Google Maps or Apple \
    Maps, or a full Plus code (8FW4V75V+8Q)
    """

  /// A description of the problem, without the text itself.
  public var description: String {
    switch self {
    case .unreadable: "the notation is unknown"
    case .ambiguous: "it may mean two positions"
    case .latitudeOutOfRange: "the latitude, which comes first, is out of range −90 to 90"
    case .longitudeOutOfRange: "the longitude is out of range −180 to 180"
    case .linkWithoutPosition:
      "the link contains no position; open it, and copy the address of the map"
    case .shortPlusCode:
      "the Plus code is short, so it needs a place nearby; write a full Plus code"
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
