/// The text that people and programs write before a position, or around it:
/// `Koordinaten: 48.2, 16.37`, `WGS84 48.2, 16.37`, `ll=48.2,16.37`, `Wien (48.2, 16.37)`.
///
/// A label is whatever ends in a colon or an equals sign and has no digits, unless all its words
/// belong to an angle, as in `Lat: 48.2 Lon: 16.37`. The name of a reference system is one if its
/// positions are those of WGS 84, and otherwise a reason to refuse the position.
enum PositionLabel {
  /// The maximum length of a label in characters.
  private static let maximumLength = 60

  /// The names of types and functions whose first number is the longitude.
  private static let longitudesFirst: Set<Substring> = [
    "lnglat", "lonlat", "st_point", "st_makepoint",
  ]

  /// The names of reference systems whose degrees are those of WGS 84 to a metre.
  private static let systems = [
    "wgs84", "wgs 84", "wgs-84", "wgs_84", "epsg:4326", "epsg 4326", "epsg4326", "etrs89",
    "etrs 89",
  ]
  /// The names of other reference systems, and of others' grids. Positions in CRS84 have the
  /// longitude first.
  private static let otherSystems = [
    "crs84", "ogc:crs84",
    "nad27", "nad 27", "ed50", "ed 50", "osgb36", "osgb 36", "gcj02", "gcj-02", "bd09", "bd-09",
    "tokyo datum", "ch1903", "lv95", "lv03", "mgi", "pulkovo", "sk-42", "sk42", "ск-42", "пз-90",
    "gauß-krüger", "gauss-krüger", "gauss-krueger", "gauss krüger", "epsg",
  ]

  /// Returns a text without a label; `nil` where it has none.
  ///
  /// - Throws: ``WrittenPositionError/otherReferenceSystem``.
  static func stripped(_ text: String) throws(WrittenPositionError) -> String? {
    let lowercased = text.lowercased()
    if let name = systems.first(where: { isWord($0, startOf: lowercased) }) {
      return rest(text.dropFirst(name.count))
    }
    if otherSystems.contains(where: { isWord($0, startOf: lowercased) }) {
      throw .otherReferenceSystem
    }
    for ending in systems.flatMap({ ["(\($0))", $0] })
    where lowercased.hasSuffix(ending) && lowercased.count > ending.count {
      return text.dropLast(ending.count).trimmingSpace
    }
    if text.first == "@" { return text.dropFirst().trimmingSpace }
    if let mark = text.firstIndex(where: { ":=：".contains($0) }), isLabel(text[..<mark]) {
      return rest(text[mark...])
    }
    return try inBrackets(text)
  }

  /// Returns whether a text begins with a name that no letter or digit continues.
  private static func isWord(_ name: String, startOf text: String) -> Bool {
    guard text.hasPrefix(name), let next = text.dropFirst(name.count).first else { return false }
    return !next.isLetter && !next.isNumber
  }

  private static func rest(_ text: Substring) -> String {
    text.drop { " :=：,;".contains($0) || $0.isWhitespace }.trimmingSpace
  }

  private static func isLabel(_ text: Substring) -> Bool {
    guard text.count <= maximumLength, text.contains(where: \.isLetter),
      !text.contains(where: \.isNumber)
    else { return false }
    let words = text.lowercased().split { !$0.isLetter }.map { PositionWords.all[String($0)] }
    // `lat/lon` names the order that a position has anyway.
    let axes = words.compactMap { $0?.isOfLatitude }
    if axes == [true, false] { return true }
    return words.contains { word in
      guard let word else { return true }
      return word.isOfLatitude == nil && word.directions.isEmpty && word.unit == nil
    }
  }

  /// Returns the position in brackets behind a name or the name of a type: `LatLng(48.2, 16.37)`.
  ///
  /// - Throws: ``WrittenPositionError/ambiguous(_:)`` for two numbers of a point, which some
  ///   programs write with the latitude first and others with the longitude first.
  private static func inBrackets(_ text: String) throws(WrittenPositionError) -> String? {
    guard text.last == ")", let open = text.lastIndex(of: "("), open != text.startIndex,
      text[..<open].contains(where: \.isLetter), !text[..<open].contains(where: \.isNumber)
    else { return nil }
    let inner = text[open...].dropFirst().dropLast().trimmingSpace
    let name = identifier(text[..<open])
    let numbers = inner.split { $0 == "," || $0 == " " }
    guard numbers.count == 2, numbers.allSatisfy({ AngleNotation.decimal($0) != nil }) else {
      return inner
    }
    let swapped = "\(numbers[1]), \(numbers[0])"
    if longitudesFirst.contains(name) { return swapped }
    guard name == "point" else { return inner }
    guard let first = try? AngleNotation.coordinate(inner) else { return swapped }
    guard let second = try? AngleNotation.coordinate(swapped) else { return inner }
    throw .ambiguous([first, second])
  }

  /// Returns the name of a type or function without those of its module, as in `turf.point` and
  /// `new maplibregl.LngLat`; empty for other words, such as those of `West Point`.
  private static func identifier(_ text: Substring) -> Substring {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace)
    guard let last = words.last, words.count == 1 || words.count == 2 && words[0] == "new" else {
      return ""
    }
    return last.split(separator: ".").last ?? ""
  }
}
