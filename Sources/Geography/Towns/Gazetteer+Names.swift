import CLibrary
public import Spatial

/// Finds towns by their names.
extension Gazetteer {
  /// Returns a text as names are compared: without accents, case and punctuation, with single
  /// spaces, in UTF-8.
  package static func folded(_ text: some StringProtocol) -> [UInt8] {
    FoldedName.bytes(of: text, .ofProgram)
  }

  /// A town whose name was asked for.
  public struct Match: Hashable, Sendable {
    /// The number of the town.
    public let town: Int
    /// Whether the text is the whole name, in any language, and not the beginning of a word of it.
    public let isExact: Bool
    /// The number of inhabitants, multiplied by how much the name is the town's own and the town
    /// is near.
    let weight: Double
  }

  /// Returns the towns whose name in any language is a text, and those whose name, or any word of
  /// it, begins with the text, the most likely first. Accents, case and punctuation are ignored.
  ///
  /// Whole names come before beginnings, and larger towns before smaller ones. A town's own name
  /// counts as much as another town's name in another language if that one has 32 times the
  /// inhabitants, or 8 times if its own name differs from the text in one letter. So `Bienne` is in
  /// Switzerland although Vienna has this name too, and `Odessa` in Ukraine (whose name is Odesa),
  /// not in Texas. A town near a position counts as if it had more inhabitants, up to ten times.
  ///
  /// - Parameters:
  ///   - text: The name or its beginning.
  ///   - center: A position near which towns are preferred; `nil` for none.
  /// - Returns: The towns, the most likely first.
  /// - Complexity: O(*n*), where *n* is the length of all names; the first search also folds them.
  public func matches(_ text: String, near center: Coordinate? = nil) -> [Match] {
    let asked = FoldedName.bytes(of: text, data)
    guard !asked.isEmpty else { return [] }
    let names = FoldedNames.ofProgram
    let others = Set(OtherNames.ofProgram.towns(called: asked))
    let begun = Set(names.towns(withWordsBeginning: asked))
    let matches = begun.union(others).map { town in
      let name = names[town]
      let isOther = name != asked && others.contains(town)
      // Of a name such as Biel/Bienne, each half is a name of its own.
      let isOwn = !isOther || begun.contains(town)
      let isSimilar = isOther && asked.count > 4 && !Self.differ(name, asked)
      let factor =
        isOwn ? Self.ownWeight : isSimilar ? Self.ownWeight / Self.similarRatio : 1
      return Match(
        town: town, isExact: isOther || name == asked,
        weight: Double(max(1, data.population(town))) * factor * nearness(of: town, to: center))
    }
    return matches.sorted {
      ($0.isExact ? 0 : 1, -$0.weight, $0.town) < ($1.isExact ? 0 : 1, -$1.weight, $1.town)
    }
  }

  /// Returns a factor between 1, far away, and 10 at the position.
  private func nearness(of town: Int, to center: Coordinate?) -> Double {
    guard let center else { return 1 }
    return 1 + 9 * exp(-center.distance(to: coordinate(of: town, data)) / Self.nearMeters)
  }

  private static let nearMeters = 200_000.0
  private static let ownWeight = 32.0
  private static let similarRatio = 8.0

  /// Returns the towns that a text names, the most likely first: `Paris`, `Wien`, or `Paris,
  /// France` with the name of the country or its code. If the first is ten times as likely as the
  /// next, it is the only one.
  ///
  /// - Complexity: O(*n*), where *n* is the number of all towns.
  public func towns(called text: String) -> [Town] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard let name = parts.first else { return [] }
    let country = parts.count > 1 ? parts.last.map { FoldedName.bytes(of: $0, data) } : nil
    let found = matches(name).prefix { $0.isExact }.map { ($0, self[$0.town]) }
      .filter { _, town in
        country == nil
          || [town.country, town.countryCode].contains {
            FoldedName.bytes(of: $0, data) == country
          }
      }
    if found.count > 1, found[0].0.weight >= 10 * found[1].0.weight { return [found[0].1] }
    return found.map(\.1)
  }

  /// Returns whether two names differ in more than one letter, which one has more or instead of
  /// another.
  private static func differ(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    let head = zip(one, other).prefix { $0 == $1 }.count
    let (one, other) = (one.dropFirst(head), other.dropFirst(head))
    let tail = zip(one.reversed(), other.reversed()).prefix { $0 == $1 }.count
    return max(one.count, other.count) - tail > 1
  }
}
