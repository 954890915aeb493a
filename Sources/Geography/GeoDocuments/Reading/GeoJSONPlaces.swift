import CivilTime
import Encodings
import Spatial

/// Reads the points of GeoJSON (RFC 7946), including the variants in Google Takeout's "Saved
/// Places.json", "Labeled places.json" and "Reviews.json".
///
/// The properties of a place are recognised by the names that ``PlaceField`` knows. In Google's
/// files, a place without a position has the coordinates 0, 0; its link may contain the position.
/// Sequences of features are read too: those of RFC 8142, and those with one feature a line, and
/// the maps of uMap, whose layers are collections. Positions in another reference system than
/// WGS 84 (the member `crs` of GeoJSON 2008) are refused.
enum GeoJSONPlaces {
  static func read(
    _ text: [UInt8], collection: String?
  ) throws(PlaceFileError) -> PlaceFile {
    var file = PlaceFile(format: .geojson)
    var context = Context(collection: collection)
    if let ranges = JSONTexts.ranges(text) {
      file.dialect = "GeoJSON text sequence"
      for range in ranges {
        // A text that was not written completely does not spoil the others (RFC 7464, section 2.1).
        do throws(JSONError) {
          try readText(JSONReader(text, range: range), &context, &file)
        } catch { file.skip(.malformed) }
        if context.failure != nil { break }
      }
    } else {
      do throws(JSONError) {
        try readText(JSONReader(text), &context, &file)
      } catch { throw .json(error) }
    }
    if let error = context.failure { throw error }
    if context.isGoogle { file.dialect = "Google's saved places" }
    return file
  }

  private static func readText(
    _ text: JSONReader, _ context: inout Context, _ file: inout PlaceFile
  ) throws(JSONError) {
    var reader = text
    guard try reader.peek() == .object else {
      throw JSONError(offset: 0, reason: "it holds no object")
    }
    try readRoot(&reader, &context, &file)
    try reader.end()
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
        try readFeatures(&reader, &context, &file)
      } else if key == "layers", try reader.peek() == .array {
        // The geometry of the map itself is the centre of its view.
        hasList = true
        file.dialect = "uMap"
        try readLayers(&reader, &context, &file)
      } else {
        try feature.read(key, &reader)
      }
      if context.failure != nil { return }
    }
    if let system = feature.foreignSystem { context.failure = .referenceSystem(system) }
    if hasList {
      for name in feature.unread where name != "name" { file.leaveUnread(name) }
    } else {
      add(feature, &context, &file)
    }
  }

  /// Calls a closure with each object of an array, until there is a failure. Other elements are
  /// skipped as malformed.
  private static func forEachObject(
    _ reader: inout JSONReader, _ context: inout Context, _ file: inout PlaceFile,
    _ body: (
      _ reader: inout JSONReader, _ context: inout Context, _ file: inout PlaceFile
    ) throws(JSONError) -> Void
  ) throws(JSONError) {
    try reader.beginArray()
    while try reader.nextElement() {
      guard try reader.peek() == .object else {
        try reader.skipValue()
        file.skip(.malformed)
        continue
      }
      try reader.beginObject()
      try body(&reader, &context, &file)
      if context.failure != nil { return }
    }
  }

  private static func readFeatures(
    _ reader: inout JSONReader, _ context: inout Context, _ file: inout PlaceFile
  ) throws(JSONError) {
    try forEachObject(&reader, &context, &file) {
      reader, context, file throws(JSONError) in
      var feature = Feature()
      while let key = try reader.nextKey() { try feature.read(key, &reader) }
      if let system = feature.foreignSystem { context.failure = .referenceSystem(system) }
      if context.failure == nil { add(feature, &context, &file) }
    }
  }

  /// Reads the layers of a map of uMap: each is a FeatureCollection with its name in its options.
  private static func readLayers(
    _ reader: inout JSONReader, _ context: inout Context, _ file: inout PlaceFile
  ) throws(JSONError) {
    try forEachObject(&reader, &context, &file) {
      reader, context, file throws(JSONError) in
      let start = file.records.count
      var name = ""
      while let key = try reader.nextKey() {
        let kind = try reader.peek()
        if key == "features", kind == .array {
          try readFeatures(&reader, &context, &file)
          if context.failure != nil { return }
        } else if key == "_umap_options" || key == "_storage", kind == .object {
          let options = try JSONObject(&reader)
          if options.kind(of: "name") == .string { name = try options.string("name") ?? "" }
        } else {
          if key != "type" { file.leaveUnread(key) }
          try reader.skipValue()
        }
      }
      file.collect(name, from: start)
    }
  }

  private static func add(
    _ feature: Feature, _ context: inout Context, _ file: inout PlaceFile
  ) {
    if feature.isGoogle { context.isGoogle = true }
    let collection = feature.isGoogle ? context.collection : nil
    guard let record = feature.record(&file, isOwn: context.isOwn, collection: collection) else {
      return
    }
    do throws(PlaceFileError) { try file.add(record) } catch { context.failure = error }
  }
}

