/// A value that is only whole with a second property, its reference: EXIF 2.32, section 4.6.6; XMP
/// specification part 2, section 2.3.
///
/// The table of such values, for all formats.
struct ReferencedValue: Sendable {
  /// The name in XMP; that of the reference ends with `Ref`.
  let xmpName: String
  /// The first letters of references that leave the value as it is, in upper case.
  private let positive: [Character]
  /// The first letters of references that make the value negative, in upper case.
  private let negative: [Character]

  /// Degrees north.
  static let latitude = ReferencedValue(xmpName: "GPSLatitude", positive: ["N"], negative: ["S"])
  /// Degrees east.
  static let longitude = ReferencedValue(
    xmpName: "GPSLongitude", positive: ["E"], negative: ["W"])
  /// Metres above sea level. References of 2 and 3, above and below the ellipsoid, are from EXIF
  /// 3.0; some software writes words: `Below sea level`.
  static let altitude = ReferencedValue(
    xmpName: "GPSAltitude", positive: ["0", "2", "A"], negative: ["1", "3", "B"])
  /// Degrees clockwise from north; the reference says which north, true or magnetic, and changes no
  /// sign.
  static let direction = ReferencedValue(
    xmpName: "GPSImgDirection", positive: ["T", "M"], negative: [])

  /// Returns whether a reference makes the value negative; `nil` if it is unreadable.
  func isNegative(_ reference: String) -> Bool? {
    guard let letter = reference.first?.uppercased().first else { return nil }
    return negative.contains(letter) ? true : positive.contains(letter) ? false : nil
  }

  /// Applies a reference to a number; `nil` if the reference is unreadable.
  ///
  /// A negative number stays negative: −33.8 S is in the south.
  func applied(_ reference: String, to number: Double) -> Double? {
    isNegative(reference).map { $0 ? -abs(number) : number }
  }
}

extension Heading {
  /// Creates a heading with the reference that metadata give it, `M` or `T`; `nil` if the number is
  /// not in 0...360.
  init?(degrees: Double, reference: String?) {
    self.init(degrees: degrees, isMagnetic: reference?.first?.uppercased() == "M")
  }
}
