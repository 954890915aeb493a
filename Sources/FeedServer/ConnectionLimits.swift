/// Limits of the connections of a server: how many there may be, and how long each may take.
package struct ConnectionLimits: Sendable {
  /// The maximum number of connections, at least 3. It is lower if the process may open few files.
  package var connections: Int
  /// The number of connections below which the user is told that the process may open too few
  /// files.
  package var expectedConnections: Int
  /// The maximum number of connections of one address that have not shown a token or key.
  package var strangersOfAddress: Int
  /// The time during which such a connection does not lose its place to a new one.
  package var courtesyNanoseconds: UInt64
  /// The seconds within which such a connection must have brought a request, and have its answer.
  package var admissionSeconds: Int64
  /// The seconds within which an admitted request must be complete, and the next one must follow.
  package var requestSeconds: Int64
  /// The seconds within which a client must take a part of an answer.
  package var writeSeconds: Int64
  /// The number of descriptors that are left to the rest of the program.
  package var reservedDescriptors: Int
  /// The pause of accepting connections after the descriptors have run out.
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