/// The parts of a GeoJSON feature that are read.
struct Feature {
  struct Note {
    var text = ""
    var time: String?
    var id: String?
  }

  var id: String?
  var geometry = PointGeometry()
  /// The recognised properties of the feature itself, and those of Google's nested objects.
  var top = PlaceValues()
  var nested = PlaceValues()
  var notes: [Note] = []
  var collections: [String] = []
  var hasCollections = false
  var photos: [[UInt8]] = []
  var changed = ""
  /// The names of properties without a field.
  var unread: [String] = []
  /// The name of the reference system of the positions where it is not WGS 84.
  var foreignSystem: String?
  var isGoogle = false

  private static let maximumDepth = 4

  mutating func read(_ key: String, _ reader: inout JSONReader) throws(JSONError) {
    switch key {
    case "id": id = try Self.scalar(&reader)
    case "geometry":
      guard try reader.peek() == .object else { return try reader.skipValue() }
      try geometry.read(&reader)
    case "properties":
      guard try reader.peek() == .object else { return try reader.skipValue() }
      try readProperties(&reader, isNested: false, depth: 0)
    // A document may be a single geometry.
    case "coordinates", "geometries": try geometry.read(key, &reader)
    case "type":
      guard let type = try Self.scalar(&reader) else { return }
      if type != "Feature", type != "FeatureCollection" { geometry.set(type: type) }
    case "crs": foreignSystem = try Self.foreignSystem(&reader)
    case "bbox": try reader.skipValue()
    default: try leaveUnread(key, &reader)
    }
  }

  /// Reads a reference system (The GeoJSON Format Specification, 2008, section 3); `nil` for those
  /// with the degrees of WGS 84.
  private static func foreignSystem(_ reader: inout JSONReader) throws(JSONError) -> String? {
    guard try reader.peek() == .object else {
      try reader.skipValue()
      return nil
    }
    let system = try JSONObject(&reader)
    guard system.kind(of: "properties") == .object, let named = try system.object("properties")
    else { return nil }
    let key = ["name", "href"].first { named.kind(of: $0) == .string }
    guard let key, let name = try named.string(key) else { return nil }
    let folded = name.uppercased()
    let code = folded.split { !"0123456789".contains($0) }.last ?? ""
    let isDegrees =
      folded.contains("CRS84") || folded == "WGS84" || folded == "WGS 84"
      || folded.contains("EPSG") && ["4326", "4979"].contains(code)
    return isDegrees ? nil : PlaceText.line(name, limit: 100)
  }

