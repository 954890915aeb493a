import PhotoLibrary

/// The naming of spots by their ids, which may be shortened where that is unique.
enum SpotReference {
  /// The fewest characters of an id that name a spot.
  private static let minimumLength = 4

  /// Looks up which spot of an index a text names; see ``id(_:among:advice:)``.
  static func id(_ text: String, in spots: SpotIndex, advice: String) throws -> String {
    // No more are told of.
    let ids = spots.spots(withIDStarting: text.lowercased(), limit: 5).map(\.id)
    return try id(text, among: ids, advice: advice)
  }

  /// Looks up what a text names.
  ///
  /// - Parameters:
  ///   - text: An id or its beginning, in either case.
  ///   - ids: The ids that there are.
  ///   - advice: What to say where there is none such: `'photospots spots' lists them`.
  /// - Returns: The id that is the text, or the only one that begins with it.
  /// - Throws: A ``Failure`` where it names none or several.
  static func id(_ text: String, among ids: [String], advice: String) throws -> String {
    if ids.contains(text) { return text }
    let start = text.lowercased()
    let matches =
      start.utf8.count < minimumLength
      ? ids.filter { $0 == start } : ids.filter { $0.hasPrefix(start) }
    guard let match = matches.first else {
      let short =
        start.utf8.count < minimumLength
        ? "; write at least \(minimumLength) characters" : ""
      throw Failure("there is no such spot: '\(text.escaped)'\(short); \(advice)")
    }
    guard Set(matches).count == 1 else {
      let some = matches.prefix(4).map(\.escaped).joined(separator: ", ")
      throw Failure(
        "'\(text.escaped)' is the beginning of several ids: \(some)\(matches.count > 4 ? ", …" : "")"
      )
    }
    return match
  }
}
