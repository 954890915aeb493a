import CLibrary

/// A reader of positions in the grids UTM and MGRS on the WGS 84 ellipsoid.
///
/// The grids are defined in NGA.STND.0037_2.0.0_GRIDS (2014). The projection is inverted by
/// Krüger's series to the fourth order in the third flattening (Karney 2011, "Transverse Mercator
/// with an accuracy of a few nanometers", equations 36 and 11), whose error within a zone is below
/// a millimetre.
enum GridNotation {
  /// Reads `31U 448251 5411932`, `31 north 448251 5411932` or `31U DQ 48251 11932`; `nil` if the
  /// text is in neither grid.
  static func coordinate(_ text: String) throws(WrittenPositionError) -> Coordinate? {
    var rest = text.uppercased()[...]
    var isNamed = false
    while let word = labels.first(where: rest.hasPrefix) {
      rest = rest.dropFirst(word.count)
      isNamed = isNamed || word.count > 2
    }
    rest = zoneFirst(rest)
    let zoneText = rest.prefix { isDigit($0) }
    guard (1...2).contains(zoneText.count), let zone = Int(zoneText) else {
      try refuseWithoutZone(rest)
      return nil
    }
    rest = rest.dropFirst(zoneText.count).drop { $0 == " " }
    if isNamed, let (easting, northing) = numbers(rest), (1...60).contains(zone) {
      // `zone 31 448251 5411932` without a hemisphere.
      throw .ambiguous([
        try transverse(zone, easting, northing),
        try transverse(zone, easting, northing - 10_000_000),
      ])
    }
    guard (1...60).contains(zone) else {
      let isGrid = rest.first?.isLetter == true && rest.count(where: isDigit) >= 10
      if isGrid { throw .otherGrid }
      return nil
    }
    for (word, isNorth) in [("NORTH", true), ("SOUTH", false)] where rest.hasPrefix(word) {
      guard let (easting, northing) = numbers(rest.dropFirst(word.count)) else { return nil }
      return try transverse(zone, easting, isNorth ? northing : northing - 10_000_000)
    }
    guard let letter = rest.first, let band = bands.firstIndex(of: letter) else {
      if rest.first?.isLetter == true, numbers(rest.dropFirst().drop { $0 == " " }) != nil {
        throw .otherGrid
      }
      return nil
    }
    rest = rest.dropFirst().drop { $0 == " " || $0 == "," }
    if let (easting, northing) = numbers(rest) {
      return try utm(zone, letter, band, easting, northing)
    }
    return try mgrs(zone, band, rest)
  }

  /// Signs and names before a position, which mean nothing more.
  private static let labels = [" ", ",", ":", "UTM", "MGRS", "USNG", "WGS84", "WGS 84", "ZONE"]

  /// Returns a text whose last word is a zone, as in `448251 5411932 31U`, with the zone first.
  private static func zoneFirst(_ text: Substring) -> Substring {
    let words = text.split { $0 == " " || $0 == "," }
    guard words.count >= 3, let last = words.last, let letter = last.last,
      bands.contains(letter), (1...2).contains(last.dropLast().count),
      last.dropLast().allSatisfy(isDigit), words[0].prefix(while: isDigit).count >= 5
    else { return text }
    return "\(last) " + text[..<last.startIndex]
  }

  /// Throws an error for letters and metres of a grid without a zone, and for a grid of the poles.
  private static func refuseWithoutZone(_ text: Substring) throws(WrittenPositionError) {
    let letters = text.prefix { $0.isASCII && $0.isLetter }
    let rest = text.dropFirst(letters.count).drop { $0 == " " }
    let groups = rest.split { $0 == " " || $0 == "," }
    let isSquare =
      groups.joined().allSatisfy(isDigit)
      && (groups.count == 2 && groups[0].count == groups[1].count || groups.count == 1)
      && rest.count(where: isDigit).isMultiple(of: 2) && rest.count(where: isDigit) >= 4
    if letters.count == 3, "ABYZ".contains(letters.first ?? " "), isSquare { throw .otherGrid }
    if letters.count == 2, isSquare { throw .gridWithoutZone }
    if letters.isEmpty || easts.contains(String(letters)), numbers(rest) != nil {
      throw .gridWithoutZone
    }
  }

  private static let bands = Array("CDEFGHJKLMNPQRSTUVWX")
  private static func isDigit(_ character: Character) -> Bool {
    character.utf8.count == 1 && ("0"..."9").contains(character)
  }

  private static let easts = ["E", "X", "M", "ME", "EASTING"]
  private static let norths = ["N", "Y", "M", "MN", "NORTHING"]

  /// Parses the easting and the northing in metres, with or without letters.
  private static func numbers(_ text: Substring) -> (Double, Double)? {
    var numbers: [Substring] = []
    var rest = text
    while let character = rest.first {
      let word = rest.prefix { isDigit($0) || $0 == "." }
      let letters = rest.prefix { $0.isLetter }
      if !word.isEmpty {
        numbers.append(word)
      } else if !letters.isEmpty {
        let names = numbers.isEmpty ? easts : numbers.count == 1 ? easts + norths : norths
        guard names.contains(String(letters)) else { return nil }
      } else if ![" ", ",", ";", ":", "=", "/"].contains(character) {
        return nil
      }
      rest = rest.dropFirst(max(word.count, letters.count, 1))
    }
    // Groups of three digits: `448 251 5 411 932`.
    var plain = numbers.map(String.init)
    let isGrouped =
      numbers.dropFirst().enumerated().allSatisfy {
        $1.prefix(while: isDigit).count == 3 || $0 == 1 && $1.count == 1
      }
    if isGrouped, numbers.count == 5 || numbers.count == 4, numbers[0].count <= 3 {
      plain = [numbers[..<2].joined(), numbers[2...].joined()]
    }
    guard plain.count == 2, let easting = AngleNotation.decimal(plain[0]),
      let northing = AngleNotation.decimal(plain[1]),
      (100_000..<1_000_000).contains(easting), (0...10_000_000).contains(northing)
    else { return nil }
    return (easting, northing)
  }

