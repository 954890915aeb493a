public import CivilTime

/// The difference between the times of a device's reports and their arrival, which shows a clock
/// that is off.
///
/// A clock that is off by a constant is told from late reports by its steadiness: reports that
/// waited for a network arrive faster than they were made. The shift is certain once
/// ``minimumCount`` reports in a row, over at least ``minimumSeconds``, differ from their arrival
/// by the same amount.
public struct ClockShift: Sendable {
  /// The number of reports that prove a shift.
  static let minimumCount = 5
  /// The time in seconds over which they must have arrived.
  static let minimumSeconds = 10.0
  /// The greatest difference in seconds between their shifts: delays of networks, and whole
  /// seconds.
  static let maximumSpread = 3.0
  /// The shift in seconds from which reports ahead of the clock are refused.
  static let aheadSeconds = 60.0
  /// The shift in seconds behind the clock that no connection takes for each report.
  static let behindSeconds = 600.0

  /// The arrivals and shifts of the latest reports.
  private var latest: [(arrival: Instant, seconds: Double)] = []
  /// The seconds by which the device's clock is ahead, negative if behind; `nil` while it is right
  /// or unknown.
  public private(set) var seconds: Double?

  /// Creates the state of a device that was not heard yet.
  public init() {}

  /// Takes the time of a report and its arrival; returns the time corrected by a certain shift.
  ///
  /// - Parameters:
  ///   - time: The time of the position.
  ///   - sent: The time at which the device sent the report, by its clock; `nil` if unknown, where
  ///     it is the time of the position.
  ///   - now: The arrival.
  /// - Returns: The time of the position by this machine's clock.
  public mutating func corrected(
    _ time: Instant, sentAt sent: Instant? = nil, arrivedAt now: Instant
  ) -> Instant {
    let shift = (sent ?? time).seconds(since: now)
    // A report may be late under the known shift, but not early. One that agrees with this
    // machine's clock shows that the device's clock was set.
    if let known = seconds,
      abs(shift) <= Self.aheadSeconds || shift > known + Self.maximumSpread
    {
      (seconds, latest) = (nil, [])
    }
    latest.append((now, shift))
    if latest.count > Self.minimumCount { latest.removeFirst() }
    if let steady = steadyShift {
      let isOff = steady.least > Self.aheadSeconds || steady.most < -Self.behindSeconds
      // The greatest shift is that of the report that was delayed least.
      seconds = isOff ? steady.most : nil
    }
    return knownCorrection(of: time)
  }

  /// Returns a time corrected by a certain shift, without taking it into account.
  func knownCorrection(of time: Instant) -> Instant {
    seconds.map { time.advanced(bySeconds: -$0) } ?? time
  }

  /// The least and the greatest shift of the latest reports, if they differ little.
  private var steadyShift: (least: Double, most: Double)? {
    guard latest.count == Self.minimumCount, let first = latest.first, let last = latest.last,
      last.arrival.seconds(since: first.arrival) >= Self.minimumSeconds
    else { return nil }
    let shifts = latest.map(\.seconds).sorted()
    let (least, most) = (shifts[0], shifts[shifts.count - 1])
    return most - least <= Self.maximumSpread ? (least, most) : nil
  }
}

/// The clock shifts of the devices of live feeds, at most as many as the slots of a watch.
public struct ClockShifts: Sendable {
  /// A shift that was found, or that ended.
  public struct Change: Hashable, Sendable {
    /// The device; `nil` if the feed names none.
    public let device: String?
    /// The seconds by which its clock is ahead, negative if behind; `nil` if it is right again.
    public let seconds: Double?
  }

  private struct Device: Sendable {
    var shift = ClockShift()
    /// The shift that was reported.
    var reported: Double?
  }

  private var devices = DeviceValues(of: Device())

  /// Creates an empty list.
  public init() {}

  /// Corrects the time of a fix that arrived.
  ///
  /// - Parameters:
  ///   - fix: The fix, whose time is corrected if its device's clock is certainly off, and whose
  ///     time of sending is removed.
  ///   - now: The time of its arrival.
  ///   - isNew: Whether it arrived when it was sent, so that it shows the clock.
  /// - Returns: A change that the user should know about; `nil` for none.
  public mutating func correct(
    _ fix: inout LocationFix, arrivedAt now: Instant, isNew: Bool = true
  ) -> Change? {
    let sent = fix.sent
    fix.sent = nil
    guard let time = fix.time else { return nil }
    return devices.change(fix.device) { device in
      guard isNew else {
        fix.time = device.shift.knownCorrection(of: time)
        return nil
      }
      fix.time = device.shift.corrected(time, sentAt: sent, arrivedAt: now)
      let (found, known) = (device.shift.seconds, device.reported)
      // A steady shift is reported once, although it varies a little.
      if let found, let known, abs(known - found) <= 60 { return nil }
      guard found != known else { return nil }
      device.reported = found
      return Change(device: fix.device, seconds: found)
    }
  }

  /// Returns the seconds by which a device's clock is ahead; `nil` while it is right or unknown.
  public func seconds(of device: String?) -> Double? {
    devices.value(of: device)?.shift.seconds
  }
}
