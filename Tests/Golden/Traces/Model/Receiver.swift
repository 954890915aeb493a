/// A receiver and how it is made to report: the errors that it has in the open, and what it tells
/// of them.
public struct Receiver: Sendable {
  /// Seconds between fixes.
  public var interval = 5.0
  /// Seconds between fixes once it has been at rest for two minutes; `nil` for no difference.
  public var restingInterval: Double?
  /// The standard deviation of the position on each axis, in metres.
  public var sigma = 5.0
  /// How long an error lasts, in seconds: the time constant of a Gauss–Markov process.
  public var correlation = 60.0
  /// The accuracy that it reports in the open, in metres; `nil` where it reports none.
  public var accuracy: Double? = 8
  /// Whether it reports its speed.
  public var reportsSpeed = true
  /// It reports only what lies so many metres from its last report; `nil` where it reports by time
  /// alone.
  public var significantMeters: Double?
  /// How many seconds a fix needs to arrive.
  public var latency = 1.0
  /// The share of fixes that arrive twice.
  public var duplicates = 0.0
  /// The share of fixes that are overtaken by the next.
  public var overtaken = 0.0

  /// A phone that navigates or records.
  public static let phone = Receiver()
  /// A logger that writes every second.
  public static let logger = Receiver(interval: 1, sigma: 3, accuracy: 5)
  /// A phone that is recorded all day, every 15 s, and seldom at rest.
  public static let allDay = Receiver(interval: 15, restingInterval: 300, sigma: 7, accuracy: 12)
  /// A phone that saves power: every minute, from the networks around.
  public static let lowPower = Receiver(
    interval: 60, restingInterval: 600, sigma: 22, correlation: 300, accuracy: 35,
    reportsSpeed: false)
  /// A phone that reports significant changes of place alone.
  public static let significant = Receiver(
    interval: 60, restingInterval: 900, sigma: 25, correlation: 400, accuracy: 40,
    reportsSpeed: false,
    significantMeters: 300)
  /// A position every half a minute, and nothing else.
  public static let bare = Receiver(interval: 30, sigma: 8, accuracy: nil, reportsSpeed: false)
  /// A feed that repeats and reorders what it sends.
  public static let untidy = Receiver(interval: 10, duplicates: 0.2, overtaken: 0.15)
}
