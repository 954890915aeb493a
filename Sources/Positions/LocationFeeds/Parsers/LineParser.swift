public import Encodings

/// Reads the reports of one feed format, one at a time.
///
/// A parser is pure: it converts bytes to fixes, knows no transport and reads no clock.
protocol ReportParser: Sendable {
  /// Reads a report (a line, or a record of a document) and appends the fixes that it completes.
  ///
  /// - Parameters:
  ///   - bytes: An array that contains the report, so that the report need not be copied.
  ///   - line: The range of the report: not blank, and without a line end if it is a line.
  ///   - fixes: Receives the fixes.
  /// - Returns: The fault of the report; `nil` for a good one.
  mutating func parse(
    _ bytes: [UInt8], line: Range<Int>, into fixes: inout [LocationFix]
  ) -> LineFault?

  /// Moves the numbers of reports that made no fix, and have no fault, to a list.
  mutating func takeSkipped(into ends: inout ReportOutcomes)
}

extension ReportParser {
  /// Moves nothing: in some formats, each report is a fix or has a fault.
  mutating func takeSkipped(into ends: inout ReportOutcomes) {}
}

/// Reads the lines of one feed format.
protocol LineParser: ReportParser {
  /// Returns whether a line shows that a feed is in this format.
  static func recognizes(_ bytes: [UInt8], line: Range<Int>) -> Bool

  /// Appends the fixes that are held back because later lines might add values to them.
  mutating func flush(into fixes: inout [LocationFix])
}

extension LineParser {
  /// Appends nothing: in most formats, each line is a complete report.
  mutating func flush(into fixes: inout [LocationFix]) {}
}

/// The reason why a line of a feed, or a record of a document, could not be read, or only in part.
///
/// The description names the kind of the fault and its place, but never quotes the line.
public enum LineFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// A line longer than 64 KiB.
  case tooLong
  /// A line before the first one that shows the format.
  case unrecognized
  /// Text that is not the expected JSON.
  case json(JSONError)
  /// A required member is missing.
  case missingMember(String)
  /// A member's value is not of the member's kind.
  case unreadableMember(String)
  /// A line without an NMEA sentence, or with one whose address is malformed.
  case noSentence
  /// A sentence's checksum differs from its text.
  case wrongChecksum
  /// A sentence that ends before all of its required fields.
  case cutOff
  /// A field of a sentence is not a value of the field's kind.
  case unreadableField(String)
  /// A line without a report of its format.
  case noReport
  /// An encrypted report.
  case encrypted
  /// A line in place of the header that names a table's columns.
  case noHeader
  /// Text that is not the expected XML.
  case xml(XMLError)
  /// A record of a document, or an indivisible part of one, that is too long to be held.
  case recordTooLong
  /// Other text in place of a document.
  case noDocument
  /// A document of KML whose points with times are places.
  case onlyPlaces
  /// A document that ends before it is complete.
  case documentCutOff
  /// A binary document whose parts cannot be told apart from one on.
  case damaged
  /// A document with a wrong checksum, whose positions are read all the same.
  case doubtful
  /// A time before 1980 or in the future, which cannot be the time of a fix.
  case impossibleTime

  /// The fault, worded to follow the line's number.
  public var description: String {
    switch self {
    case .tooLong: "the line is longer than 64 KiB"
    case .unrecognized: "the format of the line is unknown"
    case .json(let error): error.description
    case .missingMember(let name): "the member \"\(name)\" is missing"
    case .unreadableMember(let name): "the value of \"\(name)\" cannot be read"
    case .noSentence: "there is no NMEA sentence in the line"
    case .wrongChecksum: "the checksum is wrong"
    case .cutOff: "the line is cut off"
    case .unreadableField(let name): "the \(name) cannot be read"
    case .noReport: "there is no report in the line"
    case .encrypted: "the report is encrypted; turn encryption off in the app"
    case .noHeader: "the first line of a table must name its columns, including lat and lon"
    case .xml(let error): "the document cannot be read further: \(error)"
    case .recordTooLong: "a part of the document is too long"
    case .noDocument: "there is no document where one is expected"
    case .onlyPlaces: "its points with times are places; a track has them in a Track"
    case .documentCutOff: "the document is cut off"
    case .damaged: "the document is damaged, and is not read further"
    case .doubtful: "the checksum is wrong; the positions are read, and some may be wrong"
    case .impossibleTime: "the time is before 1980 or in the future"
    }
  }
}
