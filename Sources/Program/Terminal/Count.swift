import Encodings

/// Counts for display.
package enum Count {
  /// Returns a number with a comma as thousands separator, for example `40,505`.
  package static func text(_ count: Int) -> String { count.grouped }

  /// Returns a number with what it counts, for example `1 photo` or `40,505 photos`.
  ///
  /// - Parameters:
  ///   - count: The number.
  ///   - noun: The noun in the singular, whose plural has an `s` more.
  /// - Returns: The number and the noun.
  package static func text(_ count: Int, _ noun: String) -> String {
    "\(text(count)) \(noun)\(count == 1 ? "" : "s")"
  }
}
