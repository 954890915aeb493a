import CivilTime

/// Reads the lines of several senders separately, even if each sender mixes formats.
struct SenderReaders: Sendable {
  /// The greatest number of senders; beyond it, the least recently heard one is evicted.
  static let capacity = 256

  private struct Sender: Sendable {
    var readers: [FeedFormat: FeedReader] = [:]
    /// The format of the sender's last lines, used for lines that show none.
    var format: FeedFormat
    var heard: ContinuousClock.Instant
    /// Whether lines were read since the last flush, so that readers may hold fixes back.
    var mayHold = true
  }

  /// The range of valid times.
  var times = FeedReader.earliestTime.through(FeedReader.latestTime)

  private let givenFormat: FeedFormat?
  private var senders: [String: Sender] = [:]

  init(format: FeedFormat?) {
    givenFormat = format
  }

  /// Reads lines of a sender. Fixes without a device's name get the sender's.
  ///
  /// - Parameters:
  ///   - lines: One or several lines; the last needs no line end.
  ///   - sender: The sender's name.
  ///   - now: The current time, which ``flush(now:)`` compares with later ones.
  ///   - statistics: The statistics to which the lines are added.
  /// - Returns: The complete fixes, and their format; `nil` where it is unknown.
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

  /// Returns the fixes held back for senders that have been idle for ``FeedReader/flushDelay``,
  /// ordered by when the senders were last heard, then by name.
  ///
  /// - Parameter now: The current time; `nil` flushes all senders.
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

  /// Recognises the format from the first line.
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
