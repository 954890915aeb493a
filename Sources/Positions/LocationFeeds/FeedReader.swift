public import CivilTime

/// Converts the bytes of a feed into fixes. The format is given, or recognised from the content.
///
/// ```swift
/// var reader = FeedReader()
/// fixes += reader.consume(bytes)  // as often as bytes arrive, cut anywhere
/// fixes += reader.flush()         // when a live feed has been idle for `flushDelay`
/// fixes += reader.finish()        // at the end
/// ```
///
/// ``fixes(in:format:device:)`` reads a complete message, for example the body of a request.
///
/// The result does not depend on how the bytes are cut into chunks. Text is UTF-8, or UTF-16 with
/// or without a byte-order mark; lines end in LF, CR LF or CR. Unreadable lines, and lines longer
/// than 64 KiB, are counted and skipped. The reader never holds more than one line and one chunk,
/// or one record and one chunk of a document.
public struct FeedReader: Sendable {
  /// The time without data after which ``flush()`` is due in a live feed.
  ///
  /// Longer than the transmission of a sentence at 4800 baud (82 characters in 171 ms), so that the
  /// report of a slow receiver is not cut in two; shorter than the pause of most receivers, which
  /// report once a second.
  public static let flushDelay = Duration.milliseconds(250)

  /// The format; `nil` until it is given or recognised.
  public private(set) var format: FeedFormat?
  /// The kind of the file, recognised by its first bytes; `nil` for a feed or an unknown file.
  package private(set) var foreign: ForeignFeed?
  /// The range of valid times. A fix with a time outside of it loses the time, and its line counts
  /// as bad.
  ///
  /// The range begins in 1980, before which there was no satellite navigation. Its end is the year
  /// 2100 by default; a caller with a clock sets it to a day from now.
  public var times = FeedReader.earliestTime.through(FeedReader.latestTime)
  /// 1980-01-01T00:00:00Z.
  public static let earliestTime = Instant(secondsSince1970: 315_532_800)
  /// 2100-01-01T00:00:00Z.
  public static let latestTime = Instant(secondsSince1970: 4_102_444_800)

  /// 2020-01-01T00:00:00Z. A clock that shows an earlier time, before this program existed, was
  /// never set, as on a board without a battery before it reaches a time server.
  package static let earliestClock = Instant(secondsSince1970: 1_577_836_800)

  /// Returns the range of valid times by a clock: until a day from now. A clock that was never set
  /// says nothing about the future; the range then ends in 2100.
  public static func times(by now: Instant) -> ClosedRange<Instant> {
    earliestTime.through(now < earliestClock ? latestTime : now.advanced(bySeconds: 86_400))
  }
  /// The statistics of the feed so far.
  public private(set) var statistics = FeedStatistics()

  /// Returns the statistics and resets them.
  mutating func takeStatistics() -> FeedStatistics {
    defer {
      statistics = FeedStatistics()
      if recordNumber != nil { recordNumber = 0 }
    }
    return statistics
  }

  /// Returns the reports that made no fix since the last call.
  mutating func takeEnds() -> ReportOutcomes { statistics.ends.take() }

  private let device: String?
  private let isFormatGiven: Bool
  private let isRecorded: Bool
  /// The bytes of a file until it is known whether it is text.
  private var head: [UInt8] = []
  private var content: Content
  private var decoder = TextDecoder()
  private var splitter = LineSplitter()
  private var lineNumber = 0
  /// The parser of lines; `nil` for a document, and until the format is known.
  private var lineParser: (any LineParser)?
  /// The parser of the document; `nil` for lines, and until the format is known.
  private var document: (any DocumentParser)?
  /// The number of the last record read from the current document; `nil` before its first.
  private var recordNumber: Int?
  private var recognizer = FeedRecognizer()

  /// Creates a reader at the start of a feed.
  ///
  /// - Parameters:
  ///   - format: The format of the feed; `nil` uses the format of the first line that shows one.
  ///     Lines before it count as bad, except comments (`#`).
  ///   - device: The device's name if the transport knows it, used for fixes that the feed leaves
  ///     unnamed.
  ///   - isRecorded: Whether the feed is a recorded file. In such a file, a date may follow the
  ///     positions it belongs to; they are returned when it arrives, or at the end.
  public init(format: FeedFormat? = nil, device: String? = nil, isRecorded: Bool = false) {
    self.format = format
    self.device = device
    self.isRecorded = isRecorded
    isFormatGiven = format != nil
    content = Content(format)
    if let format { begin(format) }
  }

