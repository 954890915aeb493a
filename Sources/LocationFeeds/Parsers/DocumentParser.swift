import CivilTime

/// Reads a format whose feed is one document, or several, rather than lines.
///
/// A parser is pure, as a ``ReportParser`` is. It reads a document as it comes, wherever the chunks
/// begin and end, and holds no more of it than a part that cannot be cut.
protocol DocumentParser: Sendable {
  /// Reads the next part of the text, in UTF-8 without a byte-order mark.
  mutating func consume(_ text: [UInt8], into output: inout DocumentOutput)

  /// Ends the text: a document that is cut off gives what is whole, and a fault.
  mutating func finish(into output: inout DocumentOutput)
}

/// What a document brought with one part of its text.
struct DocumentOutput {
  var fixes: [LocationFix] = []
  /// Faults with the number of the record that they are in; the first is 1.
  private(set) var faults: [(record: Int, fault: LineFault)] = []
  /// The number of the record that was begun last: a point of a track, a feature, an element of a
  /// list.
  private(set) var record: Int

  private let times: ClosedRange<Instant>
  /// How many of the fixes belong to records that were counted.
  private var countedFixes = 0

  /// Goes on after a record.
  ///
  /// - Parameters:
  ///   - record: The number of that record.
  ///   - times: The times that fixes may have.
  init(after record: Int, times: ClosedRange<Instant>) {
    self.record = record
    self.times = times
  }

  /// Counts a record, whose fixes were appended before, and the fault that it has.
  mutating func count(_ fault: LineFault? = nil) {
    record += 1
    let isImpossible = fixes.forgetTimes(outside: times, from: countedFixes)
    countedFixes = fixes.count
    if let fault = fault ?? (isImpossible ? .impossibleTime : nil) {
      faults.append((record, fault))
    }
  }

  /// Takes a fault of what is no record, as of the one that would be next.
  mutating func add(_ fault: LineFault) {
    faults.append((record + 1, fault))
  }
}

/// Reads the records of JSON documents with the parser of their format.
struct JSONDocument: DocumentParser {
  private var splitter: JSONRecordSplitter
  private var parser: any ReportParser

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - lists: The names of the arrays whose elements are records; see ``JSONRecordSplitter``.
  ///   - parser: Reads a record.
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
      case .tooLong: output.count(.recordTooLong)
      case .malformed: output.add(.noDocument)
      }
    }
  }

  mutating func finish(into output: inout DocumentOutput) {
    if splitter.isInDocument { output.add(.documentCutOff) }
  }
}