  /// Skips a value, and keeps its name unless it is null.
  private mutating func leaveUnread(_ key: String, _ reader: inout JSONReader) throws(JSONError) {
    if try !reader.skipNull() {
      try reader.skipValue()
      unread.append(key)
    }
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
          try leaveUnread(key, &reader)
        }
      case .array:
        if isNested || (field != .note && field != .collection && name != "photos") {
          try leaveUnread(key, &reader)
        } else {
          try readList(key, name, field, &reader)
        }
      default:
        guard let value = try Self.scalar(&reader), !value.isEmpty else { continue }
        if !isNested, takeList(value, key, name, field) { continue }
        if name == "changed" || name == "updated" {
          changed = value
        } else if let field {
          if name == "id", id == nil { id = value }
          let isTaken = isNested ? nested.take(value, as: field) : top.take(value, as: field)
          if !isTaken { unread.append(key) }
        } else {
          unread.append(key)
        }
      }
    }
  }

  /// Takes a list that a program without such values wrote as a text in JSON; returns whether it is
  /// one.
  private mutating func takeList(
    _ text: String, _ key: String, _ name: String, _ field: PlaceField?
  ) -> Bool {
    guard text.first == "[", field == .note || field == .collection || name == "photos" else {
      return false
    }
    var copy = self
    var list = JSONReader(Array(text.utf8))
    do throws(JSONError) {
      try copy.readList(key, name, field, &list)
      try list.end()
    } catch { return false }
    self = copy
    return true
  }

  private mutating func readList(
    _ key: String, _ name: String, _ field: PlaceField?, _ reader: inout JSONReader
  ) throws(JSONError) {
    if field == .collection { hasCollections = true }
    try reader.beginArray()
    while try reader.nextElement() {
      if try reader.peek() == .object, field == .note {
        try readNote(&reader)
      } else if name == "photos", try reader.peek() == .string {
        photos.append(try reader.nameBytes())
      } else if name != "photos", let value = try Self.scalar(&reader) {
        if field == .note { notes.append(Note(text: value)) }
        if field == .collection { collections.append(value) }
      } else {
        if name == "photos" { try reader.skipValue() }
        unread.append(key)
      }
    }
  }

  private mutating func readNote(_ reader: inout JSONReader) throws(JSONError) {
    var note = Note()
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "text": note.text = try Self.scalar(&reader) ?? ""
      case "time": note.time = try Self.scalar(&reader)
      case "id": note.id = try Self.scalar(&reader)
      default: try leaveUnread(key, &reader)
      }
    }
    notes.append(note)
  }

  /// Reads a string, number or Boolean as text; skips any other value and returns `nil`.
  static func scalar(_ reader: inout JSONReader) throws(JSONError) -> String? {
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

extension Feature {
  /// Creates the place.
  ///
  /// - Parameters:
  ///   - file: The file, which counts what is left out.
  ///   - isOwn: Whether this program wrote the file.
  ///   - collection: The collection for places in Google's files.
  /// - Returns: The place; `nil` where there is none, which is counted.
  func record(
    _ file: inout PlaceFile, isOwn: Bool = false, collection: String? = nil
  ) -> PlaceRecord? {
    var values = top
    values.fill(from: nested)
    let name = values.text(.name)
    var coordinate = geometry.point
    if coordinate == nil || coordinate?.isNullIsland == true && !isOwn {
      if geometry.isOther {
        file.skip(.otherGeometry, name)
        return nil
      }
      switch values.coordinate {
      case .success(let found): coordinate = found
      case .failure(let absence):
        let isUnreadable = geometry.isUnreadable && absence == .missing
        file.skip(isUnreadable ? .unreadablePosition : absence.reason, name)
        return nil
      }
    }
    guard let coordinate else { return nil }
    var record = PlaceRecord(coordinate: coordinate)
    record.unread = unread
    if isOwn {
      record.ownID = id.flatMap { PlaceRecord.isPlaceID($0) ? $0 : nil }
      record.set(changed: changed)
      record.hasAllCollections = hasCollections
    }
    if isGoogle {
      record.sourceID = values.links.first.flatMap(SourceID.global)
      record.add(collection: collection ?? "")
    } else if record.ownID == nil {
      record.sourceID = id.flatMap(SourceID.global)
    }
    values.apply(to: &record)
    for note in notes {
      if let written = note.time, Instant(written: written) == nil {
        record.losses.append(.unreadableTime)
      }
      let usual = isOwn ? nil : record.created
      let time = note.time.flatMap { Instant(written: $0) } ?? usual
      if isOwn {
        record.add(ownNote: note.text, time: time, id: note.id)
      } else {
        record.add(note: note.text, time: time)
      }
    }
    for name in collections { record.add(collection: name) }
    for photo in photos { record.add(photo: photo) }
    if isOwn {
      if record.name.isEmpty { record.emptyFields.insert(.name) }
      if record.alertRadiusMeters == nil { record.emptyFields.insert(.radius) }
      if record.notes.isEmpty { record.emptyFields.insert(.notes) }
      record.hasAllNotes = !record.notes.isEmpty
    }
    if !isGoogle {
      for link in values.links { record.add(note: link, time: record.created) }
    }
    return record
  }
}
