public import SystemPackage

/// What happens to a source that is opened again when it breaks.
public enum FeedEvent: Hashable, Sendable, CustomStringConvertible {
  /// The source cannot be opened, or broke; told once until it is open again, and where the reason
  /// changes.
  case lost(FeedOutage)
  /// The source is open again.
  case regained
  /// No report has come for so long.
  case silent(Duration)
  /// The first report has come after the source was silent for so long in all.
  case heardAgain(after: Duration)

  /// What happened, in words that follow the name of the source.
  public var description: String {
    switch self {
    case .lost(let outage): "\(outage); trying again until it goes"
    case .regained: "connected again"
    case .silent(let time):
      "no report for \(time.components.seconds) s; is the receiver connected and switched on?"
    case .heardAgain(let time): "reports again after \(time.components.seconds) s"
    }
  }
}

/// Why a source is not open.
public enum FeedOutage: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the host cannot be resolved; with what the system says.
  case unknownHost(String)
  /// The host cannot be reached.
  case unreachable(Errno)
  /// Opening took too long.
  case noConnection
  /// The other side ended it.
  case closed
  /// A device cannot be opened.
  case noDevice(Errno)
  /// What is opened is no serial device.
  case notSerial
  /// Reading failed.
  case broken(Errno)
  /// What answers does not speak the protocol.
  case notGPSD
  /// gpsd refuses to report, as it does where it does not have the device that is asked for.
  case refusedByGPSD
  /// What answers is no MQTT broker.
  case notBroker
  /// The broker lets the user not in, or not use the topic.
  case refusedByBroker

  /// What is wrong, and what may be done about it.
  public var description: String {
    switch self {
    case .unknownHost(let reason): "the host's name cannot be resolved (\(reason)); is it right?"
    case .unreachable(let cause): "no connection (\(cause)); are host and port right?"
    case .noConnection: "no answer from the host; are host and port right?"
    case .closed: "the connection ended"
    case .noDevice(.permissionDenied):
      "the device must not be read by this user; add the user to its group, often dialout"
    case .noDevice(let cause): "the device cannot be opened (\(cause)); is it plugged in?"
    case .notSerial: "this is no serial device; leave ?baud= out"
    case .broken(let cause): "the connection broke (\(cause))"
    case .notGPSD: "what answers there is not gpsd; is the port right?"
    case .notBroker: "what answers there is no MQTT broker; is the port right?"
    case .refusedByBroker:
      "the broker refuses; are user and password right, and may the user use the topic?"
    case .refusedByGPSD: "gpsd refuses to report; does it have the device that the address names?"
    }
  }
}
