import CLibrary
public import Spatial

/// The towns of the world with 15,000 inhabitants or more, embedded in the program; for names of
/// places also smaller ones, most with 4,000 or more.
///
/// Nothing is loaded in advance: a query by position reads only the bytes that it needs, and the
/// first search for a name folds all names.
public struct Gazetteer: Sendable {
  /// The embedded towns.
  public static let world = Gazetteer()

  /// The greatest distance in metres between a place and the town it is named after.
  public static let farthestMeters = 150_000.0

  let data = TownData.ofProgram
  private let villages = TownData.villages

  private init() {}

  /// The number of towns.
  public var count: Int { data.count }

  /// Returns the town with a given number; towns are numbered from south to north, and from west to
  /// east within a degree of latitude.
  ///
  /// - Precondition: `town` is in `0..<count`.
  public subscript(town: Int) -> Town { self.town(town, data) }

  func town(_ town: Int, _ data: TownData) -> Town {
    let country = data.country(town)
    return Town(
      name: data.name(town), country: country.name, countryCode: country.code,
      coordinate: coordinate(of: town, data), population: data.population(town))
  }

  // MARK: - The nearest

  /// Returns the town or smaller place that a place is named after.
  ///
  /// The country of a place is that of the nearest town or smaller place, and only towns of this
  /// country give the name. The country is certain if the nearest is within 300 m; or if all of
  /// other countries are at least twice as far, and either the nearest is within 1 km, or no town
  /// of another country has half its reach to the place.
  ///
  /// Larger towns extend farther, so that a place at the edge of a city is not named after a
  /// suburb. Each town has a reach of 2 km plus √population / 70 km: 2.8 km for a town of 3,000,
  /// 23 km for Paris. The result is the first of these that exists:
  /// 1. of the towns with 15,000 inhabitants or more, the one with the smallest ratio of distance
  ///    to reach, if this is below 0.5;
  /// 2. of all towns and smaller places with a ratio below 1, the one with the smallest;
  /// 3. the nearest, or the nearest town with 15,000 inhabitants or more if the nearest is more
  ///    than 10 km away and that town less than twice as far.
  ///
  /// - Returns: The town with its distance; `nil` if it is farther away than ``farthestMeters``.
  /// - Complexity: O(*k*) for the *k* towns within 150 km, and smaller places within 75 km, to the
  ///   north, south, east and west.
  public func nearest(to place: Coordinate) -> Town.Neighbor? {
    var search = NeighborSearch()
    let kilometersEast = Self.kilometersOfDegree * max(0, cos(place.latitude * .pi / 180))
    for (source, kilometers) in [
      (NeighborSearch.Source.towns, Self.farthestMeters / 1000),
      (.villages, Self.farthestVillageKilometers),
    ] {
      let data = data(source)
      forEachTown(of: data, around: place, kilometers: kilometers) { town, north, east in
        let (y, x) = (north * Self.kilometersOfDegree, east * kilometersEast)
        search.add(town, of: source, data, squareKilometers: x * x + y * y)
      }
    }
    guard let found = search.result else { return nil }
    let data = data(found.source)
    let distance = place.distance(to: coordinate(of: found.town, data))
    guard distance <= Self.farthestMeters else { return nil }
    return Town.Neighbor(
      town: town(found.town, data), distanceMeters: distance, isInCountry: found.isInCountry)
  }

  private func data(_ source: NeighborSearch.Source) -> TownData {
    source == .towns ? data : villages
  }

  /// The greatest distance of smaller places; farther away, a town is at least as well known.
  private static let farthestVillageKilometers = 75.0
  private static let kilometersOfDegree = Earth.meanRadiusMeters / 1000 * .pi / 180
  /// The reach of a town of fifty million people.
  static let greatestReach = reachKilometers(population: 50_000_000)

  static func reachKilometers(population: Int) -> Double {
    2 + Double(population).squareRoot() / 70
  }

