/// A formatter of numbers for formats without exponents, such as `xsd:decimal` in GPX.
public enum PlainNumber {
  /// Returns a number rounded to a number of decimals, without trailing zeros and without an
  /// exponent.
  ///
  /// The text has at most 18 digits. A number that needs more is clamped, an infinite number
  /// becomes the largest number that fits, and NaN becomes 0.
  ///
  /// - Precondition: `decimals` is 0–9.
  public static func text(_ number: Double, decimals: Int) -> String {
    precondition((0...9).contains(decimals))
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let largest = 9e17 / Double(scale)
    let bounded = number.isNaN ? 0 : min(max(number, -largest), largest)
    let steps = Int(saturating: (abs(bounded) * Double(scale)).rounded())
    let (whole, fraction) = steps.quotientAndRemainder(dividingBy: scale)
    let sign = bounded < 0 && steps > 0 ? "-" : ""
    guard fraction > 0 else { return "\(sign)\(whole)" }
    let digits = String(fraction)
    let padded = String(repeating: "0", count: decimals - digits.utf8.count) + digits
    let end = padded.lastIndex { $0 != "0" } ?? padded.startIndex
    return "\(sign)\(whole).\(padded[...end])"
  }
}

extension Int {
  /// The number with commas between its groups of three digits, for example `40,505`.
  package var grouped: String {
    let digits = String(magnitude)
    var text = self < 0 ? "-" : ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }
}

/// A formatter of degrees of latitude and longitude for other programs.
///
/// The text has at most seven decimals, about a centimetre, and never an exponent.
public enum Degrees {
  /// The maximum number of decimals.
  public static let decimals = 7

  /// Returns an angle in degrees, rounded to seven decimals, without trailing zeros.
  public static func text(_ degrees: Double) -> String {
    PlainNumber.text(degrees, decimals: decimals)
  }
}

extension JSONWriter {
  /// Writes a member whose value is an angle formatted by ``Degrees``; `nil` omits the member.
  public mutating func member(_ key: String, degrees: Double?) {
    guard let degrees else { return }
    self.key(key)
    number(degrees: degrees)
  }

  /// Writes an angle formatted by ``Degrees``; `null` if it is not finite.
  public mutating func number(degrees: Double) {
    guard degrees.isFinite else { return null() }
    writeDigits(Degrees.text(degrees))
  }
}
