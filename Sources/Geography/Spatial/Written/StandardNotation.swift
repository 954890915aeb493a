/// A reader of the point notations of standards for data exchange.
enum StandardNotation {
  /// Reads ISO 6709 (annex H) and well-known text (OGC 06-103r4); `nil` for another notation.
  static func coordinate(_ text: String) throws(WrittenPositionError) -> Coordinate? {
    if let place = try iso6709(text) { return place }
    if let place = try geoJSON(text) { return place }
    return try wellKnownText(text)
  }

  /// Returns a text without the quotation marks of JSON, and with dashes between whole degrees and
  /// minutes as colons: `22-57-06.84S` of charts and pilots.
  static func withoutMarks(_ text: String) -> String {
    let text = text.hasPrefix("{") ? text.replacing("\"", with: "") : text
    guard text.contains(where: { "NSEWnsew".contains($0) }) else { return text }
    let characters = Array(text)
    func isDigit(_ index: Int) -> Bool {
      characters.indices.contains(index) && characters[index].isASCII && characters[index].isNumber
    }
    var isWhole = false
    var plain = ""
    for (index, character) in characters.enumerated() {
      if !isDigit(index), character != "-" { isWhole = false }
      if isDigit(index), !isDigit(index - 1) {
        isWhole = index == 0 || characters[index - 1] != "."
      }
      let isBetween = character == "-" && isWhole && isDigit(index - 1) && isDigit(index + 1)
      plain.append(isBetween ? ":" : character)
    }
    return plain
  }

  /// Reads a sentence of a receiver, which has the position in four fields: `$GPGGA,…,4041.352,N,
  /// 07402.67,W,…` (NMEA 0183).
  static func sentence(_ text: String) throws(WrittenPositionError) -> Coordinate? {
    guard text.hasPrefix("$") || text.hasPrefix("!") else { return nil }
    let fields = text.split(separator: ",", omittingEmptySubsequences: false)
    guard fields.count <= 40 else { return nil }
    for index in fields.indices.dropFirst().dropLast(2)
    where ["N", "S"].contains(fields[index]) && ["E", "W"].contains(fields[index + 2]) {
      let position = fields.dropFirst(index - 1).prefix(4).joined(separator: ",")
      return try AngleNotation.coordinate(WrittenText.plain(position))
    }
    return nil
  }

  /// Reads a point of GeoJSON, which has the longitude first (RFC 7946, section 3.1.1).
  private static func geoJSON(_ text: String) throws(WrittenPositionError) -> Coordinate? {
    guard text.hasPrefix("{"), text.contains("Point"),
      let range = text.firstRange(of: "coordinates:") ?? text.firstRange(of: "coordinates :")
    else { return nil }
    let list = text[range.upperBound...].drop { $0 == " " }
    guard list.first == "[", let end = list.firstIndex(of: "]") else { return nil }
    let numbers = list[..<end].dropFirst().split { $0 == "," || $0 == " " }
      .map { AngleNotation.decimal($0) }
    guard (2...3).contains(numbers.count), let longitude = numbers[0], let latitude = numbers[1]
    else { return nil }
    return try Coordinate(writtenLatitude: latitude, longitude: longitude)
  }

  /// Reads `+48.8584+002.2945/`: the signs are mandatory, and the number of digits tells whether
  /// minutes and seconds are included. An altitude and the reference system may follow.
  private static func iso6709(_ text: String) throws(WrittenPositionError) -> Coordinate? {
    var rest = text[...]
    var fields: [Substring] = []
    while let sign = rest.first, sign == "+" || sign == "-" {
      let number = rest.dropFirst().prefix { $0.isNumber || $0 == "." }
      guard AngleNotation.decimal(number) != nil, fields.count < 3 else { return nil }
      fields.append(rest.prefix(number.count + 1))
      rest = rest.dropFirst(number.count + 1)
    }
    if rest.last == "/" { rest = rest.dropLast() }
    guard fields.count >= 2, rest.isEmpty || rest.hasPrefix("CRS"),
      let latitude = try packed(fields[0], degreeDigits: 2),
      let longitude = try packed(fields[1], degreeDigits: 3)
    else { return nil }
    guard rest.isEmpty || ["CRSWGS_84", "CRSEPSG:4326", "CRS84"].contains(rest.uppercased()) else {
      throw .otherReferenceSystem
    }
    return try Coordinate(writtenLatitude: latitude, longitude: longitude)
  }

  /// Splits `+DD`, `+DDMM` or `+DDMMSS`, each with a fraction; `nil` for another number of digits.
  private static func packed(
    _ field: Substring, degreeDigits: Int
  ) throws(WrittenPositionError) -> Double? {
    let digits = field.dropFirst()
    let whole = digits.prefix { $0 != "." }.count
    let pairs = whole - degreeDigits
    guard [0, 2, 4].contains(pairs) else { return nil }
    var value = 0.0
    var rest = digits
    for place in 0...pairs / 2 {
      let isLast = place == pairs / 2
      let part = isLast ? rest : rest.prefix(place == 0 ? degreeDigits : 2)
      guard let number = Double(part) else { return nil }
      guard place == 0 || number <= 60 else { throw .sixtiethsOutOfRange }
      value += number / [1, 60, 3600][place]
      rest = rest.dropFirst(part.count)
    }
    return field.first == "-" ? -value : value
  }

  /// Reads `POINT(2.2945 48.8584)`, which has the longitude first.
  private static func wellKnownText(_ text: String) throws(WrittenPositionError) -> Coordinate? {
    var rest = text.uppercased()[...]
    if rest.hasPrefix("SRID=") {
      guard rest.hasPrefix("SRID=4326;") else { throw .otherReferenceSystem }
      rest = rest.dropFirst(10)
    }
    guard rest.hasPrefix("POINT"), let open = rest.firstIndex(of: "("), rest.last == ")" else {
      return nil
    }
    let numbers = rest[open...].dropFirst().dropLast().split(separator: " ")
      .map { AngleNotation.decimal($0) }
    guard (2...4).contains(numbers.count), let longitude = numbers[0], let latitude = numbers[1]
    else { return nil }
    return try Coordinate(writtenLatitude: latitude, longitude: longitude)
  }
}
