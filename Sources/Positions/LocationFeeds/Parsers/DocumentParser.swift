import CivilTime

/// Reads a format whose feed is one document, or several, rather than lines.
///
/// A parser is pure, as a ``ReportParser`` is. It reads a document in chunks, wherever they begin
/// and end, and holds at most one indivisible part of it.
protocol DocumentParser: Sendable {
  /// Reads the next part of the text, in UTF-8 without a byte-order mark.
  mutating func consume(_ text: [UInt8], into output: inout DocumentOutput)

  /// Ends the text. A document that is cut off yields its complete parts and a fault.
  mutating func finish(into output: inout DocumentOutput)
}

/// The fixes and faults found in one part of a document's text.
struct DocumentOutput {
  var fixes: [LocationFix] = []
  /// The faults, each with the number of its record; the first record is 1.
  private(set) var faults: [(record: Int, fault: LineFault)] = []
  /// The number of records so far: track points, features or elements of a list.
  private(set) var record: Int
  /// The records that made no fix, and have no fault.
  var ends = ReportOutcomes()

  private let times: ClosedRange<Instant>
  /// The number of fixes that belong to counted records.
  private var countedFixes = 0

  /// Creates an output that continues after a record.
  ///
  /// - Parameters:
  ///   - record: The number of that record.
  ///   - times: The range of valid times.
  init(after record: Int, times: ClosedRange<Instant>) {
    self.record = record
    self.times = times
  }

  /// Counts a record, whose fixes were appended before, and its fault.
  mutating func count(_ fault: LineFault? = nil) {
    record += 1
    let isImpossible = fixes.forgetTimes(outside: times, from: countedFixes)
    countedFixes = fixes.count
    if let fault = fault ?? (isImpossible ? .impossibleTime : nil) {
      faults.append((record, fault))
    }
  }

  /// Adds a fault found outside of a record, with the number of the next record.
  mutating func add(_ fault: LineFault) {
    faults.append((record + 1, fault))
  }
}

/// Reads the records of JSON documents with the parser of a format.
struct JSONDocument: DocumentParser {
  private var splitter: JSONRecordSplitter
  private var parser: any ReportParser

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - lists: The names of the arrays whose elements are records; see ``JSONRecordSplitter``.
  ///   - parser: The parser of a record.
  init(lists: Set<String>, parser: any ReportParser) {
    splitter = JSONRecordSplitter(lists: lists)
    self.parser = parser
  }

  mutating func consume(_ text: [UInt8], into output: inout DocumentOutput) {
    splitter.append(text)
    while let piece = splitter.next() {
      switch piece {
      case .record(let bytes, let range):
        output.count(parser.parse(bytes, line: range, into: &output.fixes))
        parser.takeSkipped(into: &output.ends)
      case .frame(let bytes, let range):
        output.count(parser.parse(bytes, line: range, into: &output.fixes))
        var none = ReportOutcomes()
        parser.takeSkipped(into: &none)
      case .tooLong: output.count(.recordTooLong)
      case .malformed: output.add(.noDocument)
      }
    }
  }

  mutating func finish(into output: inout DocumentOutput) {
    if splitter.isInDocument { output.add(.documentCutOff) }
  }
}
