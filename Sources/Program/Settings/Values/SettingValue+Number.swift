extension SettingValue {
  /// Parses a length in metres, for example `100 m` or `1.5 km`.
  package init(meters written: WrittenValue, in range: ClosedRange<Double>) throws(SettingsError) {
    let number = try Self.checked(Quantity.meters(written.folded), range, "m", written)
    self = .number(number, unit: "m")
  }

  /// Parses a duration in seconds, for example `90 s`, `15 min` or `7 d`.
  package init(seconds written: WrittenValue, in range: ClosedRange<Double>) throws(SettingsError) {
    let number = try Self.checked(Quantity.seconds(written.folded), range, "s", written)
    self = .number(number, unit: "s")
  }

  /// Parses a speed in kilometres per hour, or `off`.
  package init(
    kilometersPerHour written: WrittenValue, in range: ClosedRange<Double>
  ) throws(SettingsError) {
    guard written.folded != "off" else {
      self = .off
      return
    }
    let number = try Self.checked(
      Quantity.kilometersPerHour(written.folded), range, "km/h", written)
    self = .number(number, unit: "km/h")
  }

  /// Parses a maximum count, or `off`.
  package init(budget written: WrittenValue, in range: ClosedRange<Double>) throws(SettingsError) {
    guard written.folded != "off" else {
      self = .off
      return
    }
    guard let budget = Double(written.folded).flatMap(Int.init(exactly:)),
      range.contains(Double(budget))
    else {
      throw written.invalidValue(
        expected:
          "a whole number of \(Self.text(range.lowerBound, "")) to "
          + "\(Self.text(range.upperBound, "")), or off")
    }
    self = .number(Double(budget), unit: "")
  }

  /// Parses a number without a unit.
  package init(count written: WrittenValue, in range: ClosedRange<Double>) throws(SettingsError) {
    guard let number = Double(written.folded), number == number.rounded(), range.contains(number)
    else {
      throw written.invalidValue(
        expected:
          "a whole number of \(Self.text(range.lowerBound, "")) to "
          + Self.text(range.upperBound, ""))
    }
    self = .number(number, unit: "")
  }

  private static func checked(
    _ number: Double?, _ range: ClosedRange<Double>, _ unit: String, _ written: WrittenValue
  ) throws(SettingsError) -> Double {
    guard let number, range.contains(number) else {
      throw written.invalidValue(
        expected:
          "\(text(range.lowerBound, unit)) to \(text(range.upperBound, unit))"
          + (unit == "km/h" ? ", or off" : "") + (number == nil ? ", \(notation(unit))" : ""))
    }
    return number
  }

  /// Returns the notation of quantities, for a text that is not understood at all.
  private static func notation(_ unit: String) -> String {
    switch unit {
    case "s": "written like 90s, 15min, 1h30min, 7d, 2w or 1y"
    case "km/h": "written like 25, 25 km/h or 15 mph"
    default: "written like 100, 100m, 1.5km, 500ft or 2mi"
    }
  }

  /// Returns a number with its unit. Durations use the largest unit that gives a whole number.
  package static func text(_ number: Double, _ unit: String) -> String {
    var (number, unit) = (number, unit)
    if unit == "s", number > 0 {
      for (seconds, name) in [(31_557_600.0, "y"), (86_400, "d"), (3600, "h"), (60, "min")]
      where number.truncatingRemainder(dividingBy: seconds) == 0 {
        (number, unit) = (number / seconds, name)
        break
      }
    }
    let digits = number == number.rounded() ? String(Int(saturating: number)) : String(number)
    return unit.isEmpty ? digits : "\(digits) \(unit)"
  }
}
