public import Spatial

/// A town, as GeoNames has it.
public struct Town: Hashable, Sendable {
  /// Its name, mostly as it is said in English or in the country itself.
  public let name: String
  /// The English name of its country.
  public let country: String
  /// The two letters of its country (ISO 3166-1).
  public let countryCode: String
  /// Its centre, to about 25 m.
  public let coordinate: Coordinate
  /// How many people live there, to a thousandth.
  public let population: Int
}

extension Town {
  /// A town, and how far its centre is from a place.
  public struct Neighbor: Hashable, Sendable {
    /// The town.
    public let town: Town
    /// The great-circle distance in metres from the place to its centre.
    public let distanceMeters: Double
  }
}
