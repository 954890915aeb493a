/// The statistics of a feed: lines, records, faults and fixes so far.
public struct FeedStatistics: Hashable, Sendable {
  /// An unreadable line, or an unreadable record of a document.
  public struct BadLine: Hashable, Sendable, CustomStringConvertible {
    /// The number, from 1, of the line in the feed (blank lines included) or of the record.
    public var number: Int
    /// Whether it is a record of a document: a track point, a feature or an element of a list.
    public var isRecord = false
    /// The fault found in it.
    public var fault: LineFault

    /// The number and the fault, without any of the line's content.
    public var description: String { "\(isRecord ? "record" : "line") \(number): \(fault)" }
  }

  /// The greatest number of entries in ``firstBadLines``.
  public static let rememberedBadLines = 5

  /// The number of lines that are not blank, good and bad, and of records of documents.
  public internal(set) var lines = 0
  /// The number of blank lines.
  public internal(set) var blankLines = 0
  /// The number of lines and records that could not be read, or only in part.
  public internal(set) var badLines = 0
  /// The first bad lines, at most ``rememberedBadLines``.
  public internal(set) var firstBadLines: [BadLine] = []
  /// The latest bad line.
  public internal(set) var latestBadLine: BadLine?
  /// The number of fixes, with or without a time.
  public internal(set) var fixes = 0
  /// The number of fixes without a time, which ``fixes`` includes.
  public internal(set) var untimedFixes = 0

  /// The reports that made no fix: those without a position, repeated ones, and unreadable ones.
  public package(set) var ends = ReportOutcomes()
  /// The number of well-formed reports without a position, such as heartbeats.
  public var withoutPosition: Int { ends.count(of: .withoutPosition) }

  /// Creates the statistics of a feed that has not been read yet.
  public init() {}

  /// Creates the statistics of a message that made no fix.
  package init(_ end: ReportOutcome, of device: String? = nil) {
    lines = 1
    ends.add(end, of: device)
  }

  /// Adds the statistics of another part of the feed, whose latest bad line takes precedence.
  mutating func add(_ other: FeedStatistics) {
    lines += other.lines
    blankLines += other.blankLines
    badLines += other.badLines
    firstBadLines += other.firstBadLines.prefix(Self.rememberedBadLines - firstBadLines.count)
    latestBadLine = other.latestBadLine ?? latestBadLine
    fixes += other.fixes
    untimedFixes += other.untimedFixes
    ends.add(other.ends)
  }

  mutating func count(_ fault: LineFault, inLine number: Int) {
    count(BadLine(number: number, fault: fault))
  }

  mutating func count(_ fault: LineFault, inRecord number: Int) {
    count(BadLine(number: number, isRecord: true, fault: fault))
  }

  private mutating func count(_ badLine: BadLine) {
    badLines += 1
    // A fix without its impossible time goes on, as do doubtful ones, and has an end of its own.
    if badLine.fault != .impossibleTime, badLine.fault != .doubtful {
      ends.add(.refused(.unreadable))
    }
    if firstBadLines.count < Self.rememberedBadLines { firstBadLines.append(badLine) }
    latestBadLine = badLine
  }
}
