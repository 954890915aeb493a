public import Interchange

/// Reads the reports of one feed format, each for itself.
///
/// A parser is pure: it takes bytes and gives fixes, knows no transport and reads no clock.
protocol ReportParser: Sendable {
  /// Reads a report, a line or a record of a document, and appends the fixes that are complete with
  /// it.
  ///
  /// - Parameters:
  ///   - bytes: An array that holds the report, so that it need not be copied.
  ///   - line: Where it is: not blank, and without a line end if it is a line.
  ///   - fixes: Takes the fixes.
  /// - Returns: What is wrong with it; `nil` where it is good.
  mutating func parse(
    _ bytes: [UInt8], line: Range<Int>, into fixes: inout [LocationFix]
  ) -> LineFault?
}

/// Reads the lines of one feed format.
protocol LineParser: ReportParser {
  /// Whether a line shows that a feed is in this format.
  static func recognizes(_ bytes: [UInt8], line: Range<Int>) -> Bool

  /// Appends the fixes that are held back because more lines might add to them.
  mutating func flush(into fixes: inout [LocationFix])
}

extension LineParser {
  /// Nothing is held back where each line is a whole report.
  mutating func flush(into fixes: inout [LocationFix]) {}
}

/// Why a line of a feed, or a record of a document, could not be read, or not wholly.
///
/// The description tells the place and the kind of the fault, never what the line says.
public enum LineFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// Longer than 64 KiB.
  case tooLong
  /// Comes before the first line that tells the format.
  case unrecognized
  /// Not the JSON that was expected.
  case json(JSONError)
  /// A member that every fix needs is missing.
  case missingMember(String)
  /// A member's value is no value of its kind.
  case unreadableMember(String)
  /// Holds no NMEA sentence, or begins one that is not formed like one.
  case noSentence
  /// A sentence's checksum differs from its text.
  case wrongChecksum
  /// Ends before all of its fields.
  case cutOff
  /// A field of a sentence is no value of its kind.
  case unreadableField(String)
  /// Holds no report of its format.
  case noReport
  /// Holds a report that only its receiver can read.
  case encrypted
  /// Comes where the names of a table's columns are expected.
  case noHeader
  /// Not the XML that was expected.
  case xml(XMLError)
  /// A record of a document, or a part of one that cannot be cut, is longer than is held.
  case recordTooLong
  /// Something else comes where a document is expected.
  case noDocument
  /// A document ends before it is whole.
  case documentCutOff
  /// Tells a time before 1980 or in the future, which is no time of a fix.
  case impossibleTime

  /// What is wrong, in words that follow the line's number.
  public var description: String {
    switch self {
    case .tooLong: "the line is longer than 64 KiB"
    case .unrecognized: "the format of the line is not known"
    case .json(let error): error.description
    case .missingMember(let name): "the member \"\(name)\" is missing"
    case .unreadableMember(let name): "the value of \"\(name)\" cannot be read"
    case .noSentence: "there is no NMEA sentence in the line"
    case .wrongChecksum: "the checksum is wrong"
    case .cutOff: "the line is cut off"
    case .unreadableField(let name): "the \(name) cannot be read"
    case .noReport: "there is no report in the line"
    case .encrypted: "the report is encrypted; turn encryption off in the app"
    case .noHeader: "the first line of a table must name its columns, lat and lon among them"
    case .xml(let error): "the document cannot be read any further: \(error)"
    case .recordTooLong: "a part of the document is too long"
    case .noDocument: "there is no document where one is expected"
    case .documentCutOff: "the document is cut off"
    case .impossibleTime: "the time is before 1980 or in the future"
    }
  }
}
