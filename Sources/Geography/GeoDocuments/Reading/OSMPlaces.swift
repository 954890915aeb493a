import Encodings
import Spatial

/// Reads elements of OpenStreetMap, in XML (wiki.openstreetmap.org/wiki/OSM_XML) or as JSON of the
/// Overpass API (wiki.openstreetmap.org/wiki/OSM_JSON).
///
/// Nodes are places, and so are ways and relations whose centre the file states (`out center`).
/// Nodes without tags are the vertices of ways wherever a file has ways.
enum OSMPlaces {
  static func readXML(_ text: [UInt8]) throws(PlaceFileError) -> PlaceFile {
    var file = PlaceFile(format: .osm)
    var vertices = OSMVertices()
    try XMLPlaces.forEach("node", "way", "relation", in: text, of: &file) {
      node, _, file throws(PlaceFileError) in
      var element = OSMElement(type: node.name.local, id: node.attribute("id") ?? "")
      let center = node.child("center")
      element.latitude = node.attribute("lat") ?? center?.attribute("lat") ?? ""
      element.longitude = node.attribute("lon") ?? center?.attribute("lon") ?? ""
      element.time = node.attribute("timestamp") ?? ""
      element.version = node.attribute("version").flatMap { Int($0) }
      element.isDeleted =
        node.attribute("action") == "delete" || node.attribute("visible") == "false"
      for tag in node.children where tag.name.local == "tag" {
        element.tags.append((tag.attribute("k") ?? "", tag.attribute("v") ?? ""))
      }
      try vertices.take(element, to: &file)
    }
    try vertices.finish(&file)
    return file
  }

  static func readJSON(_ text: [UInt8]) throws(PlaceFileError) -> PlaceFile {
    var file = PlaceFile(format: .osm)
    var vertices = OSMVertices()
    var failure: PlaceFileError?
    do throws(JSONError) {
      var reader = JSONReader(text)
      try reader.beginObject()
      while let key = try reader.nextKey() {
        guard key == "elements", try reader.peek() == .array else {
          try reader.skipValue()
          continue
        }
        try reader.beginArray()
        while try reader.nextElement() {
          guard try reader.peek() == .object else {
            try reader.skipValue()
            file.skip(.malformed)
            continue
          }
          let element = try element(JSONObject(&reader))
          do throws(PlaceFileError) {
            try vertices.take(element, to: &file)
          } catch { failure = error }
          if failure != nil { break }
        }
        if failure != nil { break }
      }
      if failure == nil { try reader.end() }
    } catch { throw .json(error) }
    if let failure { throw failure }
    try vertices.finish(&file)
    return file
  }

  private static func element(_ object: JSONObject) throws(JSONError) -> OSMElement {
    var element = OSMElement(
      type: try text("type", of: object), id: try text("id", of: object))
    let center = object.kind(of: "center") == .object ? try object.object("center") : nil
    let position = object.kind(of: "lat") == nil ? center ?? object : object
    element.latitude = try text("lat", of: position)
    element.longitude = try text("lon", of: position)
    element.time = try text("timestamp", of: object)
    element.version = Int(try text("version", of: object))
    let (action, visible) = (try text("action", of: object), try text("visible", of: object))
    element.isDeleted = action == "delete" || visible == "false"
    if object.kind(of: "tags") == .object, let tags = try object.object("tags") {
      try tags.forEach { key, reader throws(JSONError) in
        element.tags.append((key, try Feature.scalar(&reader) ?? ""))
      }
    }
    return element
  }

  private static func text(_ key: String, of object: JSONObject) throws(JSONError) -> String {
    try object.value(key) { reader throws(JSONError) in try Feature.scalar(&reader) ?? "" } ?? ""
  }
}

/// The nodes without tags, which are places only in a file without ways.
private struct OSMVertices {
  private var pending: [PlaceRecord] = []
  private var hasWays = false

  mutating func take(_ element: OSMElement, to file: inout PlaceFile) throws(PlaceFileError) {
    if element.type != "node", !hasWays {
      hasWays = true
      file.skip(.otherGeometry, count: pending.count)
      pending = []
    }
    guard let record = element.record(&file) else { return }
    if element.type != "node" || element.isTagged {
      try file.add(record)
    } else if hasWays {
      file.skip(.otherGeometry)
    } else {
      guard pending.count < RecordLimits.recordCount else { throw .tooManyPlaces }
      pending.append(record)
    }
  }

  mutating func finish(_ file: inout PlaceFile) throws(PlaceFileError) {
    for record in pending { try file.add(record) }
  }
}

/// A node, way or relation.
private struct OSMElement {
  let type: String
  let id: String
  var latitude = ""
  var longitude = ""
  var time = ""
  /// The number of the version; `nil` where the file does not say it.
  var version: Int?
  /// Whether the element was deleted in this version, or in the program that wrote the file.
  var isDeleted = false
  var tags: [(key: String, value: String)] = []

  init(type: String, id: String) { (self.type, self.id) = (type, id) }

  /// The tags that say how the data was made.
  private static let technical: Set<String> = ["created_by", "source", "converted_by"]
  /// The keys whose value is the kind of a feature, the most telling first
  /// (wiki.openstreetmap.org/wiki/Map_features).
  private static let kinds = [
    "tourism", "historic", "amenity", "shop", "leisure", "natural", "man_made", "craft", "office",
    "emergency", "railway", "aeroway", "public_transport", "waterway", "place", "highway",
    "barrier", "building",
  ]
  private static let notes = ["description", "note", "website", "contact:website", "url"]
  private static let address = ["addr:street", "addr:housenumber", "addr:postcode", "addr:city"]

  /// Whether the element has a tag that describes it.
  var isTagged: Bool { tags.contains { !Self.technical.contains($0.key) } }

  private func value(_ key: String) -> String { tags.first { $0.key == key }?.value ?? "" }

  /// Returns the place; `nil` where there is none, which is counted.
  func record(_ file: inout PlaceFile) -> PlaceRecord? {
    let name = value("name")
    guard !isDeleted else {
      file.skip(.deleted, name)
      return nil
    }
    guard !latitude.isEmpty, !longitude.isEmpty else {
      file.skip(type == "node" ? .withoutPosition : .otherGeometry, name)
      return nil
    }
    guard let coordinate = WrittenDegrees.coordinate(latitude, longitude) else {
      file.skip(.unreadablePosition, name)
      return nil
    }
    var record = PlaceRecord(coordinate: coordinate)
    var known = Self.technical.union(["name"]).union(Self.notes).union(Self.address)
    record.set(name: name)
    if let key = Self.kinds.first(where: { !["", "no"].contains(value($0)) }) {
      known.insert(key)
      let kind = value(key) == "yes" ? key : value(key)
      record.set(kind: kind.replacing("_", with: " "))
    }
    record.set(created: time)
    for key in Self.notes { record.add(note: value(key), time: record.created) }
    let parts = Self.address.map(value)
    let lines = [parts[..<2], parts[2...]].map { $0.filter { !$0.isEmpty }.joined(separator: " ") }
    record.add(
      note: lines.filter { !$0.isEmpty }.joined(separator: ", "), time: record.created)
    if !id.isEmpty { record.sourceID = "\(type)/\(id)" }
    record.version = version
    record.unread = tags.map(\.key).filter { !known.contains($0) }
    return record
  }
}
