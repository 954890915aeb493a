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
    case .lost(let outage): "\(outage); trying again until it works"
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
    case .unknownHost(let reason): "the host name cannot be resolved (\(reason)); check the name"
    case .unreachable(let cause): "no connection (\(cause)); check host and port"
    case .noConnection: "no answer from the host; check host and port"
    case .closed: "the connection ended"
    case .noDevice(.permissionDenied):
      "permission to read the device is denied; add the user to its group, often dialout"
    case .noDevice(let cause): "the device cannot be opened (\(cause)); is it plugged in?"
    case .notSerial: "this is not a serial device; remove ?baud="
    case .broken(let cause): "the connection broke (\(cause))"
    case .notGPSD: "the server is not gpsd; check the port"
    case .notBroker: "the server is not an MQTT broker; check the port"
    case .refusedByBroker:
      "the broker refuses the connection; check user, password and access to the topic"
    case .refusedByGPSD: "gpsd refuses to report; check that it has the device in the address"
    }
  }
}