  /// Reads a complete message.
  ///
  /// - Parameters:
  ///   - message: The body of a request, the payload of a message, or a file's content.
  ///   - format: The format of the message; `nil` recognises it from the content.
  ///   - device: The device's name if the transport knows it, used for fixes that the message
  ///     leaves unnamed.
  /// - Returns: The fixes in the order of the message, the format (`nil` if unknown), and
  ///   statistics with the faults.
  public static func fixes(
    in message: [UInt8], format: FeedFormat? = nil, device: String? = nil
  ) -> (fixes: [LocationFix], format: FeedFormat?, statistics: FeedStatistics) {
    var reader = FeedReader(format: format, device: device)
    // A JSON message is complete as a whole; its lines need not be, and may be longer than those of
    // a feed, as a card of OwnTracks with a picture is.
    if DocumentSniffer.isStart(message[...].trimmed.first) {
      if let format {
        reader.begin(format, isDocument: true)
      } else if message.count > LineSplitter.maximumLength,
        case .found(let format) = DocumentSniffer.look(at: message)
      {
        reader.begin(format, isDocument: true)
      }
    }
    let fixes = reader.consume(message) + reader.finish()
    // A message with an empty list of reports is one without a position.
    if reader.format != nil, fixes.isEmpty, reader.statistics.ends.isEmpty {
      reader.statistics.ends.add(.withoutPosition, of: device)
    }
    return (fixes, reader.format, reader.statistics)
  }

