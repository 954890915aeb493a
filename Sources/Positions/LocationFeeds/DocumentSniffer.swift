import Encodings

/// Recognises the format of a document from its start.
enum DocumentSniffer {
  enum Finding {
    case found(FeedFormat)
    /// The start is too short to decide.
    case undecided
    /// The text is in none of the formats, or is not a document.
    case impossible
  }

  /// Returns whether a document can begin with a byte: `<`, `{` or `[`.
  static func isStart(_ byte: UInt8?) -> Bool {
    byte == UInt8(ascii: "<") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
  }

  /// Recognises the format from the start of a document.
  ///
  /// - Parameters:
  ///   - start: The start.
  ///   - isLong: Whether it begins a line that is too long to be a report.
  /// - Returns: The finding.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  static func look(at start: [UInt8], isLong: Bool = false) -> Finding {
    start[...].trimmed.first == UInt8(ascii: "<") ? lookAtXML(start) : lookAtJSON(start, isLong)
  }

  private static func lookAtXML(_ start: [UInt8]) -> Finding {
    var reader = XMLReader()
    reader.append(start)
    do throws(XMLError) {
      while let event = try reader.next() {
        switch event {
        case .start(let name, _):
          switch name.local {
          case "gpx": return .found(.gpx)
          case "kml": return .found(.kml)
          case "TrainingCenterDatabase": return .found(.tcx)
          default: return .impossible
          }
        case .text(let text):
          guard text.utf8.allSatisfy(\.isSpace) else { return .impossible }
        case .end: return .impossible
        }
      }
    } catch {
      return .impossible
    }
    return .undecided
  }

  private static func lookAtJSON(_ start: [UInt8], _ isLong: Bool) -> Finding {
    var reader = JSONReader(report: start)
    do throws(JSONError) {
      let format =
        try reader.peek() == .array
        ? try formatOfElements(in: &reader, of: "") : try formatOfObject(&reader)
      if let format { return .found(format) }
      if isLong { return .impossible }
      var again = JSONReader(report: start)
      let nested = try NestedReports(&again)
      try again.end()
      return nested.hasPosition ? .found(.traccar) : .impossible
    } catch {
      // The start consists of whole lines, which end between tokens. An error at its very end
      // therefore means that the JSON is incomplete; an earlier one means that it is malformed.
      return error.offset >= start.count ? .undecided : .impossible
    }
  }

  private static func formatOfObject(_ reader: inout JSONReader) throws(JSONError) -> FeedFormat? {
    // A message must be complete to count: a cut-off message is one bad line, and others may
    // follow.
    var messageFormat: FeedFormat?
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "_type": if try reader.looseText() != nil { messageFormat = .owntracks }
      case "features", "geometry", "coordinates": return .geojson
      case "semanticSegments", "rawSignals", "userLocationProfile", "timelineObjects",
        "timelineEdits":
        return .google
      // Arc's exports, which are long.
      case "timelineItems": return .traccar
      case "type":
        if geoJSONTypes.contains(try reader.looseText() ?? "") { return .geojson }
      case "locations", "data":
        if let format = try formatOfElements(in: &reader, of: key) { return format }
      default: try reader.skipValue()
      }
    }
    return messageFormat
  }

  /// Returns the format recognised from the elements of an array, which is the document itself (an
  /// empty name) or a member of it.
  private static func formatOfElements(
    in reader: inout JSONReader, of name: String
  ) throws(JSONError) -> FeedFormat? {
    guard try reader.peek() == .array else {
      try reader.skipValue()
      return nil
    }
    // A list of plain positions is not Overland's.
    var isPosition = false
    try reader.beginArray()
    while try reader.nextElement() {
      guard try reader.peek() == .object else {
        try reader.skipValue()
        continue
      }
      var found: FeedFormat?
      try reader.members { reader, key throws(JSONError) in
        found = found ?? format(ofElementWith: key, in: name)
        if ReportMember.Column(name: key.utf8)?.member == .latitude { isPosition = true }
        try reader.skipValue()
      }
      if let found { return found }
    }
    return name == "locations" && !isPosition ? .overland : nil
  }

  private static func format(ofElementWith key: String, in list: String) -> FeedFormat? {
    switch (list, key) {
    case ("locations", "latitudeE7"), ("locations", "longitudeE7"), ("locations", "timestampMs"):
      .google
    case ("locations", "geometry"), ("locations", "properties"): .overland
    case ("", "_type"), ("data", "_type"): .owntracks
    case ("", "startTime"), ("", "endTime"), ("", "timelinePath"): .google
    default: nil
    }
  }

  private static let geoJSONTypes: Set = [
    "FeatureCollection", "Feature", "Point", "MultiPoint", "LineString", "MultiLineString",
    "Polygon", "MultiPolygon", "GeometryCollection",
  ]
}
