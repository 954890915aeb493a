/// Limits of a server's connections: their number, and the time that each may take.
package struct ConnectionLimits: Sendable {
  /// The maximum number of connections, at least 3. It is reduced if the process may open only a
  /// few files.
  package var connections: Int
  /// The number of connections below which the user is warned about a low limit of open files.
  package var expectedConnections: Int
  /// The maximum number of connections from one address that have not presented a token or key.
  package var strangersOfAddress: Int
  /// The time during which such a connection cannot lose its place to a new one.
  package var courtesyNanoseconds: UInt64
  /// The seconds within which such a connection must have sent a request and received its answer.
  package var admissionSeconds: Int64
  /// The seconds within which an admitted request must be complete, and within which the next one
  /// must follow.
  package var requestSeconds: Int64
  /// The seconds within which a client must read a part of an answer.
  package var writeSeconds: Int64
  /// The number of descriptors reserved for the rest of the program.
  package var reservedDescriptors: Int
  /// The pause in accepting connections after the system has run out of descriptors.
  package var acceptPauseMilliseconds: Int64

  /// Creates the limits of a server for a few phones.
  package init() {
    connections = 64
    expectedConnections = 64
    strangersOfAddress = 16
    courtesyNanoseconds = 1_000_000_000
    admissionSeconds = 5
    requestSeconds = 60
    writeSeconds = 60
    reservedDescriptors = 32
    acceptPauseMilliseconds = 1000
  }
}