  /// Reads the next bytes and returns the fixes completed by them, in the order of the feed.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public mutating func consume(_ bytes: [UInt8]) -> [LocationFix] {
    var fixes: [LocationFix] = []
    switch content {
    case .text: read(decoder.decode(bytes), into: &fixes)
    case .binary: readDocument(bytes, into: &fixes)
    case .undecided:
      head.append(contentsOf: bytes)
      if let isFIT = FITDocument.isStart(head) { decide(isFIT, into: &fixes) }
    }
    count(&fixes)
    return fixes
  }

  /// Reads the held bytes of a file as FIT or as text.
  private mutating func decide(_ isFIT: Bool, into fixes: inout [LocationFix]) {
    let bytes = head
    head = []
    content = isFIT ? .binary : .text
    foreign = ForeignFeed(start: bytes)
    if isFIT {
      begin(.fit)
      readDocument(bytes, into: &fixes)
    } else {
      read(decoder.decode(bytes), into: &fixes)
    }
  }

  /// Returns the fixes that were held back in case more of their reports followed.
  ///
  /// Later parts of such a report are skipped and make no second fix. A partly received line is
  /// kept until its rest arrives.
  public mutating func flush() -> [LocationFix] {
    var fixes: [LocationFix] = []
    flushLines(into: &fixes)
    count(&fixes)
    return fixes
  }

  /// Ends a file of the feed and returns the fixes still held; the last line may lack its line end.
  ///
  /// Bytes consumed afterwards begin another file of the same feed, as when a log is rotated: the
  /// format, the statistics and the current date are kept.
  public mutating func finish() -> [LocationFix] {
    var fixes: [LocationFix] = []
    if content == .undecided, !head.isEmpty { decide(false, into: &fixes) }
    if content != .binary { read(decoder.finish(), into: &fixes) }
    if document == nil {
      splitter.finish()
      readLines(into: &fixes)
    }
    if format == nil { finishRecognition(into: &fixes) }
    flushLines(into: &fixes)
    if document != nil { finishDocument(into: &fixes) }
    decoder = TextDecoder()
    splitter = LineSplitter()
    content = Content(format)
    count(&fixes)
    return fixes
  }

  /// Whether a file consists of text.
  private enum Content: Sendable {
    case undecided, text, binary

    /// The content of a file in a format; `nil` for an unknown one.
    init(_ format: FeedFormat?) {
      self = format.map { $0 == .fit ? .binary : .text } ?? .undecided
    }
  }

  private mutating func begin(_ format: FeedFormat, isDocument: Bool = false) {
    self.format = format
    let parser = format.makeParser(
      isDocument: isDocument, isDeviceKnown: device != nil, isRecorded: isRecorded)
    switch parser {
    case .lines(let parser):
      lineParser = parser
      document = nil
    case .document(let parser):
      document = parser
      lineParser = nil
    }
  }

  private mutating func read(_ text: [UInt8], into fixes: inout [LocationFix]) {
    if document != nil {
      readDocument(splitter.withoutLineFeed(text), into: &fixes)
    } else {
      splitter.append(text)
      readLines(into: &fixes)
    }
  }

  /// Counts fixes, and sets the device's name where the feed gives none.
  private mutating func count(_ fixes: inout [LocationFix]) {
    statistics.fixes += fixes.count
    if let device { statistics.ends = statistics.ends.named { $0 ?? device } }
    for index in fixes.indices {
      if fixes[index].time == nil { statistics.untimedFixes += 1 }
      if let device, fixes[index].device == nil { fixes[index].device = device }
    }
  }

  // MARK: - Lines

  private mutating func readLines(into fixes: inout [LocationFix]) {
    while document == nil, let line = splitter.nextLine() { read(line, into: &fixes) }
  }

  private mutating func read(_ line: LineSplitter.Line, into fixes: inout [LocationFix]) {
    lineNumber += 1
    switch line {
    case .tooLong:
      if format == nil, recognizeLongLine(into: &fixes) { return }
      statistics.lines += 1
      statistics.count(.tooLong, inLine: lineNumber)
    case .text(let bytes, let range):
      guard bytes[range].contains(where: { $0 != 0x20 && $0 != 0x09 }) else {
        statistics.blankLines += 1
        return
      }
      let content = LineStart.content(of: bytes, line: range)
      guard bytes[content].contains(where: { $0 != 0x20 && $0 != 0x09 }) else {
        return statistics.blankLines += 1
      }
      if lineParser == nil {
        recognize(bytes, content, into: &fixes)
      } else {
        parse(bytes, content, into: &fixes)
      }
    }
  }

  private mutating func parse(
    _ bytes: [UInt8], _ line: Range<Int>, into fixes: inout [LocationFix]
  ) {
    // If asked to, gpsd sends raw sentences before its reports. They hold the same positions, so
    // the feed is read as gpsd's.
    if format == .nmea, !isFormatGiven, bytes[line.lowerBound] == UInt8(ascii: "{"),
      GPSDParser.recognizes(bytes, line: line)
    {
      begin(.gpsd)
    }
    statistics.lines += 1
    let known = fixes.count
    let fault = lineParser?.parse(bytes, line: line, into: &fixes)
    lineParser?.takeSkipped(into: &statistics.ends)
    let isImpossible = fixes.forgetTimes(outside: times, from: known)
    if let fault = fault ?? (isImpossible ? .impossibleTime : nil) {
      statistics.count(fault, inLine: lineNumber)
    }
  }

  private mutating func flushLines(into fixes: inout [LocationFix]) {
    let known = fixes.count
    lineParser?.flush(into: &fixes)
    lineParser?.takeSkipped(into: &statistics.ends)
    if fixes.forgetTimes(outside: times, from: known) {
      statistics.count(.impossibleTime, inLine: lineNumber)
    }
  }

  // MARK: - Recognition

  private mutating func recognize(
    _ bytes: [UInt8], _ line: Range<Int>, into fixes: inout [LocationFix]
  ) {
    var dropped: [Int] = []
    let finding = recognizer.look(at: bytes, line: line, number: lineNumber, dropping: &dropped)
    countUnrecognized(dropped)
    switch finding {
    case .lines(let format):
      begin(format)
      parse(bytes, line, into: &fixes)
    case .document(let format, let text):
      begin(format, isDocument: true)
      readDocument(text + splitter.takeRest(), into: &fixes)
    case .held: break
    case .nothing:
      if bytes[line.lowerBound] == UInt8(ascii: "#") {
        statistics.lines += 1
      } else {
        countUnrecognized([lineNumber])
      }
    }
  }

  /// Reads a document that begins with an overlong line; returns false where the line begins none.
  private mutating func recognizeLongLine(into fixes: inout [LocationFix]) -> Bool {
    var dropped: [Int] = []
    let finding = recognizer.look(
      atStartOfLongLine: splitter.startOfLongLine, dropping: &dropped)
    countUnrecognized(dropped)
    guard case .document(let format, let text) = finding else { return false }
    begin(format, isDocument: true)
    readDocument(text + splitter.takeLongLine(), into: &fixes)
    return true
  }

  private mutating func finishRecognition(into fixes: inout [LocationFix]) {
    var dropped: [Int] = []
    if case .document(let format, let text) = recognizer.finish(dropping: &dropped) {
      begin(format, isDocument: true)
      readDocument(text, into: &fixes)
    }
    countUnrecognized(dropped)
  }

  private mutating func countUnrecognized(_ numbers: [Int]) {
    statistics.lines += numbers.count
    for number in numbers { statistics.count(.unrecognized, inLine: number) }
  }

  // MARK: - Documents

  private mutating func readDocument(_ text: [UInt8], into fixes: inout [LocationFix]) {
    var output = DocumentOutput(after: recordNumber ?? statistics.lines, times: times)
    document?.consume(text, into: &output)
    take(output, into: &fixes)
  }

  private mutating func finishDocument(into fixes: inout [LocationFix]) {
    var output = DocumentOutput(after: recordNumber ?? statistics.lines, times: times)
    document?.finish(into: &output)
    take(output, into: &fixes)
    recordNumber = nil
    if let format { begin(format, isDocument: true) }
  }

  private mutating func take(_ output: DocumentOutput, into fixes: inout [LocationFix]) {
    fixes += output.fixes
    statistics.ends.add(output.ends)
    recordNumber = output.record
    // A fault may belong to the record that follows the counted ones; it is counted with that
    // record, so that the numbers do not depend on the chunks.
    statistics.lines = max(statistics.lines, output.record, output.faults.last?.record ?? 0)
    for (record, fault) in output.faults { statistics.count(fault, inRecord: record) }
  }
}

extension [LocationFix] {
  /// Removes the times outside of a range from the fixes at and after an index, and returns whether
  /// there were any. Such fixes are treated like those without a date.
  mutating func forgetTimes(outside times: ClosedRange<Instant>, from start: Int) -> Bool {
    var isAny = false
    for index in indices[start...] {
      guard let time = self[index].time, !times.contains(time) else { continue }
      self[index].time = nil
      isAny = true
    }
    return isAny
  }
}
