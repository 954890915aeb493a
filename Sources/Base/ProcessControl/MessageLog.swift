/// The messages of work that runs for long or in the background. The program decides where they go.
package struct MessageLog: Sendable {
  /// The importance of a message.
  package enum Level: Sendable {
    /// An error, or a loss that a person may want to mend.
    case problem
    /// Something that a person may want to know.
    case note
    /// Something of interest for finding an error.
    case detail
  }

  private let write: @Sendable (Level, String) -> Void

  /// Creates a log.
  ///
  /// - Parameter write: Receives each message, on any thread. A message may contain text from
  ///   outside, such as names of files.
  package init(_ write: @escaping @Sendable (_ level: Level, _ text: String) -> Void) {
    self.write = write
  }

  /// A log that drops all messages.
  package static let none = MessageLog { _, _ in }

  /// Reports a problem.
  package func problem(_ text: String) { write(.problem, text) }

  /// Reports an event.
  package func note(_ text: String) { write(.note, text) }

  /// Reports a detail.
  package func detail(_ text: String) { write(.detail, text) }
}
