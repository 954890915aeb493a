/// Degrees in formats that know no exponents: xsd:decimal in GPX, coordinates in KML.
enum Degrees {
  /// A number of degrees with nine decimals, a tenth of a millimetre, without zeros at the end.
  static func text(_ degrees: Double) -> String {
    let billionths = Int64((abs(degrees) * 1e9).rounded())
    let (whole, fraction) = billionths.quotientAndRemainder(dividingBy: 1_000_000_000)
    let sign = degrees < 0 && billionths > 0 ? "-" : ""
    guard fraction > 0 else { return "\(sign)\(whole)" }
    let digits = String(fraction)
    let padded = String(repeating: "0", count: 9 - digits.utf8.count) + digits
    let end = padded.lastIndex { $0 != "0" } ?? padded.startIndex
    return "\(sign)\(whole).\(padded[...end])"
  }
}
