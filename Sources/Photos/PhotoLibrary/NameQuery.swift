package import CivilTime
import Towns

/// A text typed to find a place, an album or a town, and the days that it may name too, as in
/// `Barcelona in 2013`.
package struct NameQuery: Sendable {
  /// How well a name answers a query, the best first.
  package enum Match: Int, Comparable, Sendable {
    /// The text is the whole name.
    case whole
    /// The name begins with the text.
    case beginning
    /// Each word of the text begins a word of the name.
    case words

    package static func < (left: Match, right: Match) -> Bool { left.rawValue < right.rawValue }
  }

  /// The text without the days, and without a preposition before them; empty if it is only days.
  package let name: String
  /// The days that the text names at its end or start; `nil` if it names none.
  package let taken: CivilPeriod?
  private let text: String
  private let folded: [UInt8]
  private let words: [ArraySlice<UInt8>]

  /// Words between a name and a date.
  private static let prepositions: Set<String> = [
    "in", "im", "of", "from", "en", "de", "del", "em", "do", "da", "à", "au", "di", "nel",
  ]
  private static let space = UInt8(ascii: " ")

  /// Reads a text.
  package init(_ text: String) {
    var words = text.split { $0.isWhitespace }
    var taken: CivilPeriod?
    if let last = words.last, let period = CivilPeriod(last) {
      taken = period
      words.removeLast()
      if words.count > 1, Self.prepositions.contains(words[words.count - 1].lowercased()) {
        words.removeLast()
      }
    } else if words.count > 1, let first = words.first, let period = CivilPeriod(first) {
      taken = period
      words.removeFirst()
    }
    self.text = text.lowercased()
    self.taken = taken
    name = words.joined(separator: " ")
    folded = Gazetteer.folded(text)
    self.words = folded.split(separator: Self.space)
  }

  /// Returns how well a name answers the whole text; `nil` if it does not. Accents, case and
  /// punctuation are ignored.
  package func match(_ name: String) -> Match? {
    if name.lowercased() == text { return .whole }
    guard !words.isEmpty else { return nil }
    let other = Gazetteer.folded(name.replacing("_", with: " "))
    if other == folded { return .whole }
    if other.starts(with: folded) { return .beginning }
    let parts = other.split(separator: Self.space)
    let areAll = words.allSatisfy { word in parts.contains { $0.starts(with: word) } }
    return areAll ? .words : nil
  }
}
