/// A failure that is described completely by its message.
package struct MessageError: Error, CustomStringConvertible {
  /// The failure, and what to do about it.
  package let description: String

  /// Creates a failure.
  package init(_ description: String) { self.description = description }
}
