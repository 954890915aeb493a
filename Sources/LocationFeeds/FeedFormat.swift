/// A format in which feeds report positions.
///
/// The raw value is the name by which settings and the command line call the format.
public enum FeedFormat: String, CaseIterable, Hashable, Sendable {
  /// One JSON object a line, as ``LocationFix/write(to:)`` writes it.
  case ndjson
  /// NMEA 0183 sentences of a receiver.
  case nmea

  /// Returns the format that a line of a feed is written in; `nil` where the line does not tell.
  ///
  /// A comment, a cut-off line or binary junk does not tell, and neither does JSON that is not a fix.
  static func recognized(in bytes: [UInt8], line: Range<Int>) -> FeedFormat? {
    allCases.first { $0.parserType.recognizes(bytes, line: line) }
  }

  /// Creates the parser of the format, at the start of a feed.
  func makeParser() -> any LineParser { parserType.init() }

  private var parserType: any LineParser.Type {
    switch self {
    case .ndjson: NDJSONParser.self
    case .nmea: NMEAParser.self
    }
  }
}
