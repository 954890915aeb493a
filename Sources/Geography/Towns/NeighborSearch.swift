/// Chooses the town that a place is named after, as ``Gazetteer/nearest(to:)`` describes.
struct NeighborSearch {
  /// The table that a town is in.
  enum Source: Hashable, Sendable { case towns, villages }

  /// A town of one of the tables.
  private struct Candidate {
    var town = -1
    var source = Source.towns
    /// The square of the distance in kilometres, or of the ratio of distance to reach.
    var square = Double.infinity

    mutating func update(_ town: Int, _ source: Source, _ square: Double) {
      if square < self.square { self = Candidate(town: town, source: source, square: square) }
    }
  }

  /// The candidates of one country.
  private struct Country {
    let number: UInt8
    var nearest = Candidate()
    var nearestTown = Candidate()
    /// The smallest ratio among towns, and among all.
    var town = Candidate()
    var any = Candidate()

    /// The candidate that names a place in the country.
    var chosen: Candidate {
      if town.square < 0.5 * 0.5 { return town }
      if any.square < 1 { return any }
      return nearest.square > 100 && nearestTown.square < 4 * nearest.square ? nearestTown : nearest
    }
  }

  /// A few: the countries around one place.
  private var countries: [Country] = []
  private var last = 0

  /// Adds a town or smaller place at a distance.
  mutating func add(_ town: Int, of source: Source, _ data: TownData, squareKilometers: Double) {
    let number = data.countryNumber(town)
    // Neighbours in the table are mostly of one country.
    if last >= countries.count || countries[last].number != number {
      last = countries.firstIndex { $0.number == number } ?? countries.count
      if last == countries.count { countries.append(Country(number: number)) }
    }
    countries[last].nearest.update(town, source, squareKilometers)
    if source == .towns { countries[last].nearestTown.update(town, source, squareKilometers) }
    // The reach is computed only if the town could win with the greatest possible reach.
    let greatest = Gazetteer.greatestReach * Gazetteer.greatestReach
    let best = source == .towns ? countries[last].town.square : countries[last].any.square
    guard squareKilometers < best * greatest else { return }
    let reach = Gazetteer.reachKilometers(population: data.population(town))
    let square = squareKilometers / (reach * reach)
    if source == .towns { countries[last].town.update(town, source, square) }
    countries[last].any.update(town, source, square)
  }

  /// The chosen town, and whether its country is certain; `nil` if none was added.
  var result: (town: Int, source: Source, isInCountry: Bool)? {
    guard let country = countries.min(by: { $0.nearest.square < $1.nearest.square }) else {
      return nil
    }
    let others = countries.filter { $0.number != country.number }
    let own = country.nearest.square
    let isApart = others.allSatisfy { own * 4 <= $0.nearest.square }
    let isInCountry =
      own <= 0.3 * 0.3 || isApart && (own <= 1 || others.allSatisfy { $0.town.square > 0.5 * 0.5 })
    let chosen = country.chosen
    return (chosen.town, chosen.source, isInCountry)
  }
}
