import Encodings
import Spatial

/// A geometry of GeoJSON (RFC 7946, section 3.1) as far as it is a single point: a `Point`, or a
/// `MultiPoint` or `GeometryCollection` that holds just one.
struct PointGeometry {
  /// The point; `nil` where there is none, or more than one.
  var point: Coordinate? { isOther || pointCount != 1 ? nil : found }
  /// Whether it is, or holds, a line, an area or several points.
  var isOther: Bool { hasOther || pointCount > 1 }
  /// Whether it holds a position that is malformed or out of range.
  private(set) var isUnreadable = false

  /// The grid of the positions; `nil` where they are in degrees.
  var steps: PositionSteps?

  private var found: Coordinate?
  private var pointCount = 0
  private var hasOther = false

  /// The maximum nesting of collections.
  private static let maximumDepth = 8
  /// The maximum number of positions that are read of a geometry.
  private static let maximumCount = 2

  /// Reads a geometry.
  mutating func read(_ reader: inout JSONReader, depth: Int = 0) throws(JSONError) {
    try reader.beginObject()
    while let key = try reader.nextKey() { try read(key, &reader, depth: depth) }
  }

  /// Reads a member of a geometry.
  mutating func read(
    _ key: String, _ reader: inout JSONReader, depth: Int = 0
  ) throws(JSONError) {
    switch key {
    case "type":
      if let type = try Feature.scalar(&reader) { set(type: type) }
    case "coordinates":
      guard try reader.peek() == .array else {
        isUnreadable = true
        return try reader.skipValue()
      }
      try readCoordinates(&reader, depth: 0)
    case "geometries":
      guard try reader.peek() == .array else { return try reader.skipValue() }
      try reader.beginArray()
      while try reader.nextElement() {
        guard try reader.peek() == .object, depth < Self.maximumDepth else {
          hasOther = true
          try reader.skipValue()
          continue
        }
        try read(&reader, depth: depth + 1)
      }
    default: try reader.skipValue()
    }
  }

  /// Takes the type of a geometry.
  mutating func set(type: String) {
    if !["Point", "MultiPoint", "GeometryCollection"].contains(type) { hasOther = true }
  }

  /// Reads positions, longitude first (RFC 7946, section 3.1.1), at most in a list of them. The
  /// altitude is ignored.
  private mutating func readCoordinates(
    _ reader: inout JSONReader, depth: Int
  ) throws(JSONError) {
    var numbers: [Double] = []
    var isPosition = true
    var isEmpty = true
    try reader.beginArray()
    while try reader.nextElement() {
      isEmpty = false
      switch try reader.peek() {
      case .number where numbers.count < 4: numbers.append(try reader.double())
      case .array where depth == 0 && numbers.isEmpty && pointCount < Self.maximumCount:
        isPosition = false
        try readCoordinates(&reader, depth: 1)
      case .array:
        // More points than one, or the nesting of lines and areas.
        hasOther = true
        try reader.skipValue()
      default:
        isUnreadable = true
        isPosition = false
        try reader.skipValue()
      }
    }
    guard isPosition, !isEmpty else { return }
    pointCount += 1
    if let steps { numbers = steps.position(numbers) }
    found = numbers.count >= 2 ? Coordinate(latitude: numbers[1], longitude: numbers[0]) : nil
    if found == nil { isUnreadable = true }
  }
}
