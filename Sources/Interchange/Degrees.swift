/// Writes numbers for formats that know no exponents, as `xsd:decimal` in GPX.
public enum PlainNumber {
  /// Returns a number rounded to so many decimals, without zeros at the end and without an
  /// exponent.
  ///
  /// The text has at most 18 digits. A number that needs more becomes the nearest one that fits;
  /// an infinite one becomes the largest, and NaN becomes 0.
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

/// Writes degrees of latitude and longitude for other programs: with at most seven decimals, about
/// a centimetre, and never with an exponent.
public enum Degrees {
  /// How many decimals are written.
  public static let decimals = 7

  /// Returns a number of degrees in the nearest ten-millionth, without zeros at the end.
  public static func text(_ degrees: Double) -> String {
    PlainNumber.text(degrees, decimals: decimals)
  }
}

extension JSONWriter {
  /// Writes a member that is a number of degrees, as ``Degrees`` writes it; `nil` leaves the member
  /// out.
  public mutating func member(_ key: String, degrees: Double?) {
    guard let degrees else { return }
    self.key(key)
    number(degrees: degrees)
  }

  /// Writes a number of degrees, as ``Degrees`` writes it; one that is not finite as `null`.
  public mutating func number(degrees: Double) {
    guard degrees.isFinite else { return null() }
    writeDigits(Degrees.text(degrees))
  }
}
