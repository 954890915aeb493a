/// A format in which feeds report positions.
///
/// The raw value is the name by which settings and the command line call the format.
public enum FeedFormat: String, CaseIterable, Hashable, Sendable {
  /// One JSON object a line, as ``LocationFix/write(to:)`` writes it.
  case ndjson
  /// NMEA 0183 sentences of a receiver.
  case nmea
  /// The reports of gpsd, a JSON object a line.
  case gpsd
  /// The messages of the OwnTracks apps, and the `.rec` files of their recorder.
  case owntracks
  /// What Traccar Client, OsmAnd and others send: a query or JSON object a line.
  case traccar
  /// A table whose first line names the columns, as GPSLogger writes it.
  case csv
  /// The track points of GPX 1.0 and 1.1.
  case gpx
  /// The tracks and lines of KML.
  case kml
  /// Points with times, and lines, in GeoJSON.
  case geojson
  /// The batches of the Overland app.
  case overland
  /// The location history that Google gives its users: `Records.json` or a Timeline.
  case google

  /// The names of all formats, with commas between.
  package static let names = allCases.map(\.rawValue).joined(separator: ", ")

  /// Whether a feed is read as documents, from their start: not one that can be followed as it
  /// grows.
  public var isDocument: Bool {
    switch self {
    case .ndjson, .nmea, .gpsd, .owntracks, .traccar, .csv: false
    case .gpx, .kml, .geojson, .overland, .google: true
    }
  }

  /// Returns the format that a line of a feed is written in; `nil` where the line does not tell.
  ///
  /// A comment, a cut-off line or binary junk does not tell, and neither does JSON that is not a
  /// report.
  static func recognized(in bytes: [UInt8], line: Range<Int>) -> FeedFormat? {
    let first = bytes[line].trimmed.first
    guard first != UInt8(ascii: "#") else { return nil }
    // A name in JSON or XML may look like a sentence or a query.
    return (DocumentSniffer.isStart(first) ? bracketedLines : plainLines).first { _, parser in
      parser.recognizes(bytes, line: line)
    }?.format
  }

  private static let bracketedLines: [(format: FeedFormat, parser: any LineParser.Type)] = [
    (.ndjson, NDJSONParser.self), (.gpsd, GPSDParser.self), (.owntracks, OwnTracksParser.self),
    (.traccar, TraccarParser.self),
  ]
  private static let plainLines: [(format: FeedFormat, parser: any LineParser.Type)] = [
    (.nmea, NMEAParser.self), (.gpsd, GPSDParser.self), (.owntracks, OwnTracksParser.self),
    (.traccar, TraccarParser.self), (.csv, CSVParser.self),
  ]

  /// Creates the parser of the format, at the start of a feed.
  ///
  /// - Parameters:
  ///   - isDocument: Whether the JSON that OwnTracks or Traccar Client sends comes as a document,
  ///     which may have several lines, rather than a line each.
  ///   - isDeviceKnown: Whether the transport knows the device's name.
  ///   - isRecorded: Whether the feed is a recorded file, which is read to its end before it
  ///     matters.
  /// - Returns: The parser, by what it reads.
  func makeParser(
    isDocument: Bool = false, isDeviceKnown: Bool, isRecorded: Bool = false
  ) -> FeedParser {
    switch self {
    case .ndjson: return .lines(NDJSONParser())
    case .nmea: return .lines(NMEAParser(waitsForDate: isRecorded))
    case .gpsd: return .lines(GPSDParser())
    case .owntracks:
      let parser = OwnTracksParser(
        namesByTrackerID: !isDeviceKnown, takesTransitions: !isRecorded)
      // The recorder's answer to a question for a device's locations has them in `data`.
      return isDocument
        ? .document(JSONDocument(lists: ["data"], parser: parser)) : .lines(parser)
    case .traccar:
      let parser = TraccarParser()
      return isDocument ? .document(JSONDocument(lists: [], parser: parser)) : .lines(parser)
    case .csv: return .lines(CSVParser())
    case .gpx: return .document(XMLDocument<GPXParser>())
    case .kml: return .document(XMLDocument<KMLParser>())
    case .geojson: return .document(JSONDocument(lists: ["features"], parser: GeoJSONParser()))
    case .overland: return .document(JSONDocument(lists: ["locations"], parser: OverlandParser()))
    case .google:
      return .document(
        JSONDocument(
          lists: ["locations", "semanticSegments", "rawSignals"], parser: GoogleHistoryParser()))
    }
  }
}

/// The parser of a feed, by what it reads.
enum FeedParser: Sendable {
  case lines(any LineParser)
  case document(any DocumentParser)
}
