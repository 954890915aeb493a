/// Finds what somebody meant to write.
enum Spelling {
  /// The name that a text most resembles: one that holds it, or differs from it by at most a third
  /// of its characters, in whatever case.
  ///
  /// - Parameters:
  ///   - text: What was written.
  ///   - names: What could have been meant.
  /// - Returns: The nearest name, the first of equals; `nil` where none is near.
  /// - Complexity: O(*n* · *m*): *n* is the length of the text, *m* that of all names.
  static func nearest(to text: String, among names: some Sequence<String>) -> String? {
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

  /// How many characters are added, left out, replaced or swapped with their neighbour (the optimal
  /// string alignment distance).
  static func distance(_ first: [Character], _ second: [Character]) -> Int {
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
