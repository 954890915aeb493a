import Encodings
import Spatial

/// An object of JSON that may be a place.
struct PlaceObject {
  /// The values of the place's fields.
  private(set) var values = PlaceValues()
  /// Whether the object is an event at a place that it contains, such as a check-in at a venue.
  private(set) var isVisit = false
  /// The position, if it is a geometry or a list of numbers.
  private var position: Position?
  private var notes: [String] = []
  private var collections: [String] = []
  private var unread: [String] = []

  private enum Position { case point(Coordinate), otherGeometry, unreadable }

  /// The maximum nesting of objects that describe a place.
  private static let maximumDepth = 4
  /// The folded names of objects that hold a part of their place.
  private static let parts: Set<String> = [
    "location", "coordinates", "coordinate", "coords", "coord", "position", "geo", "gps", "latlng",
    "latlon", "geocoordinates", "geopoint", "geolocation", "center", "centre", "point", "geometry",
    "properties", "tags", "attributes", "address", "displayposition",
  ]
  /// The folded names of objects that are the place of an event.
  private static let places: Set<String> = ["venue", "place", "poi"]

  private init() {}

  /// Reads an object, and the objects in it that describe the same place.
  init(_ object: JSONObject) throws(JSONError) { try self.init(object, depth: 0) }

  private init(_ object: JSONObject, depth: Int) throws(JSONError) {
    var parts: [PlaceObject] = []
    var place: PlaceObject?
    let isWaypoint = try Self.isOwnTracksWaypoint(object)
    try object.forEach { key, reader throws(JSONError) in
      let name = PlaceField.folded(key)
      switch try reader.peek() {
      case .object where depth < Self.maximumDepth && Self.places.contains(name):
        place = try PlaceObject(JSONObject(&reader), depth: depth + 1)
      case .object where depth < Self.maximumDepth && Self.parts.contains(name):
        parts.append(try Self.part(JSONObject(&reader), depth: depth + 1))
      case .object: unread.append(key)
      case .array: try readList(key, name, &reader)
      case .null: break
      case _ where isWaypoint && key == "_type": try reader.skipValue()
      case _ where isWaypoint && Self.waypointFields[key] != nil: try readWaypoint(key, &reader)
      default: try readScalar(key, name, &reader)
      }
    }
    for part in parts { fill(from: part) }
    guard var place else { return }
    // Values of the event itself do not describe the place.
    let own: [PlaceField] = [.name, .id, .kind, .url]
    place.unread += own.filter { !values.text($0).isEmpty }.map(\.rawValue)
    values.remove(own)
    place.fill(from: self)
    place.isVisit = true
    self = place
  }

  /// Reads a part of a place, which may be a geometry of GeoJSON.
  private static func part(
    _ object: JSONObject, depth: Int
  ) throws(JSONError) -> PlaceObject {
    guard object.kind(of: "type") == .string, object.kind(of: "coordinates") == .array else {
      return try PlaceObject(object, depth: depth)
    }
    var geometry = PointGeometry()
    geometry.set(type: try object.string("type") ?? "")
    try object.value("coordinates") { reader throws(JSONError) in
      try geometry.read("coordinates", &reader)
    }
    var part = PlaceObject()
    part.position =
      geometry.isOther ? .otherGeometry : geometry.point.map { .point($0) } ?? .unreadable
    return part
  }

  /// Takes what is missing from another object.
  private mutating func fill(from other: PlaceObject) {
    values.fill(from: other.values)
    position = position ?? other.position
    notes += other.notes
    collections += other.collections
    unread += other.unread
  }

  /// Returns whether an object is a waypoint of OwnTracks (Booklet, "JSON", `_type=waypoint`).
  private static func isOwnTracksWaypoint(_ object: JSONObject) throws(JSONError) -> Bool {
    guard object.kind(of: "_type") == .string else { return false }
    return try object.string("_type") == "waypoint"
  }

  /// The members of a waypoint of OwnTracks whose names mean something else, or nothing, elsewhere.
  private static let waypointFields: [String: PlaceField] = [
    "desc": .name, "rad": .radius, "tst": .time,
  ]

  /// Reads a member of a waypoint of OwnTracks. A radius of zero is none: it is not monitored.
  private mutating func readWaypoint(
    _ key: String, _ reader: inout JSONReader
  ) throws(JSONError) {
    guard let text = try Feature.scalar(&reader), !text.isEmpty,
      let field = Self.waypointFields[key]
    else { return }
    if field == .radius, Double(text) == 0 { return }
    if !values.take(text, as: field) { unread.append(key) }
  }

