import Encodings
import PhotoLibrary

/// References to spots by their ids or unique prefixes of them.
enum SpotReference {
  /// The minimum length of a prefix.
  private static let minimumLength = 4

  /// Returns the id of the spot in an index that a text refers to; see ``id(_:among:advice:)``.
  static func id(_ text: String, in spots: SpotIndex, advice: String) throws -> String {
    // The error message lists at most four.
    let ids = spots.spots(withIDStarting: text.lowercased(), limit: 5).map(\.id)
    return try id(text, among: ids, advice: advice)
  }

  /// Returns the id that a text refers to.
  ///
  /// - Parameters:
  ///   - text: An id or a prefix of one, in either case.
  ///   - ids: The ids to choose from.
  ///   - missing: The beginning of the error message for an unknown id.
  ///   - advice: The end of the error message for an unknown id, such as
  ///     `'photospots spots' lists them`.
  /// - Returns: The id that equals the text, or the only id that begins with it.
  /// - Throws: A `MessageError` if no id or several ids match.
  static func id(
    _ text: String, among ids: [String], missing: String = "there is no such spot", advice: String
  ) throws -> String {
    if ids.contains(text) { return text }
    let start = text.lowercased()
    let matches =
      start.utf8.count < minimumLength
      ? ids.filter { $0 == start } : ids.filter { $0.hasPrefix(start) }
    guard let match = matches.first else {
      let short =
        start.utf8.count < minimumLength
        ? "; write at least \(minimumLength) characters" : ""
      throw MessageError("\(missing): '\(text.escaped)'\(short); \(advice)")
    }
    guard Set(matches).count == 1 else {
      let some = matches.prefix(4).map(\.escaped).joined(separator: ", ")
      throw MessageError(
        "'\(text.escaped)' is the beginning of several ids: \(some)\(matches.count > 4 ? ", …" : "")"
      )
    }
    return match
  }
}
