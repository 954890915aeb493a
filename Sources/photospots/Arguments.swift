import ArgumentParser
import Spatial

/// A length on the command line: `100`, `100m`, `1.5km`.
struct MetersArgument: ExpressibleByArgument {
  let meters: Double

  init?(argument: String) {
    guard let meters = Quantity.meters(argument) else { return nil }
    self.meters = meters
  }
}

/// A span of time on the command line: `90s`, `15min`, `24h`, `7d`.
struct SecondsArgument: ExpressibleByArgument {
  let seconds: Double

  init?(argument: String) {
    guard let seconds = Quantity.seconds(argument) else { return nil }
    self.seconds = seconds
  }
}

/// A box on the command line: `S,W,N,E` in degrees.
struct BoxArgument: ExpressibleByArgument {
  let box: BoundingBox

  init?(argument: String) {
    let edges = argument.split(separator: ",", omittingEmptySubsequences: false)
      .map { Double($0.filter { !$0.isWhitespace }) }
    guard edges.count == 4, let south = edges[0], let west = edges[1], let north = edges[2],
      let east = edges[3],
      let box = BoundingBox(south: south, west: west, north: north, east: east)
    else { return nil }
    self.box = box
  }
}

/// A position on the command line, in one argument or two.
enum PositionArgument {
  /// Reads `48.8584 2.2945`, `48.8584,2.2945` or `48°51'30"N 2°17'40"E`.
  static func coordinate(_ arguments: [String]) throws -> Coordinate {
    let text = arguments.joined(separator: " ")
    guard let (latitude, longitude) = numbers(text) else {
      throw ValidationError(
        """
        '\(text)' is no position. Write it in degrees, latitude first: near 48.8584 2.2945, or \
        near 48°51'30"N 2°17'40"E
        """)
    }
    guard (-90...90).contains(latitude) else {
      throw ValidationError("the latitude \(latitude) is out of range −90 to 90; it comes first")
    }
    guard (-180...180).contains(longitude),
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { throw ValidationError("the longitude \(longitude) is out of range −180 to 180") }
    return coordinate
  }

  private static func numbers(_ text: String) -> (latitude: Double, longitude: Double)? {
    guard var scanner = AngleScanner(text) else { return nil }
    guard let first = scanner.next(), let second = scanner.next(), scanner.isAtEnd else {
      return nil
    }
    switch (first.axis, second.axis) {
    case (.longitude, .latitude), (.longitude, nil), (nil, .latitude):
      return (second.degrees, first.degrees)
    case (.latitude, .latitude), (.longitude, .longitude): return nil
    default: return (first.degrees, second.degrees)
    }
  }
}

/// Reads angles from left to right: a number of degrees, or degrees, minutes and seconds with their signs,
/// and perhaps a letter for the hemisphere before or behind.
private struct AngleScanner {
  enum Axis {
    case latitude, longitude
  }

  private enum Token: Equatable {
    case number(Double)
    case unit(Int)
    case hemisphere(Character)
    case separator
  }

  private var tokens: ArraySlice<Token>

  init?(_ text: String) {
    var tokens: [Token] = []
    var rest = text[...]
    while let character = rest.first {
      let digits = rest.prefix { $0.isASCII && $0.isNumber || "+-.".contains($0) }
      if !digits.isEmpty {
        guard let number = Double(digits) else { return nil }
        tokens.append(.number(number))
        rest = rest.dropFirst(digits.count)
        continue
      }
      switch character {
      case "°", "º": tokens.append(.unit(0))
      case "'", "′", "’": tokens.append(.unit(1))
      case "\"", "″", "”": tokens.append(.unit(2))
      case "N", "S", "E", "W", "n", "s", "e", "w":
        tokens.append(.hemisphere(Character(character.uppercased())))
      case ",", ";": tokens.append(.separator)
      case _ where character.isWhitespace: break
      default: return nil
      }
      rest = rest.dropFirst()
    }
    self.tokens = tokens[...]
  }

  var isAtEnd: Bool { tokens.isEmpty }

  mutating func next() -> (degrees: Double, axis: Axis?)? {
    var letter = takeHemisphere()
    guard case .number(let whole)? = tokens.popFirst(), whole.isFinite else { return nil }
    var degrees = abs(whole)
    if case .unit(0)? = tokens.first {
      tokens.removeFirst()
      for unit in 1...2 {
        guard case .number(let part)? = tokens.first, tokens.dropFirst().first == .unit(unit),
          (0..<60).contains(part)
        else { continue }
        degrees += part / (unit == 1 ? 60 : 3600)
        tokens.removeFirst(2)
      }
    }
    letter = letter ?? takeHemisphere()
    if tokens.first == .separator { tokens.removeFirst() }
    guard whole.sign == .plus || letter == nil else { return nil }
    let isNegative = whole.sign == .minus || letter == "S" || letter == "W"
    let axis: Axis? = letter.map { "NS".contains($0) ? .latitude : .longitude }
    return (isNegative ? -degrees : degrees, axis)
  }

  private mutating func takeHemisphere() -> Character? {
    guard case .hemisphere(let letter)? = tokens.first else { return nil }
    tokens.removeFirst()
    return letter
  }
}
