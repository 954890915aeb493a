/// A class of a fix's horizontal accuracy, the radius in metres of the circle in which the device
/// is believed to be.
public enum AccuracyClass: String, Hashable, Sendable, CaseIterable {
  /// Below 5 m: a receiver under an open sky.
  case excellent
  /// From 5 to below 10 m.
  case good
  /// From 10 to below 15 m.
  case acceptable
  /// From 15 to below 20 m.
  case marginal
  /// From 20 m: between buildings, or located by cell towers or networks.
  case poor

  /// Creates the class of an accuracy in metres.
  public init(meters: Double) {
    self =
      switch meters {
      case ..<5: .excellent
      case ..<10: .good
      case ..<15: .acceptable
      case ..<20: .marginal
      default: .poor
      }
  }
}

extension LocationFix {
  /// The class of the fix's horizontal accuracy; `nil` where the accuracy is unknown.
  public var accuracyClass: AccuracyClass? {
    horizontalAccuracyMeters.map(AccuracyClass.init(meters:))
  }
}
