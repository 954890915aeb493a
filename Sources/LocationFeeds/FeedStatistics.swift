/// What a feed has brought so far.
public struct FeedStatistics: Hashable, Sendable {
  /// A line, or a record of a document, that could not be read.
  public struct BadLine: Hashable, Sendable, CustomStringConvertible {
    /// The number of the line in the feed, in which blank lines count, or of the record; the first
    /// is 1.
    public var number: Int
    /// Whether it is a record of a document: a point of a track, a feature, an element of a list.
    public var isRecord = false
    /// What is wrong with it.
    public var fault: LineFault

    /// The line and its fault, without what the line says.
    public var description: String { "\(isRecord ? "record" : "line") \(number): \(fault)" }
  }

  /// How many of the bad lines are remembered in ``firstBadLines``.
  public static let rememberedBadLines = 5

  /// Lines that are not blank, good and bad ones, and the records of documents.
  public internal(set) var lines = 0
  /// Lines that are blank.
  public internal(set) var blankLines = 0
  /// Lines and records that could not be read, or not wholly.
  public internal(set) var badLines = 0
  /// The first bad lines, at most ``rememberedBadLines``.
  public internal(set) var firstBadLines: [BadLine] = []
  /// The latest bad line.
  public internal(set) var latestBadLine: BadLine?
  /// Fixes, with or without a time.
  public internal(set) var fixes = 0
  /// Fixes without a time, among ``fixes``.
  public internal(set) var untimedFixes = 0

  /// Creates the statistics of a feed that has brought nothing.
  public init() {}

  /// Adds what another part of the feed has brought; the latest bad line is the one of that.
  mutating func add(_ other: FeedStatistics) {
    lines += other.lines
    blankLines += other.blankLines
    badLines += other.badLines
    firstBadLines += other.firstBadLines.prefix(Self.rememberedBadLines - firstBadLines.count)
    latestBadLine = other.latestBadLine ?? latestBadLine
    fixes += other.fixes
    untimedFixes += other.untimedFixes
  }

  mutating func count(_ fault: LineFault, inLine number: Int) {
    count(BadLine(number: number, fault: fault))
  }

  mutating func count(_ fault: LineFault, inRecord number: Int) {
    count(BadLine(number: number, isRecord: true, fault: fault))
  }

  private mutating func count(_ badLine: BadLine) {
    badLines += 1
    if firstBadLines.count < Self.rememberedBadLines { firstBadLines.append(badLine) }
    latestBadLine = badLine
  }
}
