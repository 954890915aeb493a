/// Suggestions for misspelled names.
package enum Spelling {
  /// Returns the name most similar to a text: one that contains it, or that differs from it in at
  /// most a third of its characters. Case is ignored.
  ///
  /// - Parameters:
  ///   - text: The misspelled text.
  ///   - names: The valid names.
  /// - Returns: The nearest name, or the first of several equally near; `nil` if none is near.
  /// - Complexity: O(*n* · *m*): *n* is the length of the text, *m* the total length of all names.
  package static func nearest(to text: String, among names: some Sequence<String>) -> String? {
    let written = Array(text.lowercased())
    guard !written.isEmpty else { return nil }
    var nearest: (name: String, distance: Int)?
    for name in names {
      let folded = Array(name.lowercased())
      let isPart = written.count > 2 && name.lowercased().contains(text.lowercased())
      let distance = isPart ? 1 : distance(written, folded)
      guard distance <= max(1, max(written.count, folded.count) / 3) else { continue }
      if distance < nearest?.distance ?? .max { nearest = (name, distance) }
    }
    return nearest?.name
  }

  /// Returns the number of characters that are added, omitted, replaced or swapped with their
  /// neighbor (the optimal string alignment distance).
  package static func distance(_ first: [Character], _ second: [Character]) -> Int {
    var (before, last) = ([Int](), Array(0...second.count))
    for row in first.indices {
      var next = [row + 1]
      for column in second.indices {
        let isEqual = first[row] == second[column]
        var least = min(last[column + 1] + 1, next[column] + 1, last[column] + (isEqual ? 0 : 1))
        if row > 0, column > 0, first[row] == second[column - 1],
          first[row - 1] == second[column]
        {
          least = min(least, before[column - 1] + 1)
        }
        next.append(least)
      }
      (before, last) = (last, next)
    }
    return last[second.count]
  }
}
