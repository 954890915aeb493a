public import SystemPackage

/// An event of a source that is reopened after failures.
public enum FeedEvent: Hashable, Sendable, CustomStringConvertible {
  /// The source cannot be opened, or broke. Reported once until it is open again, and once more
  /// whenever the reason changes.
  case lost(FeedOutage)
  /// The source is open again.
  case regained
  /// No report has arrived for the given time.
  case silent(Duration)
  /// The first report arrived after a silence of the given length.
  case heardAgain(after: Duration)

  /// The event, worded to follow the name of the source.
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

/// The reason why a source is not open.
public enum FeedOutage: Error, Hashable, Sendable, CustomStringConvertible {
  /// The host name cannot be resolved; the value is the system's message.
  case unknownHost(String)
  /// The host cannot be reached.
  case unreachable(Errno)
  /// Opening timed out.
  case noConnection
  /// The other side closed the connection.
  case closed
  /// A device cannot be opened.
  case noDevice(Errno)
  /// The opened file is not a serial device.
  case notSerial
  /// Reading failed.
  case broken(Errno)
  /// The server does not speak gpsd's protocol.
  case notGPSD
  /// gpsd refuses to report, as it does if it does not have the requested device.
  case refusedByGPSD
  /// The server is not an MQTT broker.
  case notBroker
  /// The broker rejects the user, or does not let the user access the topic.
  case refusedByBroker

  /// The reason, with a hint about how to correct it.
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
