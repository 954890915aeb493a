public import Interchange

/// Reads the lines of one feed format.
///
/// A parser is pure: it takes bytes and gives fixes, knows no transport and reads no clock. A line is a
/// range of an array, so that none is copied to be read; it is not blank and holds no line end.
protocol LineParser: Sendable {
  /// Creates a parser at the start of a feed.
  init()

  /// Whether a line shows that a feed is in this format.
  static func recognizes(_ bytes: [UInt8], line: Range<Int>) -> Bool

  /// Reads a line and appends the fixes that are complete with it.
  ///
  /// - Returns: What is wrong with the line; `nil` where it is good.
  mutating func parse(
    _ bytes: [UInt8], line: Range<Int>, into fixes: inout [LocationFix]
  ) -> LineFault?

  /// Appends the fix that is held back because more lines might add to it, if there is one.
  mutating func flush(into fixes: inout [LocationFix])
}

/// Why a line of a feed could not be read, or not wholly.
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
  /// A sentence without a checksum ends before all of its fields.
  case cutOff
  /// A field of a sentence is no value of its kind.
  case unreadableField(String)

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
    case .cutOff: "the sentence is cut off"
    case .unreadableField(let name): "the \(name) cannot be read"
    }
  }
}
