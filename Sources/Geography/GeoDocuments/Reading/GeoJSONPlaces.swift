import CivilTime
import Encodings
import Spatial

/// Reads the points of GeoJSON (RFC 7946), including the variants in Google Takeout's "Saved
/// Places.json", "Labeled places.json" and "Reviews.json".
///
/// The properties of a place are recognised by the names that ``PlaceField`` knows. In Google's
/// files, a place without a position has the coordinates 0, 0; its link may contain the position.
enum GeoJSONPlaces {
  static func read(
    _ text: [UInt8], collection: String?
  ) throws(PlaceFileError) -> PlaceFile {
    var file = PlaceFile(format: .geojson)
    var context = Context(collection: collection)
    do throws(JSONError) {
      var reader = JSONReader(text)
      guard try reader.peek() == .object else {
        throw JSONError(offset: 0, reason: "it holds no object")
      }
      try readRoot(&reader, &context, &file)
      try reader.end()
    } catch { throw .json(error) }
    if let error = context.failure { throw error }
    if context.isGoogle { file.dialect = "Google's saved places" }
    return file
  }

  private struct Context {
    /// The collection for places in Google's files, in which each file is a list.
    let collection: String?
    /// Whether this program wrote the file.
    var isOwn = false
    var isGoogle = false
    var failure: PlaceFileError?
  }

  /// Reads a collection, or a document that is a single feature or geometry.
  private static func readRoot(
    _ reader: inout JSONReader, _ context: inout Context, _ file: inout PlaceFile
  ) throws(JSONError) {
    var feature = Feature()
    var hasList = false
    try reader.beginObject()
    while let key = try reader.nextKey() {
      if key == "generator", try reader.peek() == .string {
        context.isOwn = try reader.string() == "photospots"
      } else if key == "features", try reader.peek() == .array {
        hasList = true
        try reader.beginArray()
        while try reader.nextElement() {
          guard try reader.peek() == .object else {
            try reader.skipValue()
            continue
          }
          var feature = Feature()
          try reader.beginObject()
          while let key = try reader.nextKey() { try feature.read(key, &reader) }
          add(feature, &context, &file)
          if context.failure != nil { return }
        }
      } else {
        try feature.read(key, &reader)
      }
    }
    if !hasList { add(feature, &context, &file) }
  }

  private static func add(
    _ feature: Feature, _ context: inout Context, _ file: inout PlaceFile
  ) {
    guard let record = record(feature, &context, &file) else { return }
    do throws(PlaceFileError) { try file.add(record) } catch { context.failure = error }
  }

  /// Returns the place of a feature; `nil` where the feature is skipped.
  private static func record(
    _ feature: Feature, _ context: inout Context, _ file: inout PlaceFile
  ) -> PlaceRecord? {
    var values = feature.top
    values.fill(from: feature.nested)
    if feature.isGoogle { context.isGoogle = true }
    let name = values.text(.name)
    var coordinate = feature.point
    if coordinate == nil || coordinate?.isNullIsland == true {
      if feature.geometry == .other {
        file.skip(.otherGeometry, name)
        return nil
      }
      switch values.coordinate {
      case .success(let found): coordinate = found
      case .failure(let absence):
        let isUnreadable = feature.geometry == .unreadable || absence == .unreadable
        file.skip(isUnreadable ? .unreadablePosition : .withoutPosition, name)
        return nil
      }
    }
    guard let coordinate else { return nil }
    var record = PlaceRecord(coordinate: coordinate)
    if context.isOwn {
      record.ownID = feature.id.flatMap { PlaceRecord.isPlaceID($0) ? $0 : nil }
      record.changed = feature.changed
    }
    if feature.isGoogle {
      record.sourceID = values.links.first.flatMap(SourceID.global)
      record.add(collection: context.collection ?? "")
    } else if record.ownID == nil {
      record.sourceID = feature.id.flatMap(SourceID.global)
    }
    values.apply(to: &record)
    for note in feature.notes { record.add(note: note.text, time: note.time ?? record.created) }
    for collection in feature.collections { record.add(collection: collection) }
    for photo in feature.photos { record.add(photo: photo) }
    if !feature.isGoogle {
      for link in values.links { record.add(note: link, time: record.created) }
    }
    return record
  }
}

/// The parts of a GeoJSON feature that are read.
private struct Feature {
  enum Geometry { case missing, point, unreadable, other }

  var id: String?
  var geometry = Geometry.missing
  var point: Coordinate?
  /// The recognised properties of the feature itself, and those of Google's nested objects.
  var top = PlaceValues()
  var nested = PlaceValues()
  var notes: [PlaceRecord.Note] = []
  var collections: [String] = []
  var photos: [[UInt8]] = []
  var changed: Instant?
  var isGoogle = false

  private static let maximumDepth = 4

