public import Spatial

/// A town from the GeoNames database.
public struct Town: Hashable, Sendable {
  /// The name, usually in English or in a language of the country.
  public let name: String
  /// The English name of the country.
  public let country: String
  /// The two-letter code of the country (ISO 3166-1).
  public let countryCode: String
  /// The centre, with an error of at most about 25 m.
  public let coordinate: Coordinate
  /// The number of inhabitants, with a relative error of at most 0.1 %.
  public let population: Int
}

extension Town {
  /// The distance in metres from the centre to which the town is taken to extend: 2.8 km for 3,000
  /// inhabitants, 23 km for Paris.
  public var reachMeters: Double { Gazetteer.reachKilometers(population: population) * 1000 }

  /// A town and the distance of its centre from a place.
  public struct Neighbor: Hashable, Sendable {
    /// The town.
    public let town: Town
    /// The great-circle distance from the place to the town's centre, in metres.
    public let distanceMeters: Double
    /// Whether the place is certainly in the town's country, by ``Gazetteer/nearest(to:)``.
    public let isInCountry: Bool

    /// The name of a place near the town: the town's name alone within 10 km or within its reach,
    /// as in `near Tijuana` if the country is uncertain, and otherwise with the distance, as in
    /// `61 km from Ystad`.
    public var placeName: String {
      let kilometers = distanceMeters / 1000
      let reach = Gazetteer.reachKilometers(population: town.population)
      if kilometers <= max(10, reach) {
        return isInCountry ? town.name : "near \(town.name)"
      }
      return "\(Int(saturating: kilometers.rounded())) km from \(town.name)"
    }
  }
}
