extension Coordinate {
  /// Parses a position in any notation common among people and maps.
  ///
  /// - Degrees: `48.8584 2.2945`, `48.8584,2.2945`, `(48.8584, 2.2945)`, `48,8584 2,2945`.
  /// - Hemispheres: `N48.8584 E2.2945`, `48.8584N 2.2945E`, `N48 51.5 E2 17.67`, with letters or
  ///   words of many languages.
  /// - Minutes and seconds: `48°51.5'N 2°17.67'E`, `48°51'30"N 2°17'40"E`, `48 deg 51' 30" N`,
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
      case .middleOfMap: "this is the middle of the map view in this link, which names no place"
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
    if let degrees = AngleNotation.plainDegrees(text) {
      self.init(degrees)
      return
    }
    let text = Self.withoutQuotes(text.trimmingSpace)
    if text.hasPrefix("///") || text.lowercased().hasPrefix("what3words:") { throw .threeWords }
    if let link = MapLink(text) {
      self = try link.position(towns)
    } else {
      self = try Self.position(ofLabelled: text, towns)
    }
  }

  /// The maximum number of labels before a position.
  private static let maximumLabelCount = 3

  /// Parses a position that may have labels, which are removed only if it cannot be read with them.
  private static func position(
    ofLabelled text: String, _ towns: (String) -> [Coordinate]
  ) throws(WrittenPositionError) -> WrittenPosition {
    var text = text
    var failure: WrittenPositionError
    do throws(WrittenPositionError) { return try position(ofText: text, towns) } catch {
      failure = error
    }
    for _ in 0..<maximumLabelCount where failure == .unreadable {
      guard let rest = try PositionLabel.stripped(text), !rest.isEmpty else { break }
      text = rest
      do throws(WrittenPositionError) { return try position(ofText: text, towns) } catch {
        failure = error
      }
    }
    throw failure
  }

  init(_ coordinate: Coordinate, note: Note? = nil) {
    (self.coordinate, self.note) = (coordinate, note)
  }

  /// Returns a text without a pair of quotation marks around it.
  private static func withoutQuotes(_ text: String) -> String {
    for (open, close) in [("\"", "\""), ("'", "'"), ("“", "”"), ("„", "“"), ("«", "»"), ("`", "`")]
    {
      guard text.hasPrefix(open), text.hasSuffix(close), text.utf8.count > 2 else { continue }
      return text.dropFirst().dropLast().trimmingSpace
    }
    return text
  }

  /// Returns a text without a label in parentheses or an accuracy at its end.
  private static func withoutLabel(_ text: String) -> String {
    if let sign = text.firstIndex(of: "±"), sign != text.startIndex {
      return text[..<sign].trimmingSpace
    }
    guard text.last == ")", let open = text.lastIndex(of: "("), open != text.startIndex,
      text[open...].contains(where: \.isLetter), !text[open...].contains(where: \.isWholeNumber),
      text[..<open].contains(where: \.isNumber)
    else { return text }
    return text[..<open].trimmingSpace
  }

  /// Parses a position that is not a link.
  static func position(
    ofText text: String, _ towns: (String) -> [Coordinate]
  ) throws(WrittenPositionError) -> WrittenPosition {
    let text = withoutLabel(text)
    if let place = try StandardNotation.sentence(text) { return Self(place) }
    // One position in several notations: `48°51′N 2°17′E / 48.8584; 2.2945`.
    let parts = text.split(separator: " / ").map(String.init)
    if (2...4).contains(parts.count), let all = try? parts.map({ try position(ofText: $0, towns) }),
      let first = all.first, let last = all.last
    {
      guard first.coordinate.distance(to: last.coordinate) < 2000 else {
        throw .ambiguous(all.map(\.coordinate))
      }
      return last
    }
    let plain = WrittenText.plain(StandardNotation.withoutMarks(text)).trimmingSpace
    if let position = try plusCode(plain, text, towns) { return position }
    if let place = try StandardNotation.coordinate(plain) { return Self(place) }
    if let place = try GridNotation.coordinate(plain) { return Self(place) }
    if isThreeWords(plain) { throw .threeWords }
    return Self(try AngleNotation.coordinate(plain))
  }

  /// Parses a Plus code, which may be followed by the name of a town.
  private static func plusCode(
    _ plain: String, _ text: String, _ towns: (String) -> [Coordinate]
  ) throws(WrittenPositionError) -> WrittenPosition? {
    let words = plain.split { $0 == " " || $0 == "," }
    let isCode = { (word: Substring) in word.contains("+") && PlusCode(String(word)) != nil }
    guard let word = words.first.flatMap({ isCode($0) ? $0 : words.last }), isCode(word),
      let code = PlusCode(String(word)), words.count == 1 || plain.contains(where: \.isLetter)
    else { return nil }
    guard code.isShort else { return Self(try code.center()) }
    let isFirst = word.startIndex == plain.startIndex
    let rest = isFirst ? plain[word.endIndex...] : plain[..<word.startIndex]
    let name = String(rest).trimming { $0 == " " || $0 == "," }
    guard !name.isEmpty else { throw .shortPlusCode }
    let found = towns(name)
    guard let town = found.first else { throw .shortPlusCode }
    guard found.count == 1 else { throw .ambiguous(found) }
    return Self(try code.center(near: town), note: .nearTown)
  }
}

extension WrittenPosition {
  /// Returns whether a text is three words with points between them, and nothing else.
  private static func isThreeWords(_ text: String) -> Bool {
    let words = text.split(separator: ".", omittingEmptySubsequences: false)
    return words.count == 3 && words.allSatisfy { $0.count > 1 && $0.allSatisfy(\.isLetter) }
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
  /// A link to a route that has a start only.
  case routeWithoutEnd
  /// An address of three words, which only its site can resolve.
  case threeWords
  /// Numbers or letters of a grid without its zone.
  case gridWithoutZone
  /// A position in a grid of the poles (UPS), or of a zone or band that does not exist.
  case otherGrid
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
    case .routeWithoutEnd:
      "the route in this link has a start only; open it, and copy the coordinates"
    case .threeWords:
      """
      it is an address of three words, which only what3words can resolve; open it, and copy the coordinates
      """
    case .gridWithoutZone:
      "its metres or letters belong to a grid whose zone is not given; write UTM or MGRS with a zone"
    case .otherGrid: "its grid zone is not one of UTM or MGRS between 80° S and 84° N"
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
  var trimmingSpace: String { trimming(\.isWhitespace) }

  /// Returns the text without the characters of a kind at both ends.
  func trimming(_ isTrimmed: (Character) -> Bool) -> String {
    let start = self.drop(while: isTrimmed)
    guard let last = start.lastIndex(where: { !isTrimmed($0) }) else { return "" }
    return String(start[...last])
  }
}
