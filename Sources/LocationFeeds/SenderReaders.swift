import CivilTime

/// Reads what several senders send in lines, each apart, whatever formats they mix.
struct SenderReaders: Sendable {
  /// How many senders are remembered; the one that was heard least lately is forgotten for a new
  /// one.
  static let capacity = 256

  private struct Sender: Sendable {
    var readers: [FeedFormat: FeedReader] = [:]
    /// The format that its lines are in, unless they show another.
    var format: FeedFormat
    var heard: ContinuousClock.Instant
    /// Whether something was read since it was flushed.
    var mayHold = true
  }

  /// The times that fixes may have.
  var times = FeedReader.earliestTime...FeedReader.latestTime

  private let givenFormat: FeedFormat?
  private var senders: [String: Sender] = [:]

  init(format: FeedFormat?) {
    givenFormat = format
  }

  /// Reads the lines of a sender; fixes without a device's name get the sender's.
  ///
  /// - Parameters:
  ///   - lines: One or several lines; the last needs no line end.
  ///   - sender: Who sent them.
  ///   - now: The time, for ``flush(now:into:)``.
  ///   - statistics: Counts them.
  /// - Returns: The fixes that are complete, and their format; `nil` where it is not known.
  mutating func read(
    _ lines: [UInt8], from sender: String, now: ContinuousClock.Instant,
    counting statistics: inout FeedStatistics
  ) -> (fixes: [LocationFix], format: FeedFormat?) {
    let found = givenFormat ?? Self.format(of: lines) ?? senders[sender]?.format
    guard let found else {
      statistics.add(FeedReader.fixes(in: lines).statistics)
      return ([], nil)
    }
    makeRoom(for: sender)
    var entry = senders[sender] ?? Sender(format: found, heard: now)
    var reader = entry.readers[found] ?? FeedReader(format: found, device: sender)
    reader.times = times
    let isEnded = lines.last == 0x0A || lines.last == 0x0D
    let fixes = reader.consume(isEnded ? lines : lines + [0x0A])
    statistics.add(reader.takeStatistics())
    entry.readers[found] = reader
    entry.format = found
    entry.heard = now
    entry.mayHold = true
    senders[sender] = entry
    return (fixes, found)
  }

  /// Returns what was held back for senders that have been idle, so that no more will come, the one
  /// first that was heard first, then by name.
  ///
  /// - Parameter now: The time; `nil` ends all senders.
  /// - Returns: The fixes.
  mutating func flush(now: ContinuousClock.Instant?) -> [LocationFix] {
    let idle = senders.filter { _, sender in
      sender.mayHold && (now.map { sender.heard + FeedReader.flushDelay <= $0 } ?? true)
    }
    var fixes: [LocationFix] = []
    let order = idle.sorted { ($0.value.heard, $0.key) < ($1.value.heard, $1.key) }
    for (name, sender) in order {
      senders[name]?.mayHold = false
      for format in FeedFormat.allCases where sender.readers[format] != nil {
        fixes += senders[name]?.readers[format]?.flush() ?? []
      }
    }
    return fixes
  }

  /// The format that the first line shows.
  private static func format(of lines: [UInt8]) -> FeedFormat? {
    let start = lines.firstIndex { !$0.isSpace } ?? 0
    let end = lines[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? lines.endIndex
    return FeedFormat.recognized(in: lines, line: start..<end)
  }

  private mutating func makeRoom(for sender: String) {
    guard senders[sender] == nil, senders.count >= Self.capacity,
      let oldest = senders.min(by: { $0.value.heard < $1.value.heard })
    else { return }
    senders[oldest.key] = nil
  }
}
