import Encodings

/// A position in GeoJSON's order: longitude, latitude, then optionally the altitude in metres (RFC
/// 7946, section 3.1.1).
struct GeoJSONPosition: Hashable, Sendable {
  var latitude: Double
  var longitude: Double
  var altitude: Double?
}

/// The `coordinates` of a geometry: positions, nested in as many arrays as its type requires.
struct GeoJSONCoordinates: Sendable {
  /// The readable positions, in order.
  private(set) var positions: [GeoJSONPosition] = []
  /// The number of positions that could not be read.
  private(set) var unreadable = 0

  /// The deepest nesting of any geometry (MultiPolygon).
  private static let maximumLevels = 4

  init() {}

  /// Reads the coordinates of any type of geometry; numbers may be written as strings.
  init(_ reader: inout JSONReader) throws(JSONError) {
    try read(&reader, level: 1)
  }

  private mutating func read(_ reader: inout JSONReader, level: Int) throws(JSONError) {
    guard try reader.peek() == .array, level <= Self.maximumLevels else {
      return try reader.skipValue()
    }
    var numbers: (Double?, Double?, Double?)
    var count = 0
    try reader.beginArray()
    while try reader.nextElement() {
      if try reader.peek() == .array {
        try read(&reader, level: level + 1)
        continue
      }
      let number = try reader.looseNumber()
      switch count {
      case 0: numbers.0 = number
      case 1: numbers.1 = number
      case 2: numbers.2 = number
      default: break
      }
      count += 1
    }
    guard count > 0 else { return }
    if let longitude = numbers.0, let latitude = numbers.1 {
      positions.append(
        GeoJSONPosition(latitude: latitude, longitude: longitude, altitude: numbers.2))
    } else {
      unreadable += 1
    }
  }
}
