/// A receiver with its reporting configuration: its errors under open sky, and the accuracy it
/// reports.
public struct Receiver: Sendable {
  /// Seconds between fixes.
  public var interval = 5.0
  /// Seconds between fixes after two minutes at rest; `nil` for the same interval.
  public var restingInterval: Double?
  /// The standard deviation of the position on each axis, in metres.
  public var sigma = 5.0
  /// The correlation time of the error in seconds: the time constant of a Gauss–Markov process.
  public var correlation = 60.0
  /// The accuracy that it reports under open sky, in metres; `nil` if it reports none.
  public var accuracy: Double? = 8
  /// Whether it reports its speed.
  public var reportsSpeed = true
  /// The minimum distance in metres from the last report; `nil` if it reports by time only.
  public var significantMeters: Double?
  /// The delay of a fix in seconds.
  public var latency = 1.0
  /// The proportion of fixes that arrive twice.
  public var duplicates = 0.0
  /// The proportion of fixes that arrive after the next one.
  public var overtaken = 0.0

  /// A phone used for navigation or recording.
  public static let phone = Receiver()
  /// A logger that writes every second.
  public static let logger = Receiver(interval: 1, sigma: 3, accuracy: 5)
  /// A phone recorded all day, every 15 s, and seldom at rest.
  public static let allDay = Receiver(interval: 15, restingInterval: 300, sigma: 7, accuracy: 12)
  /// A phone in power-saving mode, located by networks every minute.
  public static let lowPower = Receiver(
    interval: 60, restingInterval: 600, sigma: 22, correlation: 300, accuracy: 35,
    reportsSpeed: false)
  /// A phone that reports only significant changes of position.
  public static let significant = Receiver(
    interval: 60, restingInterval: 900, sigma: 25, correlation: 400, accuracy: 40,
    reportsSpeed: false,
    significantMeters: 300)
  /// A position every half minute, without accuracy and speed.
  public static let bare = Receiver(interval: 30, sigma: 8, accuracy: nil, reportsSpeed: false)
  /// A feed that repeats and reorders what it sends.
  public static let untidy = Receiver(interval: 10, duplicates: 0.2, overtaken: 0.15)
}
