public import CivilTime

/// Converts the chunks of a source into fixes, and names the devices so that they are distinct from
/// those of other sources.
///
/// The reader is pure: it is given chunks and times, and returns fixes.
public struct SourceReader: Sendable {
  /// The result of reading one chunk.
  public struct Reading: Sendable {
    /// The fixes, in the order of the feed.
    public var fixes: [LocationFix] = []
    /// Repeated reports of messages, which are not among the fixes.
    public var repeated: [LocationFix] = []
    /// The reports that made no fix, by device.
    public var ends = ReportOutcomes()
    /// The format of the fixes.
    public var format: FeedFormat?
    /// Whether the sender sends the fixes again if they are not accepted.
    public var isSentAgain = false

    /// Creates an empty reading.
    public init() {}

    fileprivate init(fixes: [LocationFix] = [], format: FeedFormat?) {
      (self.fixes, self.format) = (fixes, format)
    }
  }

  /// The statistics of the source so far.
  public var statistics: FeedStatistics {
    var all = stream.statistics
    all.add(sent)
    return all
  }

  /// The format of the source; `nil` until it is given or recognised.
  public var format: FeedFormat? { stream.format ?? sentFormat }

  /// The kind of the source's file, recognised by its first bytes; `nil` for a feed or an unknown
  /// file.
  package var foreign: ForeignFeed? { stream.foreign }

  /// The range of valid times; see ``FeedReader/times``.
  public var times: ClosedRange<Instant> {
    get { stream.times }
    set {
      stream.times = newValue
      senders.times = newValue
    }
  }

  private let name: String?
  private let isLive: Bool
  private var stream: FeedReader
  private var senders: SenderReaders
  private var sent = FeedStatistics()
  private var sentFormat: FeedFormat?
  /// The latest reports of messages, since an app repeats a message that it believes lost.
  private var recent = RecentReports()
  /// Bounds the device names of senders of datagrams, which are not authenticated.
  private var senderNames = DeviceNameBound(DeviceNameBound.unknownSenders)

  /// Creates a reader for a source that was just opened.
  ///
  /// - Parameters:
  ///   - format: The format; `nil` recognises it.
  ///   - name: The name of devices that the source leaves unnamed. It is also the prefix for names
  ///     that are unique within the source only: gpsd's receivers, and senders of datagrams. `nil`
  ///     if there is no other source: names are as in the feed.
  ///   - isLive: Whether the source is live, so that its readers are flushed when it is idle.
  public init(format: FeedFormat? = nil, name: String? = nil, isLive: Bool) {
    self.name = name
    self.isLive = isLive
    stream = FeedReader(format: format, isRecorded: !isLive)
    senders = SenderReaders(format: format)
  }

  /// Reads a chunk of the source.
  ///
  /// - Parameters:
  ///   - chunk: The chunk; an event yields no fixes.
  ///   - now: The current time, by which idle senders of datagrams are detected.
  /// - Returns: The fixes completed by the chunk; repeated reports of messages are separate.
  public mutating func read(
    _ chunk: FeedChunk, now: ContinuousClock.Instant = .now
  ) -> Reading {
    switch chunk {
    case .bytes(let bytes): return counted(named(stream.consume(bytes)))
    case .datagram(let lines, let sender):
      return read(lines, from: sender, now: now)
    case .reports(let fixes, let format, let statistics):
      return take(fixes, format, statistics)
    case .idle:
      guard isLive else { return Reading() }
      return counted(named(stream.flush(), sent: admitted(senders.flush(now: now), now)))
    case .restarted: return counted(named(stream.finish()))
    // A partly received line is discarded, since its rest will not be read.
    case .interrupted:
      return counted(named(stream.flush(), sent: admitted(senders.flush(now: nil), now)))
    case .end:
      return counted(named(stream.finish(), sent: admitted(senders.flush(now: nil), now)))
    case .event: return Reading()
    }
  }

  private mutating func read(
    _ lines: [UInt8], from sender: String, now: ContinuousClock.Instant
  ) -> Reading {
    let earlier = senders.flush(now: now)
    let device = name.map { Self.join($0, sender) } ?? sender
    var read = FeedStatistics()
    let (fixes, format) = senders.read(lines, from: device, now: now, counting: &read)
    sent.add(read)
    sentFormat = format ?? sentFormat
    var reading = Reading(fixes: admitted(earlier + fixes, now), format: format)
    reading.ends = read.ends.named { [name] found in
      let found = found ?? device
      return senderNames.admits(found, at: now) ? found : name
    }
    return reading
  }

  /// Adds the reports of the stream that made no fix to a reading.
  private mutating func counted(_ reading: Reading) -> Reading {
    let ends = stream.takeEnds()
    guard !ends.isEmpty else { return reading }
    sent.ends.add(ends)
    var reading = reading
    reading.ends = ends.named(named)
    return reading
  }

  /// Returns the name of a device of the stream.
  private func named(_ device: String?) -> String? {
    guard let name else { return device }
    guard let device else { return name }
    return stream.format == .gpsd ? Self.join(name, device) : device
  }

  /// Replaces the device names for which there is no room by the source's name, so that all further
  /// devices count as one.
  private mutating func admitted(
    _ fixes: [LocationFix], _ now: ContinuousClock.Instant
  ) -> [LocationFix] {
    fixes.map { fix in
      guard let device = fix.device, !senderNames.admits(device, at: now) else { return fix }
      var fix = fix
      fix.device = name
      return fix
    }
  }

  private mutating func take(
    _ fixes: [LocationFix], _ format: FeedFormat?, _ statistics: FeedStatistics
  ) -> Reading {
    sent.add(statistics)
    sentFormat = format ?? sentFormat
    var reading = Reading(format: format)
    reading.ends = statistics.ends.named { [name] in $0 ?? name }
    var fixes = fixes
    if fixes.forgetTimes(outside: times, from: 0) {
      sent.count(.impossibleTime, inLine: sent.lines)
    }
    for var fix in fixes {
      fix.device = fix.device ?? name
      if recent.insert(device: fix.device, time: fix.time) {
        reading.fixes.append(fix)
      } else {
        reading.repeated.append(fix)
      }
    }
    return reading
  }

  /// Forgets reports of messages that could not be processed, so that they are accepted when sent
  /// again.
  public mutating func forget(_ fixes: [LocationFix]) {
    for fix in fixes { recent.remove(device: fix.device, time: fix.time) }
  }

  private func named(_ fixes: [LocationFix], sent: [LocationFix] = []) -> Reading {
    guard name != nil else { return Reading(fixes: fixes + sent, format: format) }
    let named = fixes.map { fix in
      var fix = fix
      fix.device = self.named(fix.device)
      return fix
    }
    return Reading(fixes: named + sent, format: format)
  }

  private static func join(_ name: String, _ device: String) -> String {
    device.hasPrefix("/") ? name + device : name + "/" + device
  }
}
