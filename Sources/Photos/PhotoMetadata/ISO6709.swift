/// A position in the notation of ISO 6709:2008, annex H: `+48.8584+002.2945+035.0/`,
/// `+4851.504+00217.67/`, `+485130.24+0021740.2/`.
struct ISO6709 {
  /// Degrees north; may be out of range.
  let latitude: Double
  /// Degrees east; may be out of range.
  let longitude: Double
  /// The altitude in metres.
  let altitude: Double?

  /// Parses a position; `nil` if the text is not one. Text after the altitude, such as the name of
  /// a reference system, is ignored.
  init?(_ text: String) {
    var rest = Array(text.utf8.prefix(256))[...]
    guard let latitude = Self.number(&rest, degreeDigits: 2),
      let longitude = Self.number(&rest, degreeDigits: 3)
    else { return nil }
    (self.latitude, self.longitude) = (latitude, longitude)
    altitude = Self.signedNumber(&rest).flatMap { sign, whole, fraction in
      Double(whole + "." + fraction).map { sign * $0 }
    }
  }

  /// Parses degrees, degrees and minutes, or degrees, minutes and seconds, distinguished by the
  /// number of digits before the point. Leading zeros of the degrees may be missing.
  private static func number(_ rest: inout ArraySlice<UInt8>, degreeDigits: Int) -> Double? {
    guard let (sign, whole, fraction) = signedNumber(&rest) else { return nil }
    let extra = whole.count - degreeDigits
    if extra <= 0 { return Double(whole + "." + fraction).map { sign * $0 } }
    guard extra == 2 || extra == 4, let degrees = Double(whole.prefix(degreeDigits)) else {
      return nil
    }
    let parts = whole.dropFirst(degreeDigits)
    let minutes = extra == 2 ? String(parts) + "." + fraction : String(parts.prefix(2))
    let seconds = extra == 2 ? "0" : String(parts.suffix(2)) + "." + fraction
    guard let minutes = Double(minutes), let seconds = Double(seconds), minutes <= 60, seconds <= 60
    else { return nil }
    return sign * (degrees + minutes / 60 + seconds / 3600)
  }

  /// Parses a sign, digits, and the digits after a point, `0` if there are none.
  private static func signedNumber(
    _ rest: inout ArraySlice<UInt8>
  ) -> (sign: Double, whole: String, fraction: String)? {
    guard let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
      return nil
    }
    rest = rest.dropFirst()
    let whole = digits(&rest)
    var fraction = ""
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      fraction = digits(&rest)
    }
    guard !whole.isEmpty else { return nil }
    return (sign == UInt8(ascii: "-") ? -1 : 1, whole, fraction.isEmpty ? "0" : fraction)
  }

  private static func digits(_ rest: inout ArraySlice<UInt8>) -> String {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    rest = rest[digits.endIndex...]
    return String(decoding: digits, as: UTF8.self)
  }
}