  mutating func read(_ key: String, _ reader: inout JSONReader) throws(JSONError) {
    switch key {
    case "id": id = try Self.scalar(&reader)
    case "geometry":
      guard try reader.peek() == .object else { return try reader.skipValue() }
      try readGeometry(&reader)
    case "properties":
      guard try reader.peek() == .object else { return try reader.skipValue() }
      try readProperties(&reader, isNested: false, depth: 0)
    // A document may be a single geometry.
    case "coordinates": try readCoordinates(&reader)
    case "type":
      guard let type = try Self.scalar(&reader) else { return }
      if type != "Feature", type != "FeatureCollection" { setType(type) }
    case "geometries":
      geometry = .other
      try reader.skipValue()
    default: try reader.skipValue()
    }
  }

  private mutating func readGeometry(_ reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "type": if let type = try Self.scalar(&reader) { setType(type) }
      case "coordinates": try readCoordinates(&reader)
      default: try reader.skipValue()
      }
    }
  }

  private mutating func setType(_ type: String) {
    guard type != "Point" else { return }
    (geometry, point) = (.other, nil)
  }

  /// Reads a position, longitude first (RFC 7946, section 3.1.1). The altitude is ignored.
  private mutating func readCoordinates(_ reader: inout JSONReader) throws(JSONError) {
    guard try reader.peek() == .array else { return try reader.skipValue() }
    var numbers: [Double] = []
    var isPosition = true
    try reader.beginArray()
    while try reader.nextElement() {
      guard try reader.peek() == .number, numbers.count < 4 else {
        isPosition = false
        try reader.skipValue()
        continue
      }
      numbers.append(try reader.double())
    }
    guard geometry != .other else { return }
    if isPosition, numbers.count >= 2 {
      point = Coordinate(latitude: numbers[1], longitude: numbers[0])
    }
    geometry = point == nil ? .unreadable : .point
  }

  private mutating func readProperties(
    _ reader: inout JSONReader, isNested: Bool, depth: Int
  ) throws(JSONError) {
    try reader.beginObject()
    while let key = try reader.nextKey() {
      let name = PlaceField.folded(key)
      let field = PlaceField(columnName: key)
      if name == "googlemapsurl" { isGoogle = true }
      switch try reader.peek() {
      case .object:
        // The nested objects in Google's files: `location` and `Geo Coordinates`.
        if depth < Self.maximumDepth, name == "location" || name == "geocoordinates" {
          try readProperties(&reader, isNested: true, depth: depth + 1)
        } else {
          try reader.skipValue()
        }
      case .array:
        if isNested { try reader.skipValue() } else { try readList(name, field, &reader) }
      default:
        let isChange = name == "changed" || name == "updated"
        guard let value = try Self.scalar(&reader), !value.isEmpty else { continue }
        if isChange { changed = Instant(written: value) }
        if name == "id", id == nil { id = value }
        guard let field else { continue }
        _ = isNested ? nested.take(value, as: field) : top.take(value, as: field)
      }
    }
  }

  private mutating func readList(
    _ name: String, _ field: PlaceField?, _ reader: inout JSONReader
  ) throws(JSONError) {
    try reader.beginArray()
    while try reader.nextElement() {
      if try reader.peek() == .object {
        guard field == .note else {
          try reader.skipValue()
          continue
        }
        try readNote(&reader)
      } else if name == "photos", try reader.peek() == .string {
        photos.append(try reader.nameBytes())
      } else if let value = try Self.scalar(&reader) {
        if field == .note { notes.append(PlaceRecord.Note(text: value)) }
        if field == .collection { collections.append(value) }
      }
    }
  }

  private mutating func readNote(_ reader: inout JSONReader) throws(JSONError) {
    var note = PlaceRecord.Note(text: "")
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "text": note.text = try Self.scalar(&reader) ?? ""
      case "time": note.time = try Self.scalar(&reader).flatMap { Instant(written: $0) }
      default: try reader.skipValue()
      }
    }
    notes.append(note)
  }

  /// Reads a string, number or Boolean as text; skips any other value and returns `nil`.
  private static func scalar(_ reader: inout JSONReader) throws(JSONError) -> String? {
    switch try reader.peek() {
    case .string: return try reader.string()
    case .number:
      var ahead = reader
      if let whole = try? ahead.integer() {
        reader = ahead
        return String(whole)
      }
      return try reader.double().description
    case .boolean: return try reader.boolean() ? "true" : "false"
    default:
      try reader.skipValue()
      return nil
    }
  }
}

extension PlaceValues {
  /// Takes the values of missing fields from other values.
  fileprivate mutating func fill(from others: PlaceValues) {
    for field in PlaceField.allCases where text(field).isEmpty && !others.text(field).isEmpty {
      _ = take(others.text(field), as: field)
    }
  }
}
