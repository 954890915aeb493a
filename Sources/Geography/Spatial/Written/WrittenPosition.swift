extension Coordinate {
  /// Parses a position in any notation common among people and maps.
  ///
  /// - Degrees: `48.8584 2.2945`, `48.8584,2.2945`, `(48.8584, 2.2945)`, `48,8584 2,2945`.
  /// - Hemispheres: `N48.8584 E2.2945`, `48.8584N 2.2945E`, `N48 51.5 E2 17.67`, with letters or
  ///   words of many languages.
  /// - Minutes and seconds: `48°51.5'N 2°17.67'E`, `48°51'30"N 2°17'40"E`, `48 deg 51' 30" N, …`,
  ///   `48:51:30N 2:17:40E`, `4851.504,N,00217.670,E` (NMEA 0183), with any signs for the units.
  /// - ISO 6709: `+48.8584+002.2945/`; well-known text: `POINT(2.2945 48.8584)`.
  /// - Grids: `31U 448251 5411932` (UTM) and `31U DQ 48251 11932` (MGRS).
  /// - `geo:` URIs (RFC 5870 and the forms of phones), and links of map websites.
  /// - Full Plus Codes: `8FW4V75V+8Q`, the centre of the cell.
  ///
  /// Latitude comes first unless letters say otherwise. A text that could mean two positions is
  /// rejected: `N48 51.5` is 48° 51.5' north without a longitude, or 48° north and 51.5° east.
  ///
  /// - Throws: ``WrittenPositionError``; `unreadable` for a text of more than 4096 bytes.
  /// - Complexity: O(*n*), where *n* is the length of the text.
  public init(written text: String) throws(WrittenPositionError) {
    self = try WrittenPosition(text).coordinate
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

/// A position parsed from a text, with what the text does not say outright.
public struct WrittenPosition: Hashable, Sendable {
  /// The position.
  public let coordinate: Coordinate
  /// The origin of the position, if the text does not name it directly.
  public let note: Note?

  /// An origin of a position that a text does not name directly.
  public enum Note: Hashable, Sendable, CustomStringConvertible {
    /// The link names no place, so this is the middle of its map.
    case middleOfMap
    /// The link describes a route, and this is its end.
    case endOfRoute
    /// The Plus code is short, and this is its cell nearest to the town.
    case nearTown

    /// A sentence about the position.
    public var description: String {
      switch self {
      case .middleOfMap: "this is the middle of the map in this link, which names no place"
      case .endOfRoute: "this is the end of the route in this link"
      case .nearTown: "this is the short Plus code's cell nearest to the town"
      }
    }
  }

  /// Parses a position in any notation of `Coordinate(written:)`, or a short Plus code followed by
  /// a town.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - towns: Returns the positions of the towns that a name may mean.
  /// - Throws: ``WrittenPositionError``; `unreadable` for a text of more than 4096 bytes.
  public init(
    _ text: String, towns: (String) -> [Coordinate] = { _ in [] }
  ) throws(WrittenPositionError) {
    guard text.utf8.count <= 4096 else { throw .unreadable }
    let text = text.trimmingSpace
    if let link = MapLink(text) {
      self = try link.position(towns)
    } else {
      self = try Self.position(ofText: text, towns)
    }
  }

  init(_ coordinate: Coordinate, note: Note? = nil) {
    (self.coordinate, self.note) = (coordinate, note)
  }

  /// Parses a position that is not a link.
  static func position(
    ofText text: String, _ towns: (String) -> [Coordinate]
  ) throws(WrittenPositionError) -> WrittenPosition {
    let plain = WrittenText.plain(text).trimmingSpace
    if let position = try plusCode(plain, text, towns) { return position }
    if let place = try StandardNotation.coordinate(plain) { return Self(place) }
    if let place = try GridNotation.coordinate(plain) { return Self(place) }
    return Self(try AngleNotation.coordinate(plain))
  }

  /// Parses a Plus code, which may be followed by the name of a town.
  private static func plusCode(
    _ plain: String, _ text: String, _ towns: (String) -> [Coordinate]
  ) throws(WrittenPositionError) -> WrittenPosition? {
    let first = plain.prefix { $0 != " " && $0 != "," }
    guard first.contains("+"), let code = PlusCode(String(first)) else { return nil }
    guard code.isShort else { return Self(try code.center()) }
    let name = plain.dropFirst(first.count).drop { $0 == " " || $0 == "," }
    guard !name.isEmpty else { throw .shortPlusCode }
    let found = towns(String(name))
    guard let town = found.first else { throw .shortPlusCode }
    guard found.count == 1 else { throw .ambiguous(found) }
    return Self(try code.center(near: town), note: .nearTown)
  }
}

/// A reason why a text cannot be parsed as a position.
public enum WrittenPositionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text is in none of the supported notations.
  case unreadable
  /// The text could mean two positions: those given, or with the same signs divided otherwise if
  /// none is given.
  case ambiguous([Coordinate])
  /// The text has a latitude or a longitude only.
  case oneAngle
  /// Both angles are latitudes, or both are longitudes.
  case sameAxis
  /// Minutes or seconds are not in 0...60.
  case sixtiethsOutOfRange
  /// The latitude is not in −90...90.
  case latitudeOutOfRange
  /// The longitude is not in −180...180.
  case longitudeOutOfRange
  /// The letters of a UTM or MGRS position contradict each other or its numbers.
  case gridMismatch
  /// A link of a known site that contains no position.
  case linkWithoutPosition
  /// A link that names a place without its position.
  case linkWithName
  /// A short link, which only its site can resolve.
  case shortLink
  /// A link of a site or in a form that is not known.
  case unknownLink
  /// A short Plus code, which is relative to a reference position.
  case shortPlusCode
  /// Coordinates in a reference system other than WGS 84.
  case otherReferenceSystem

  /// The supported notations, for messages.
  public static let notations = """
    degrees (48.8584 2.2945, or with decimal commas 48,8584 2,2945), hemispheres (N48 51.5 E2 17.67), degrees, \
    minutes and seconds (48°51'30"N 2°17'40"E), UTM and MGRS (31U DQ 48251 11932), geo:48.8584,2.2945, a link of a \
    map website, or a full Plus code (8FW4V75V+8Q)
    """

  /// A description of the problem, without the text itself.
  public var description: String {
    switch self {
    case .unreadable: "the notation is unknown"
    case .ambiguous: "it may mean two positions"
    case .oneAngle: "it is only one angle, and a position has a latitude and a longitude"
    case .sameAxis: "both of its angles are latitudes, or both are longitudes"
    case .sixtiethsOutOfRange: "minutes and seconds are at most 60"
    case .latitudeOutOfRange: "the latitude, which comes first, is out of range −90 to 90"
    case .longitudeOutOfRange: "the longitude is out of range −180 to 180"
    case .gridMismatch: "the letters of its grid zone do not fit together, or not its numbers"
    case .linkWithoutPosition:
      "the link contains no position; open it, and copy the address of the map"
    case .linkWithName:
      "the link gives a place by name only; open it, and copy the place's coordinates"
    case .shortLink:
      "it is a short link, which only its site can resolve; open it, and copy the long address"
    case .unknownLink: "links of this site or in this form are not known; copy the coordinates"
    case .shortPlusCode:
      "the Plus code is short, so it needs a place nearby; write a full Plus code"
    case .otherReferenceSystem: "its reference system is not WGS 84"
    }
  }

  /// The positions that an ambiguous text may mean; empty for another error.
  public var readings: [Coordinate] {
    if case .ambiguous(let readings) = self { readings } else { [] }
  }

  /// The order in which errors of several readings of one text are preferred, smallest first.
  var rank: Int {
    switch self {
    case .latitudeOutOfRange, .longitudeOutOfRange: 0
    case .sixtiethsOutOfRange: 1
    case .ambiguous: 2
    case .sameAxis: 3
    case .oneAngle: 4
    default: 5
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
