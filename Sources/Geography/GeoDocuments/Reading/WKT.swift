import Spatial

/// A position in the well-known text of geometries (OGC 06-103r4, section 7), also with the
/// reference system that PostGIS puts first: `POINT (2.2945 48.8584)`, `SRID=4326;MULTIPOINT Z ((2
/// 48 100))`.
enum WKT {
  /// The kind of a geometry, and its position where it is a single point.
  enum Geometry: Equatable {
    /// A single point, in whatever geometry.
    case point(Coordinate)
    /// A geometry without points.
    case empty
    /// A line, an area, or several points.
    case other
    /// A point with malformed numbers, out of range, or in another reference system.
    case unreadable
  }

  private static let points = ["POINT", "MULTIPOINT", "GEOMETRYCOLLECTION"]
  private static let others = [
    "LINESTRING", "POLYGON", "MULTILINESTRING", "MULTIPOLYGON", "CIRCULARSTRING", "COMPOUNDCURVE",
    "CURVEPOLYGON", "MULTICURVE", "MULTISURFACE", "CURVE", "SURFACE", "POLYHEDRALSURFACE", "TIN",
    "TRIANGLE", "LINEARRING",
  ]
  private static let marks = ["Z", "M", "ZM"]

  /// Reads a text; `nil` where it is not well-known text.
  static func geometry(_ text: String) -> Geometry? {
    var rest = text.uppercased()[...]
    if rest.hasPrefix("SRID=") {
      guard let end = rest.firstIndex(of: ";") else { return .unreadable }
      // Only WGS 84 has degrees as they are here.
      guard rest[..<end].dropFirst(5) == "4326" else { return .unreadable }
      rest = rest[rest.index(after: end)...]
    }
    let words = rest.split { !($0.isASCII && $0.isLetter) }.map { String($0) }
    guard let first = words.first, rest.drop(while: { $0 == " " }).hasPrefix(first),
      kind(of: first) != nil
    else { return nil }
    var found: Coordinate?
    var count = 0
    if words.contains(where: { self.kind(of: $0) == .other }) { return .other }
    if words.contains("EMPTY"), !rest.contains("(") { return .empty }
    // Each innermost list of numbers is a point; a list of several, in the short form, has commas.
    for list in rest.split(whereSeparator: { "()".contains($0) }) {
      for part in list.split(separator: ",") {
        let numbers = part.split(separator: " ").filter { $0.first.map { !$0.isLetter } ?? false }
        guard !numbers.isEmpty else { continue }
        count += 1
        guard (2...4).contains(numbers.count),
          let coordinate = WrittenDegrees.coordinate(String(numbers[1]), String(numbers[0]))
        else { return .unreadable }
        found = coordinate
      }
    }
    if count > 1 { return .other }
    return found.map { .point($0) } ?? (words.contains("EMPTY") ? .empty : .unreadable)
  }

  /// Returns the length in characters of the geometry at the start of a text; `nil` where none
  /// begins there.
  static func length(atStartOf text: String) -> Int? {
    let system = text.uppercased().hasPrefix("SRID=") ? text.prefix { $0 != ";" }.count + 1 : 0
    let rest = text.dropFirst(system)
    let words = rest.prefix { $0 != "(" }.split(separator: " ")
    guard let word = words.first, rest.first != " ", kind(of: word.uppercased()) != nil else {
      return nil
    }
    if let place = words.firstIndex(where: { $0.uppercased() == "EMPTY" }), place <= 2 {
      return text.distance(from: text.startIndex, to: words[place].endIndex)
    }
    var depth = 0
    for (place, character) in rest.enumerated() {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if depth == 0, character == ")" { return system + place + 1 }
    }
    return nil
  }

  private enum Kind { case point, other }

  /// Returns the kind of a name, which the mark of further numbers may follow at once: `POINTZ`.
  private static func kind(of word: String) -> Kind? {
    let names =
      [word] + marks.filter { word.hasSuffix($0) }.map { String(word.dropLast($0.count)) }
    if names.contains(where: points.contains) { return .point }
    return names.contains(where: others.contains) ? .other : nil
  }
}
