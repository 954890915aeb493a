public import CivilTime

/// Turns what a source gives into fixes, with names that keep its devices apart from those of other
/// sources.
///
/// It is pure: it takes chunks and times and gives fixes.
public struct SourceReader: Sendable {
  /// What one chunk brought.
  public struct Reading: Sendable {
    /// The fixes, in the order of the feed.
    public var fixes: [LocationFix] = []
    /// The format that they are in.
    public var format: FeedFormat?
  }

  /// What the source has brought so far.
  public var statistics: FeedStatistics {
    var all = stream.statistics
    all.add(sent)
    return all
  }

  /// The format of the source; `nil` as long as none is given or recognised.
  public var format: FeedFormat? { stream.format ?? sentFormat }

  /// The times that fixes may have; see ``FeedReader/times``.
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
  /// The reports of messages that came last: an app sends one again that it believes lost.
  private var recent = RecentReports()
  /// The devices of senders of datagrams, whom nobody vouches for.
  private var senderNames = DeviceNameBound(DeviceNameBound.unknownSenders)

  /// Creates a reader for a source that is just opened.
  ///
  /// - Parameters:
  ///   - format: The format; `nil` recognises it.
  ///   - name: What the devices are called by that the source does not name, and, put before their
  ///     own name, those that only the source can tell apart: a gpsd's receivers, senders of
  ///     datagrams. `nil` where there is no other source: names are as the feed has them.
  ///   - isLive: Whether the source is live, so that an idle one is worth flushing.
  public init(format: FeedFormat? = nil, name: String? = nil, isLive: Bool) {
    self.name = name
    self.isLive = isLive
    stream = FeedReader(format: format, isRecorded: !isLive)
    senders = SenderReaders(format: format)
  }

  /// Reads what the source gave.
  ///
  /// - Parameters:
  ///   - chunk: What it gave; an event brings nothing.
  ///   - now: The time, which tells the senders of datagrams that are idle.
  /// - Returns: The fixes that are complete with it; of messages those that did not come before.
  public mutating func read(
    _ chunk: FeedChunk, now: ContinuousClock.Instant = .now
  ) -> Reading {
    switch chunk {
    case .bytes(let bytes): return named(stream.consume(bytes))
    case .datagram(let lines, let sender):
      return read(lines, from: sender, now: now)
    case .reports(let fixes, let format, let statistics):
      return take(fixes, format, statistics)
    case .idle:
      guard isLive else { return Reading() }
      return named(stream.flush(), sent: admitted(senders.flush(now: now), now))
    case .restarted: return named(stream.finish())
    // A line of which a part has come is none, when nobody waits for its rest.
    case .interrupted:
      return named(stream.flush(), sent: admitted(senders.flush(now: nil), now))
    case .end:
      return named(stream.finish(), sent: admitted(senders.flush(now: nil), now))
    case .event: return Reading()
    }
  }

  private mutating func read(
    _ lines: [UInt8], from sender: String, now: ContinuousClock.Instant
  ) -> Reading {
    let earlier = senders.flush(now: now)
    let device = name.map { Self.join($0, sender) } ?? sender
    let (fixes, format) = senders.read(lines, from: device, now: now, counting: &sent)
    sentFormat = format ?? sentFormat
    return Reading(fixes: admitted(earlier + fixes, now), format: format)
  }

  /// The fixes with the names that there is room for; the devices of all further ones are taken for
  /// one, that of the source.
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
    var fixes = fixes
    if fixes.forgetTimes(outside: times, from: 0) {
      sent.count(.impossibleTime, inLine: sent.lines)
    }
    for var fix in fixes {
      fix.device = fix.device ?? name
      if recent.insert(device: fix.device, time: fix.time) { reading.fixes.append(fix) }
    }
    return reading
  }

  /// Forgets reports of messages that could not be dealt with, so that they count when they are
  /// sent again.
  public mutating func forget(_ fixes: [LocationFix]) {
    for fix in fixes { recent.remove(device: fix.device, time: fix.time) }
  }

  private func named(_ fixes: [LocationFix], sent: [LocationFix] = []) -> Reading {
    guard let name else { return Reading(fixes: fixes + sent, format: format) }
    let isOfReceivers = stream.format == .gpsd
    let named = fixes.map { fix in
      var fix = fix
      if let device = fix.device {
        if isOfReceivers { fix.device = Self.join(name, device) }
      } else {
        fix.device = name
      }
      return fix
    }
    return Reading(fixes: named + sent, format: format)
  }

  private static func join(_ name: String, _ device: String) -> String {
    device.hasPrefix("/") ? name + device : name + "/" + device
  }
}
