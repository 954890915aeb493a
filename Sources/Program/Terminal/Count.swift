import Encodings

/// Counts for display.
package enum Count {
  /// Returns a number with a comma as thousands separator, for example `40,505`.
  package static func text(_ count: Int) -> String { count.grouped }
}
