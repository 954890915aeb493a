import CivilTime
import Encodings
import KeptPlaces
import Spatial

/// The members of a body that describes a place or a note.
struct PlaceBody {
  private(set) var latitude: Double?
  private(set) var longitude: Double?
  private(set) var name: String?
  private(set) var kind: String?
  private(set) var note: String?
  private(set) var text: String?
  private(set) var time: Instant?
  /// The radius; `nil` where the member is missing, `.some(nil)` where it is `null`.
  private(set) var radiusMeters: Double??
  /// The spot's id; `nil` where the member is missing, `.some(nil)` where it is `null`.
  private(set) var spotID: String??
  private(set) var collections: [String]?
  private(set) var photos: [String]?

  /// The members for a new place, for changing a place, for a new note, and for changing a note.
  static let ofPlace: Set = [
    "latitude", "longitude", "name", "kind", "radius", "collections", "note", "photos", "spot",
  ]
  static let ofChange = ofPlace.subtracting(["note"])
  static let ofNote: Set = ["text", "time"]
  static let ofNoteChange: Set = ["text"]

  /// Parses a body.
  ///
  /// - Parameters:
  ///   - body: A JSON object.
  ///   - known: The permitted members.
  /// - Throws: A problem where the body is not an object, has an unknown or repeated member, or a
  ///   value has the wrong type.
  init(_ body: [UInt8], _ known: Set<String>) throws(Problem) {
    var member = "body"
    do throws(JSONError) {
      var reader = JSONReader(body)
      var seen: Set<String> = []
      try reader.beginObject()
      while let key = try reader.nextKey() {
        guard known.contains(key), seen.insert(key).inserted else {
          throw JSONError(
            offset: reader.offset, reason: "'\(key)' is unknown, or is given twice")
        }
        member = key
        try read(key, &reader)
        member = "body"
      }
      try reader.end()
    } catch {
      throw Problem(
        .badParameter, "The body cannot be used: \(error.reason).", parameter: member)
    }
  }

  private mutating func read(
    _ key: String, _ reader: inout JSONReader
  ) throws(JSONError) {
    switch key {
    case "latitude": latitude = try reader.double()
    case "longitude": longitude = try reader.double()
    case "name": name = try Self.text(&reader, PlaceLimits.name)
    case "kind": kind = try Self.text(&reader, PlaceLimits.kind)
    case "note": note = try Self.text(&reader, PlaceLimits.note)
    case "text": text = try Self.text(&reader, PlaceLimits.note)
    case "time":
      let offset = reader.offset
      guard let instant = Instant(iso8601: try reader.string()) else {
        throw JSONError(offset: offset, reason: "a time such as 2026-12-01T08:00:00Z is expected")
      }
      time = instant
    case "radius":
      radiusMeters = .some(try reader.skipNull() ? nil : try reader.double())
    case "spot": spotID = .some(try reader.skipNull() ? nil : try reader.string())
    case "collections":
      collections = try Self.texts(
        &reader, PlaceLimits.collectionCount, ofLength: PlaceLimits.collection)
    case "photos": photos = try Self.texts(&reader, PlaceLimits.photoCount, ofLength: .max)
    default: try reader.skipValue()
    }
  }

  /// Reads a text of at most a number of Unicode scalars.
  private static func text(
    _ reader: inout JSONReader, _ maximum: Int
  ) throws(JSONError) -> String {
    let offset = reader.offset
    let text = try reader.string()
    guard text.unicodeScalars.count <= maximum else {
      throw JSONError(offset: offset, reason: "the text has more than \(maximum) characters")
    }
    return text
  }

  /// Reads an array of at most a number of texts.
  private static func texts(
    _ reader: inout JSONReader, _ maximum: Int, ofLength length: Int
  ) throws(JSONError) -> [String] {
    var texts: [String] = []
    try reader.beginArray()
    while try reader.nextElement() {
      guard texts.count < maximum else {
        throw JSONError(offset: reader.offset, reason: "there are more than \(maximum) elements")
      }
      texts.append(try text(&reader, length))
    }
    return texts
  }

  /// The name; `nil` where none is given, or nothing of it would be visible.
  var givenName: String? {
    guard let name else { return nil }
    let isBlank = name.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
    }
    return isBlank ? nil : name
  }

  /// Returns the position; `nil` where none is given.
  func coordinate() throws(Problem) -> Coordinate? {
    guard latitude != nil || longitude != nil else { return nil }
    guard let latitude, let longitude,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else {
      throw Parameters.bad("latitude", "and 'longitude' must be a position in degrees")
    }
    return coordinate
  }
}