  /// Calls a closure with the towns around a place, and the degrees by which each is north and east
  /// of it.
  private func forEachTown(
    of data: TownData, around place: Coordinate, kilometers: Double,
    _ body: (_ town: Int, _ north: Double, _ east: Double) -> Void
  ) {
    let degrees = kilometers / Self.kilometersOfDegree
    let (south, north) = (max(place.latitude - degrees, -90), min(place.latitude + degrees, 90))
    // The width in degrees at the parallel closest to a pole, where meridians converge most.
    let narrow = cos(min(max(abs(south), abs(north)), 90) * .pi / 180)
    let width = narrow > 0 ? min(degrees / narrow, 180) : 180
    for band in Self.band(south)...Self.band(north) {
      let start = Double(band) - 90
      forEachTown(
        of: data, inBand: band, west: place.longitude - width, east: place.longitude + width
      ) { town, position in
        let latitude = start + Double(position & 0xFFF) / 4096
        var east = Self.longitude(position) - place.longitude
        if east > 180 { east -= 360 } else if east < -180 { east += 360 }
        body(town, latitude - place.latitude, east)
      }
    }
  }

  /// Calls a closure with the towns of one degree of latitude between two meridians, which may be
  /// up to a full turn beyond ±180°.
  private func forEachTown(
    of data: TownData, inBand band: Int, west: Double, east: Double,
    _ body: (_ town: Int, _ position: UInt32) -> Void
  ) {
    let towns = data.towns(inBand: band)
    if east - west >= 360 {
      for town in towns { body(town, data.position(town)) }
      return
    }
    for turn in [-360.0, 0, 360] {
      let (west, east) = (west + turn, east + turn)
      guard east >= -180, west <= 180 else { continue }
      for town in first(in: towns, of: data, from: west)..<towns.upperBound {
        let position = data.position(town)
        guard Self.longitude(position) <= east else { break }
        body(town, position)
      }
    }
  }

  /// Returns the first town in one degree of latitude whose longitude is at least `west`.
  private func first(in towns: Range<Int>, of data: TownData, from west: Double) -> Int {
    var (low, high) = (towns.lowerBound, towns.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if Self.longitude(data.position(middle)) < west { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func band(_ latitude: Double) -> Int {
    min(max(Int(saturating: latitude.rounded(.down)) + 90, 0), 179)
  }

  @inline(__always)
  private static func longitude(_ position: UInt32) -> Double {
    Double(position >> 12) * (360 / 1_048_576) - 180
  }

  func coordinate(of town: Int, _ data: TownData) -> Coordinate {
    let position = data.position(town)
    var (low, high) = (0, 180)
    while low < high - 1 {
      let middle = (low + high) / 2
      if data.towns(inBand: middle).lowerBound <= town { low = middle } else { high = middle }
    }
    return Coordinate(
      latitude: Double(low) - 90 + Double(position & 0xFFF) / 4096,
      longitude: Self.longitude(position)) ?? Coordinate(uncheckedLatitude: 0, longitude: 0)
  }

  // MARK: - Lists

  /// Returns the numbers of the towns in a box, edges included, in descending order of population.
  ///
  /// - Complexity: O(*n* log *n*) for *n* towns in the box.
  public func towns(in box: BoundingBox) -> [Int] {
    var found: [Int] = []
    for band in Self.band(box.south)...Self.band(box.north) {
      let start = Double(band) - 90
      let east = box.west <= box.east ? box.east : box.east + 360
      forEachTown(of: data, inBand: band, west: box.west, east: east) { town, position in
        let latitude = start + Double(position & 0xFFF) / 4096
        if (box.south...box.north).contains(latitude) { found.append(town) }
      }
    }
    return largestFirst(found)
  }

  private func largestFirst(_ towns: [Int]) -> [Int] {
    // The sort is stable, so towns of equal population stay in ascending order of their numbers.
    RadixSort.order(of: towns.map { -Int64(data.population($0)) }).map { towns[Int($0)] }
  }
}
