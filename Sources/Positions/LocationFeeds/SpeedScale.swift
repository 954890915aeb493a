import CivilTime
import Spatial

/// The factor by which the speeds that a device states are wrong, because its app takes one unit
/// for another.
///
/// The way between the positions is the measure. It is divided into pieces of at least
/// ``pieceSeconds`` each, in which single reflected signals matter little. A factor is certain if
/// the stated speed is too high or too low by it in ``minimumCount`` pieces in a row. Stops and
/// turns make the ratio of a right speed vary, so that it does not stay at another factor than 1.
struct SpeedScale: Sendable {
  /// The ratios of units that apps confuse: m/s, km/h, knots and mph.
  private static let factors = [
    1.0, 3.6, 1 / 3.6, 3600.0 / 1852, 1852.0 / 3600, 3600 / 1609.344, 1609.344 / 3600,
  ]
  /// The greatest deviation of a piece from a factor, relative to it. The factors differ by more
  /// than 13 %.
  private static let tolerance = 0.06
  private static let pieceSeconds = 20.0
  /// The longest pause within a piece, in seconds: loggers write once a minute. A way that is not
  /// straight in between makes the ratio vary, and proves nothing.
  private static let maximumPauseSeconds = 75.0
  /// The slowest way of a piece in m/s; below it, the noise of positions matters.
  private static let slowest = 1.2
  private static let minimumCount = 6

  /// The factor by which stated speeds are too high; 1 while they are right or unknown.
  private(set) var factor = 1.0
  private var start: (time: Instant, coordinate: Coordinate)?
  private var last: Instant?
  private var statedSum = 0.0
  private var statedCount = 0.0
  /// The nearest factors of the latest pieces; `nil` for a piece that is near none.
  private var latest: [Double?] = []

  /// Takes a fix with its stated speed.
  mutating func add(_ fix: LocationFix) {
    guard let time = fix.time, let here = fix.coordinate, let speed = fix.speedMetersPerSecond
    else {
      return
    }
    if let last, time <= last { return }
    let pause = last.map { time.seconds(since: $0) } ?? .infinity
    last = time
    guard let start, pause <= Self.maximumPauseSeconds else { return begin(time, here) }
    statedSum += speed
    statedCount += 1
    let seconds = time.seconds(since: start.time)
    guard seconds >= Self.pieceSeconds else { return }
    let way = start.coordinate.distance(to: here) / seconds
    if way >= Self.slowest { judge(statedSum / statedCount / way) }
    begin(time, here)
  }

  private mutating func begin(_ time: Instant, _ here: Coordinate) {
    (start, statedSum, statedCount) = ((time, here), 0, 0)
  }

  private mutating func judge(_ ratio: Double) {
    latest.append(Self.factors.first { abs(ratio / $0 - 1) <= Self.tolerance })
    if latest.count > Self.minimumCount { latest.removeFirst() }
    guard latest.count == Self.minimumCount, let first = latest.first, let found = first,
      latest.allSatisfy({ $0 == found })
    else { return }
    factor = found
  }
}

/// The scales of the speeds that the devices of feeds state.
public struct SpeedScales: Sendable {
  /// A scale that was found.
  public struct Change: Hashable, Sendable {
    /// The device; `nil` if the feed names none.
    public let device: String?
    /// The factor by which its stated speeds are too high; 1 if they are right again.
    public let factor: Double
  }

  private var scales = DeviceValues(of: SpeedScale())

  /// Creates an empty list.
  public init() {}

  /// Corrects the stated speed of a fix by the scale of its device.
  ///
  /// - Returns: A new scale, which the user should know about; `nil` for none.
  public mutating func correct(_ fix: inout LocationFix) -> Change? {
    guard let speed = fix.speedMetersPerSecond else { return nil }
    return scales.change(fix.device) { scale in
      let known = scale.factor
      scale.add(fix)
      fix.speedMetersPerSecond = speed / scale.factor
      return scale.factor == known ? nil : Change(device: fix.device, factor: scale.factor)
    }
  }

  /// Returns the factor by which a device's stated speeds are too high; 1 if they are right or
  /// unknown.
  public func factor(of device: String?) -> Double {
    scales.value(of: device)?.factor ?? 1
  }
}
