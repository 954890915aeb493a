/// The units in which lengths are written for people.
package enum LengthUnits: String, Hashable, Sendable, CaseIterable {
  /// Metres and kilometres.
  case metric
  /// Feet and miles.
  case imperial

  /// The metres of a foot and of a mile (international yard and pound agreement, 1959).
  package static let metersPerFoot = 0.3048
  package static let metersPerMile = 1609.344
  /// The length in feet from which lengths are in miles.
  package static let feetBeforeMiles = 1000.0
}
