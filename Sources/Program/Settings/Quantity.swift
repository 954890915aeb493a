import Spatial

/// The parsing of numbers with units.
package enum Quantity {
  /// Parses a length in metres, for example `100`, `100 m`, `1.5km`, `500 feet` or `2mi`.
  package static func meters(_ text: String) -> Double? { number(text, lengths) }

  /// Parses a duration in seconds, for example `90`, `90 s`, `15min`, `24 hours`, `7d` or `1y`, or
  /// the sum of several, each with a smaller unit than the one before it: `1h 30min`.
  ///
  /// A month has no fixed length, so it is not a unit, and `m` is a minute.
  package static func seconds(_ text: String) -> Double? { number(text, durations, isSum: true) }

  /// Parses a speed in kilometres per hour, for example `30`, `30 km/h` or `20 mph`.
  static func kilometersPerHour(_ text: String) -> Double? { number(text, speeds) }

  private static let lengths = units(
    (1, " m meter meters metre metres"), (1000, "km kilometer kilometers kilometre kilometres"),
    (LengthUnits.metersPerFoot, "ft foot feet"),
    (3 * LengthUnits.metersPerFoot, "yd yard yards"),
    (LengthUnits.metersPerMile, "mi mile miles"))

  private static let durations = units(
    (1, " s sec secs second seconds"), (60, "m min mins minute minutes"),
    (3600, "h hr hrs hour hours"), (86_400, "d day days"), (604_800, "w week weeks"),
    (31_557_600, "y yr yrs year years"))

  private static let speeds = units(
    (1, " km/h kmh kph"), (LengthUnits.metersPerMile / 1000, "mph mi/h"), (3.6, "m/s"),
    (1.852, "kn kt knot knots"))

  /// Returns the factor of each name of a unit; the empty name is that of a number alone.
  private static func units(_ units: (Double, String)...) -> [Substring: Double] {
    var factors: [Substring: Double] = [:]
    for (factor, names) in units {
      for name in names.split(separator: " ", omittingEmptySubsequences: false) {
        factors[name] = factor
      }
    }
    return factors
  }

  /// Parses a number with a unit.
  ///
  /// - Parameters:
  ///   - text: The text; spaces and case do not matter.
  ///   - units: The factors of the units.
  ///   - isSum: Whether several numbers are added, each with a smaller unit than the one before.
  /// - Returns: The number times the factor; `nil` if the text is neither.
  private static func number(
    _ text: String, _ units: [Substring: Double], isSum: Bool = false
  ) -> Double? {
    var rest = text.filter { !$0.isWhitespace }.lowercased()[...]
    var sum: Double?
    var last = Double.infinity
    repeat {
      let digits = rest.prefix(while: isOfNumber)
      rest.removeFirst(digits.count)
      let name = rest.prefix { !isOfNumber($0) }
      rest.removeFirst(name.count)
      guard let factor = units[name], let value = Double(digits), value.isFinite else { return nil }
      // Several numbers all have units, and no sign.
      let isPart = sum != nil || !rest.isEmpty
      guard !isPart || isSum && !name.isEmpty && value >= 0 && factor < last else { return nil }
      sum = (sum ?? 0) + value * factor
      last = factor
    } while !rest.isEmpty
    return sum
  }

  private static func isOfNumber(_ character: Character) -> Bool {
    character.isNumber || "+-.".contains(character)
  }
}