  private mutating func readScalar(
    _ key: String, _ name: String, _ reader: inout JSONReader
  ) throws(JSONError) {
    guard var text = try Feature.scalar(&reader), !text.isEmpty else { return }
    var field = PlaceField(columnName: key)
    // `latitudeE7`: degrees times 10^7.
    for (suffix, scale) in [("e7", 1e7), ("e6", 1e6)] where name.hasSuffix(suffix) {
      guard let degrees = PlaceField(columnName: String(name.dropLast(2))),
        degrees == .latitude || degrees == .longitude, let number = Double(text)
      else { continue }
      (field, text) = (degrees, String(number / scale))
    }
    if field == nil, ["shout", "review", "tip"].contains(name) { field = .note }
    if let field, values.take(text, as: field) { return }
    unread.append(key)
  }

  private mutating func readList(
    _ key: String, _ name: String, _ reader: inout JSONReader
  ) throws(JSONError) {
    let field = PlaceField(columnName: key)
    var texts: [String?] = []
    try reader.beginArray()
    while try reader.nextElement() {
      if try reader.peek() == .object {
        // `categories: [{"name": "Café"}]`
        let element = try JSONObject(&reader)
        texts.append(element.kind(of: "name") == .string ? try element.string("name") : nil)
      } else {
        texts.append(try Feature.scalar(&reader))
      }
    }
    let known = texts.compactMap(\.self)
    if let order = Self.orders[name], known.count == texts.count, known.count >= 2 {
      let (latitude, longitude) = order == .latitudeFirst ? (0, 1) : (1, 0)
      let first = WrittenDegrees.coordinate(known[latitude], known[longitude])
      let second = WrittenDegrees.coordinate(known[longitude], known[latitude])
      position = (first ?? (order == .unknown ? second : nil)).map { .point($0) } ?? .unreadable
      // Both orders are positions, and nothing says which one is meant.
      if order == .unknown, first != nil, second != nil, first != second { position = .unreadable }
    } else if field == .collection {
      collections += known
    } else if field == .note {
      notes += known
    } else if field == .kind || name == "categories", let kind = known.first {
      if !values.take(kind, as: .kind) { unread.append(key) }
    } else if !texts.isEmpty {
      unread.append(key)
    }
  }

  private enum Order { case latitudeFirst, longitudeFirst, unknown }

  /// The orders of numbers in lists that are positions, by the folded names of the lists.
  private static let orders: [String: Order] = [
    "latlng": .latitudeFirst, "latlon": .latitudeFirst, "latlong": .latitudeFirst,
    "lnglat": .longitudeFirst, "lonlat": .longitudeFirst, "longlat": .longitudeFirst,
    "coordinates": .unknown, "coordinate": .unknown, "coords": .unknown, "coord": .unknown,
    "position": .unknown, "location": .unknown, "point": .unknown, "center": .unknown,
    "geo": .unknown, "gps": .unknown,
  ]

  /// Whether the object has a position, even an unreadable one.
  var isPlace: Bool {
    if position != nil { return true }
    if !values.text(.latitude).isEmpty, !values.text(.longitude).isEmpty { return true }
    if case .success = values.coordinate { return true }
    return false
  }

  /// Returns the place; `nil` where it has no readable position, which is counted.
  func record(_ file: inout PlaceFile) -> PlaceRecord? {
    let coordinate: Coordinate
    switch (position, values.coordinate) {
    case (.point(let point), _) where !point.isNullIsland: coordinate = point
    case (_, .success(let found)): coordinate = found
    case (.otherGeometry, _):
      file.skip(.otherGeometry, values.text(.name))
      return nil
    case (.unreadable, _):
      file.skip(.unreadablePosition, values.text(.name))
      return nil
    case (_, .failure(let absence)):
      file.skip(absence.reason, values.text(.name))
      return nil
    }
    var record = PlaceRecord(coordinate: coordinate)
    record.unread = unread
    values.apply(to: &record)
    for note in notes { record.add(note: note, time: record.created) }
    // Several visits of a place have the same link.
    for link in values.links { record.add(note: link) }
    for name in collections { record.add(collection: name) }
    return record
  }
}
