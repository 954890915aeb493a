/// The outcome of a received report. Each report has exactly one.
///
/// A report is a position, a message or a record of a document without one, or an unreadable line
/// or record. A line that is only a part of a report, such as one sentence of a receiver or the
/// header of a table, is none.
public enum ReportOutcome: Hashable, Sendable {
  /// Its position was used.
  case accepted
  /// It is well-formed but has no position, such as a heartbeat.
  case withoutPosition
  /// It was not used, for a reason.
  case refused(ReportRefusal)
}

/// The reason why a report was not used. The raw value is the name in output.
public enum ReportRefusal: String, CaseIterable, Hashable, Sendable {
  /// It cannot be read.
  case unreadable
  /// It is longer than a message may be, or encoded in a way that is not supported.
  case unsupported
  /// It has no date, and its arrival is not its time.
  case undated
  /// It was received before.
  case repeated
  /// Its decisions could not be stored.
  case notStored
  /// Its position is out of range or exactly 0,0.
  case impossible
  /// Its time is ahead of the clock.
  case ahead
  /// It is not newer than the one before.
  case late
  /// It is too old to fire.
  case stale
  /// It is too inaccurate.
  case inaccurate
  /// It is too far from the one before.
  case jump

  /// The reason in a few words, which follow a number of reports.
  public var text: String {
    switch self {
    case .unreadable: "unreadable"
    case .unsupported: "too long or compressed"
    case .undated: "without a date"
    case .repeated: "repeated"
    case .notStored: "not stored"
    case .impossible: "with an impossible position"
    case .ahead: "ahead of the clock"
    case .late: "not newer than the one before"
    case .stale: "too old to alert"
    case .inaccurate: "too inaccurate"
    case .jump: "too far from the one before"
    }
  }
}

/// The number of reports by device and end, of reports that made no fix.
///
/// Of at most ``maximumCount`` pairs; beyond it, devices are counted as one without a name.
public struct ReportOutcomes: Hashable, Sendable {
  /// A device and an end.
  public struct Key: Hashable, Sendable {
    /// The device's name; `nil` if it is unknown.
    public var device: String?
    /// The end.
    public var end: ReportOutcome
  }

  /// The greatest number of pairs of a device and an end with a number of their own.
  public static let maximumCount = 256

  /// The numbers.
  public private(set) var counts: [Key: Int] = [:]

  /// Creates an empty list.
  public init() {}

  /// Whether nothing was counted.
  public var isEmpty: Bool { counts.isEmpty }

  /// Returns the number of reports with an end, of all devices.
  public func count(of end: ReportOutcome) -> Int {
    counts.reduce(0) { $1.key.end == end ? $0 + $1.value : $0 }
  }

  /// Counts reports.
  package mutating func add(_ end: ReportOutcome, of device: String? = nil, times: Int = 1) {
    guard times > 0 else { return }
    var key = Key(device: device, end: end)
    if counts.count >= Self.maximumCount, counts[key] == nil { key.device = nil }
    counts[key, default: 0] += times
  }

  /// Adds the numbers of others.
  mutating func add(_ others: ReportOutcomes) {
    for (key, count) in others.counts { add(key.end, of: key.device, times: count) }
  }

  /// Returns the numbers, and begins again.
  mutating func take() -> ReportOutcomes {
    defer { self = ReportOutcomes() }
    return self
  }

  /// Returns the numbers with other names of devices.
  package func named(_ name: (String?) -> String?) -> ReportOutcomes {
    guard !isEmpty else { return self }
    var renamed = ReportOutcomes()
    for (key, count) in counts { renamed.add(key.end, of: name(key.device), times: count) }
    return renamed
  }
}

/// The numbers of a device's reports by their ends.
public struct ReportCounts: Hashable, Sendable {
  /// The number of reports whose position was used.
  public private(set) var accepted = 0
  /// The number of well-formed reports without a position.
  public private(set) var withoutPosition = 0
  /// The numbers of reports that were not used; reasons without any are missing.
  public private(set) var refused: [ReportRefusal: Int] = [:]
  /// The number of reports refused since the last accepted one. Repeated reports and those without
  /// a position are not among them.
  public private(set) var refusedInARow = 0
  /// The reason of the last of them; `nil` if there is none.
  public private(set) var lastRefusal: ReportRefusal?

  /// The limit of each number.
  package static let limit = 1 << 50

  /// Creates numbers of no reports.
  public init() {}

  /// Creates stored numbers, each within 0 and ``limit``.
  package init(
    accepted: Int, withoutPosition: Int, refused: [ReportRefusal: Int], refusedInARow: Int,
    lastRefusal: ReportRefusal?
  ) {
    (self.accepted, self.withoutPosition, self.refused) = (accepted, withoutPosition, refused)
    (self.refusedInARow, self.lastRefusal) = (refusedInARow, lastRefusal)
  }

  /// The number of refused reports.
  public var refusedCount: Int { refused.values.reduce(0, +) }

  /// The number of reports that arrived: the sum of all others.
  public var received: Int { accepted + withoutPosition + refusedCount }

  /// Counts reports.
  public mutating func count(_ end: ReportOutcome, times: Int = 1) {
    func add(_ number: inout Int) { number = min(number + times, Self.limit) }
    switch end {
    case .accepted:
      add(&accepted)
      (refusedInARow, lastRefusal) = (0, nil)
    case .withoutPosition: add(&withoutPosition)
    case .refused(let reason):
      add(&refused[reason, default: 0])
      guard reason != .repeated else { return }
      add(&refusedInARow)
      lastRefusal = reason
    }
  }

  /// The numbers in words: `120 reports: 100 accepted, 12 without a position, 8 refused (5 too
  /// inaccurate, 3 unreadable)`.
  public var text: String {
    var parts = ["\(accepted) accepted"]
    if withoutPosition > 0 { parts.append("\(withoutPosition) without a position") }
    if refusedCount > 0 {
      let reasons = ReportRefusal.allCases.compactMap { reason in
        refused[reason].map { "\($0) \(reason.text)" }
      }
      parts.append("\(refusedCount) refused (\(reasons.joined(separator: ", ")))")
    }
    return "\(received) \(received == 1 ? "report" : "reports"): "
      + parts.joined(separator: ", ")
  }
}