  /// Reads a position with the letter of a band. `S` may also mean the southern hemisphere.
  private static func utm(
    _ zone: Int, _ letter: Character, _ band: Int, _ easting: Double, _ northing: Double
  ) throws(WrittenPositionError) -> Coordinate {
    let isNorth = letter >= "N"
    let place = try transverse(zone, easting, isNorth ? northing : northing - 10_000_000)
    if letter == "N" { return place }
    let isInBand = isInBand(place.latitude, band)
    if letter == "S" {
      let southern = try transverse(zone, easting, northing - 10_000_000)
      guard isInBand else { return southern }
      throw .ambiguous([place, southern])
    }
    guard isInBand else { throw .gridMismatch }
    return place
  }

  /// Returns whether a latitude is in a band of 8°, or within half a degree of it.
  private static func isInBand(_ latitude: Double, _ band: Int) -> Bool {
    let south = Double(band) * 8 - 80
    let height = band == bands.count - 1 ? 12.0 : 8
    return latitude > south - 0.5 && latitude < south + height + 0.5
  }

  private static let rows = Array("ABCDEFGHJKLMNPQRSTUV")
  private static let columns = [Array("ABCDEFGH"), Array("JKLMNPQR"), Array("STUVWXYZ")]

  /// Reads the letters of a square of 100 km and an even number of digits, and returns the centre
  /// of the cell that they designate.
  private static func mgrs(
    _ zone: Int, _ band: Int, _ text: Substring
  ) throws(WrittenPositionError) -> Coordinate? {
    guard let columnLetter = text.first, let rowLetter = text.dropFirst().first,
      columnLetter.isLetter, rowLetter.isLetter
    else { return nil }
    let groups = text.dropFirst(2).split { $0 == " " || $0 == "," }
    let digits = groups.joined()
    guard digits.allSatisfy(isDigit), digits.count.isMultiple(of: 2), digits.count <= 10,
      groups.count <= 1 || groups.count == 2 && groups[0].count == groups[1].count
    else { return nil }
    guard let column = columns[(zone - 1) % 3].firstIndex(of: columnLetter),
      let row = rows.firstIndex(of: rowLetter)
    else { throw .gridMismatch }
    var cell = 100_000.0
    for _ in 0..<digits.count / 2 { cell /= 10 }
    func offset(_ text: Substring) -> Double { (Double(text) ?? 0) * cell + cell / 2 }
    let half = digits.index(digits.startIndex, offsetBy: digits.count / 2)
    let easting = Double(column + 1) * 100_000 + offset(digits[..<half])
    // The letters of rows begin with F in even zones.
    let index = zone.isMultiple(of: 2) ? (row + 15) % 20 : row
    let northing = Double(index) * 100_000 + offset(digits[half...])
    // The letters of rows repeat every 2,000 km, about 18°.
    for turn in 0..<5 {
      let full = northing + Double(turn) * 2_000_000 - (band < 10 ? 10_000_000 : 0)
      guard let place = try? transverse(zone, easting, full) else { continue }
      // A row of squares may begin almost a degree before its band.
      let south = Double(band) * 8 - 80
      if place.latitude > south - 1, place.latitude < south + (band == 19 ? 13 : 9) { return place }
    }
    throw .gridMismatch
  }

  /// Returns the position of a point of a zone; the northing is negative south of the equator.
  static func transverse(
    _ zone: Int, _ easting: Double, _ northing: Double
  ) throws(WrittenPositionError) -> Coordinate {
    let flattening = 1 / 298.257223563
    let n = flattening / (2 - flattening)
    let (n2, n3, n4) = (n * n, n * n * n, n * n * n * n)
    let radius = 6_378_137 / (1 + n) * (1 + n2 / 4 + n4 / 64)
    let xi = northing / (0.9996 * radius)
    let eta = (easting - 500_000) / (0.9996 * radius)
    let series = [
      n / 2 - n2 * 2 / 3 + n3 * 37 / 96 - n4 / 360, n2 / 48 + n3 / 15 - n4 * 437 / 1440,
      n3 * 17 / 480 - n4 * 37 / 840, n4 * 4397 / 161_280,
    ]
    var (plainXi, plainEta) = (xi, eta)
    for (index, factor) in series.enumerated() {
      let multiple = 2 * Double(index + 1)
      plainXi -= factor * sin(multiple * xi) * cosh(multiple * eta)
      plainEta -= factor * cos(multiple * xi) * sinh(multiple * eta)
    }
    let conformal = asin(min(max(sin(plainXi) / cosh(plainEta), -1), 1))
    let latitudes = [
      n * 2 - n2 * 2 / 3 - n3 * 2 + n4 * 116 / 45, n2 * 7 / 3 - n3 * 8 / 5 - n4 * 227 / 45,
      n3 * 56 / 15 - n4 * 136 / 35, n4 * 4279 / 630,
    ]
    var latitude = conformal
    for (index, factor) in latitudes.enumerated() {
      latitude += factor * sin(2 * Double(index + 1) * conformal)
    }
    let east = atan2(sinh(plainEta), cos(plainXi))
    var longitude = Double(zone) * 6 - 183 + east * 180 / .pi
    if longitude < -180 { longitude += 360 } else if longitude > 180 { longitude -= 360 }
    return try Coordinate(writtenLatitude: latitude * 180 / .pi, longitude: longitude)
  }
}
