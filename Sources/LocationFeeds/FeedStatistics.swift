/// What a feed has brought so far.
public struct FeedStatistics: Hashable, Sendable {
  /// A line that could not be read.
  public struct BadLine: Hashable, Sendable, CustomStringConvertible {
    /// The number of the line in the feed; the first is 1, and blank lines count.
    public var number: Int
    /// What is wrong with it.
    public var fault: LineFault

    /// The line and its fault, without what the line says.
    public var description: String { "line \(number): \(fault)" }
  }

  /// How many of the bad lines are remembered in ``firstBadLines``.
  public static let rememberedBadLines = 5

  /// Lines that are not blank, good and bad ones.
  public internal(set) var lines = 0
  /// Lines that could not be read, or not wholly.
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

  mutating func count(_ fault: LineFault, inLine number: Int) {
    let badLine = BadLine(number: number, fault: fault)
    badLines += 1
    if firstBadLines.count < Self.rememberedBadLines { firstBadLines.append(badLine) }
    latestBadLine = badLine
  }
}
