import Encodings

/// Counts for display.
enum Count {
  /// Returns a number with a comma as thousands separator, for example `40,505`.
  static func text(_ count: Int) -> String { count.grouped }
}
