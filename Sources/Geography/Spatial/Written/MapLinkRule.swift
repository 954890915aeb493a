/// A part of a map's link that may contain a position.
struct MapLinkRule: Sendable {
  enum Kind: Sendable {
    /// The place that the link names.
    case place
    /// The end of a route.
    case end
    /// The middle of the map.
    case middle
  }

  let kind: Kind
  var isLongitudeFirst = false
  /// The text of a route whose end is not given.
  static let noEnd = "→"
  /// The text of a position in a grid of its own country.
  static let otherGrid = "#"

  /// Returns the texts that may be positions, the decisive one first.
  let texts: @Sendable (MapLink) -> [String]

  static func place(_ names: String...) -> MapLinkRule { parameters(.place, names) }
  static func end(_ names: String...) -> MapLinkRule { parameters(.end, names) }
  static func middle(_ names: String...) -> MapLinkRule { parameters(.middle, names) }

  /// The same parts with the longitude first.
  var longitudeFirst: MapLinkRule {
    MapLinkRule(kind: kind, isLongitudeFirst: true, texts: texts)
  }

  private static func parameters(_ kind: Kind, _ names: [String]) -> MapLinkRule {
    MapLinkRule(kind: kind) { link in
      names.compactMap { link.value($0).map { $0.replacing("~", with: ",") } }
    }
  }

  /// A latitude and a longitude in two parameters.
  static func two(_ kind: Kind, _ latitude: String, _ longitude: String) -> MapLinkRule {
    MapLinkRule(kind: kind) { link in
      guard let latitude = link.value(latitude), let longitude = link.value(longitude) else {
        return []
      }
      return ["\(latitude); \(longitude)"]
    }
  }

  /// The last of the points of a route in one parameter.
  static func last(_ names: String..., separator: Character) -> MapLinkRule {
    MapLinkRule(kind: .end) { link in
      names.compactMap { name in
        guard
          let points = link.value(name)?.split(
            separator: separator, omittingEmptySubsequences: false), let end = points.last
        else { return nil }
        return points.count > 1 && !end.isEmpty ? String(end) : noEnd
      }
    }
  }

  /// The last of the points of a route in a parameter that is repeated.
  static func lastValue(_ name: String) -> MapLinkRule {
    MapLinkRule(kind: .end) { link in
      let points = link.values(name)
      return points.count > 1 ? points.suffix(1) : points.isEmpty ? [] : [noEnd]
    }
  }

  /// The start of a route, for links without its end.
  static func start(_ names: String...) -> MapLinkRule {
    MapLinkRule(kind: .end) { link in
      names.contains { link.value($0)?.isEmpty == false } ? [noEnd] : []
    }
  }

  /// A latitude and a longitude in two consecutive parts of the path, or in one.
  static let decimals = MapLinkRule(kind: .place) { link in
    let segments = link.segments.map { $0.drop { $0 == "@" } }
    func isDecimal(_ text: Substring) -> Bool {
      text.contains(".") && AngleNotation.decimal(text) != nil
    }
    let pairs = zip(segments, segments.dropFirst()).filter { isDecimal($0) && isDecimal($1) }
    let single = segments.filter { segment in
      let numbers = segment.split(separator: ",").prefix(2)
      return numbers.count == 2 && numbers.allSatisfy(isDecimal)
    }
    return pairs.map { "\($0), \($1)" } + single.map { firstTwo(String($0)) }
  }

  /// The part of the path after one with a given name.
  static func path(_ kind: Kind, after names: String...) -> MapLinkRule {
    MapLinkRule(kind: kind) { link in
      let segments = link.segments
      guard let index = segments.firstIndex(where: names.contains), index + 1 < segments.count
      else { return [] }
      return [segments[index + 1]]
    }
  }

  /// `@48.8584,2.2945,17z` in the path.
  static let atSign = MapLinkRule(kind: .middle) { link in
    link.segments.filter { $0.hasPrefix("@") }.map(firstTwo)
  }

  /// `map=17/48.8584/2.2945` in the fragment, or the same without `map=`.
  static let fragment = MapLinkRule(kind: .middle) { fragment($0, "map=", isRequired: false) }

  /// `marker=17/48.8584/2.2945` in the fragment.
  static let fragmentMarker = MapLinkRule(kind: .place) {
    fragment($0, "marker=", isRequired: true)
  }

  private static func fragment(_ link: MapLink, _ name: String, isRequired: Bool) -> [String] {
    let parts = link.fragment.split { $0 == "&" || $0 == "?" }
    let named = parts.first { $0.hasPrefix(name) }?.dropFirst(name.count)
    guard let map = named ?? (isRequired ? nil : parts.first) else { return [] }
    let numbers = map.split(separator: "/")
    return numbers.count >= 3 ? ["\(numbers[1]), \(numbers[2])"] : []
  }

  /// A part that names an object by its number.
  static func object(_ names: String...) -> MapLinkRule {
    MapLinkRule(kind: .place) { link in
      // `/note/new` is a form, and its position is in the query.
      let isNew = link.segments.contains("new")
      return link.segments.contains(where: names.contains) && !isNew ? ["object"] : []
    }
  }

  /// Returns the first two of the numbers in a text such as `@48.8584,2.2945,17z`.
  static func firstTwo(_ text: String) -> String {
    text.drop { $0 == "@" }.split(separator: ",").prefix(2).joined(separator: ",")
  }
}
