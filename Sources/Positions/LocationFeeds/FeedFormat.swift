/// A format in which feeds report positions.
///
/// The raw value is the name of the format in settings and on the command line.
public enum FeedFormat: String, CaseIterable, Hashable, Sendable {
  /// NDJSON: one JSON object per line, as ``LocationFix/write(to:)`` writes it.
  case ndjson
  /// NMEA 0183 sentences of a receiver.
  case nmea
  /// The reports of gpsd, one JSON object per line.
  case gpsd
  /// The messages of the OwnTracks apps, and the `.rec` files of their recorder.
  case owntracks
  /// The reports of Traccar Client, OsmAnd and others: one query or JSON object per line.
  case traccar
  /// A table whose first line names the columns, such as GPSLogger's CSV.
  case csv
  /// The track points of GPX 1.0 and 1.1.
  case gpx
  /// The tracks and lines of KML.
  case kml
  /// Timed points, and lines, in GeoJSON.
  case geojson
  /// The batches of the Overland app.
  case overland
  /// Google's location history: `Records.json` from Takeout, or an exported Timeline.
  case google
  /// The recordings of Garmin and other devices.
  case fit
  /// The track points of Garmin's Training Center Database.
  case tcx

  /// The names of all formats, separated by commas.
  package static let names = allCases.map(\.rawValue).joined(separator: ", ")

  /// Whether a feed is read as whole documents. Such a feed cannot be followed as it grows.
  public var isDocument: Bool {
    switch self {
    case .ndjson, .nmea, .gpsd, .owntracks, .traccar, .csv: false
    case .gpx, .kml, .geojson, .overland, .google, .fit, .tcx: true
    }
  }

  /// Returns the format recognised from a line of a feed; `nil` where the line does not show it.
  ///
  /// Comments, cut-off lines, binary junk, and JSON that is not a report do not show the format.
  static func recognized(in bytes: [UInt8], line: Range<Int>) -> FeedFormat? {
    let first = bytes[line].trimmed.first
    guard first != UInt8(ascii: "#") else { return nil }
    // Strings in JSON or XML may look like an NMEA sentence or a query, so lines that begin with a
    // bracket are tried only with the formats that use brackets.
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

  /// Creates a parser for the format, at the start of a feed.
  ///
  /// - Parameters:
  ///   - isDocument: Whether the JSON of OwnTracks or Traccar Client arrives as a document, which
  ///     may span several lines, rather than one object per line.
  ///   - isDeviceKnown: Whether the transport knows the device's name.
  ///   - isRecorded: Whether the feed is a recorded file, which is read to its end before the fixes
  ///     are used.
  /// - Returns: A parser of lines or of documents.
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
      // The OwnTracks Recorder answers requests for locations with an object that holds them in
      // `data`.
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
    case .fit: return .document(FITDocument())
    case .tcx: return .document(XMLDocument<TCXParser>())
    case .google:
      return .document(
        JSONDocument(
          lists: [
            "locations", "semanticSegments", "rawSignals", "timelineObjects", "timelineEdits",
          ], parser: GoogleHistoryParser()))
    }
  }
}

/// A parser of lines or of documents.
enum FeedParser: Sendable {
  case lines(any LineParser)
  case document(any DocumentParser)
}
