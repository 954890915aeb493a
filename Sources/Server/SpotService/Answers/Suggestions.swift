import CivilTime
import Encodings
import KeptPlaces
import PhotoLibrary
import PhotoMetadata
import Spatial
import SpotMap
import Towns

/// Finds what a text typed in a search field may mean: a position, the user's places, albums, years
/// and towns.
struct Suggestions {
  /// A year or several, or a month of a year.
  struct Days {
    let firstYear: Int
    let lastYear: Int
    let month: Int?

    /// Creates days from a period; `nil` if it is neither whole years nor a month.
    init?(_ period: CivilPeriod) {
      let (first, last) = (period.first.year, period.last.year)
      (firstYear, lastYear) = (first, last)
      if CivilPeriod("\(first)..\(last)") == period {
        month = nil
        return
      }
      let found = (1...12).first { month in
        CivilPeriod("\(first)-\(month < 10 ? "0" : "")\(month)") == period
      }
      guard let found else { return nil }
      month = found
    }

    /// The filter of the photos of these days.
    var filter: SpotFilter {
      var filter = SpotFilter()
      (filter.firstYear, filter.lastYear) = (firstYear, lastYear)
      filter.month = month
      return filter
    }
  }

  /// A suggestion.
  enum Item {
    /// A position in any notation.
    case position(WrittenPosition)
    /// The photos of some days in a town.
    case photos(Town, Days, Counts)
    /// The photos of some days.
    case days(Days, Counts)
    case album(AlbumList.Album)
    case place(KeptPlace, meters: Double?)
    case town(Town, photos: Int)
  }

  /// Numbers of photos and spots.
  struct Counts {
    let photos: Int
    let spots: Int
  }

  /// The suggestions of a group, the best first.
  struct Group {
    /// The name in the API.
    let name: String
    let items: [Item]
    /// How well the first one answers the text.
    let match: NameQuery.Match
  }

  private let library: ServedLibrary
  private let text: String
  private let query: NameQuery
  private let center: Coordinate?
  private let limit: Int

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - library: The photos.
  ///   - center: A position near which places and towns are preferred; `nil` for none.
  ///   - limit: The maximum number of suggestions in a group.
  init(_ text: String, in library: ServedLibrary, near center: Coordinate?, limit: Int) {
    (self.library, self.text, self.center, self.limit) = (library, text, center, limit)
    query = NameQuery(text)
  }

  /// Returns the groups with suggestions, that with the better first one first.
  ///
  /// - Parameter places: The user's places.
  /// - Returns: At most two groups.
  /// - Complexity: O(*a* + *p* + *n*) for *a* albums, *p* places and *n* bytes of the names of
  ///   towns; the first call also lists the albums of all photos, and photos of days are counted.
  func groups(_ places: [KeptPlace]) -> [Group] {
    let groups = [photos(places), map()].compactMap(\.self)
    guard groups.count == 2, groups[1].match < groups[0].match else { return groups }
    return groups.reversed()
  }

  // MARK: - Photos

  private func photos(_ places: [KeptPlace]) -> Group? {
    var found: [(match: NameQuery.Match, item: Item)] = []
    let days = query.taken.flatMap(Days.init)
    if let days {
      if query.name.isEmpty {
        if let item = item(days) { found.append((.whole, item)) }
      } else {
        for town in exactTowns(query.name) {
          let counts = counts(in: town, days.filter)
          if counts.photos > 0 { found.append((.whole, .photos(town, days, counts))) }
        }
      }
    }
    let own = places.compactMap { place in
      match(place).map { (match: $0, place: place, meters: center?.distance(to: place.coordinate)) }
    }.sorted { left, right in
      if left.match != right.match { return left.match < right.match }
      if left.meters != right.meters { return left.meters ?? 0 < right.meters ?? 0 }
      return left.place.id < right.place.id
    }
    for place in own.prefix(limit) {
      found.append((place.match, .place(place.place, meters: place.meters)))
    }
    // The albums are in order, and sorting keeps it.
    let albums = library.albums.compactMap { album in
      query.match(album.name).map { (match: $0, album: album) }
    }
    for match in [NameQuery.Match.whole, .beginning, .words] {
      for album in albums.lazy.filter({ $0.match == match }).prefix(limit) {
        found.append((match, .album(album.album)))
      }
    }
    if let days, !query.name.isEmpty, let item = item(days) { found.append((.words, item)) }
    return group("photos", found)
  }

  /// Returns how well a place answers the text: by its name, or else by its kind.
  private func match(_ place: KeptPlace) -> NameQuery.Match? {
    query.match(place.title) ?? query.match(place.kind).map { _ in .words }
  }

  private func item(_ days: Days) -> Item? {
    let mapped = library.spots(passing: days.filter)
    guard mapped.photoCount > 0 else { return nil }
    return .days(days, Counts(photos: mapped.photoCount, spots: mapped.count))
  }

  private func counts(in town: Town, _ filter: SpotFilter = SpotFilter()) -> Counts {
    let mapped = library.spots(passing: filter)
    let counts = mapped.index.places(within: town.reachMeters, of: town.coordinate)
      .map { mapped.photoCount(ofPlace: $0.index) }.filter { $0 > 0 }
    return Counts(photos: counts.reduce(0, +), spots: counts.count)
  }

  /// Returns the towns with a name, or with a name and a country after a comma.
  private func exactTowns(_ name: String) -> [Town] {
    let world = Gazetteer.world
    if name.contains(",") { return Array(world.towns(called: name).prefix(limit)) }
    return world.matches(name, near: center).prefix(limit).prefix { $0.isExact }.map {
      world[$0.town]
    }
  }

  // MARK: - The map

  private func map() -> Group? {
    var found: [(match: NameQuery.Match, item: Item)] = []
    let world = Gazetteer.world
    if let position = try? WrittenPosition(
      text, towns: { world.towns(called: $0).map(\.coordinate) })
    {
      found.append((.whole, .position(position)))
    }
    let name = query.taken != nil && !query.name.isEmpty ? query.name : text
    let towns: [(match: NameQuery.Match, town: Town)] =
      name.contains(",")
      ? world.towns(called: name).map { (match: .whole, town: $0) }
      : world.matches(name, near: center).prefix(limit).map {
        (match: $0.isExact ? .whole : .beginning, town: world[$0.town])
      }
    for (match, town) in towns.prefix(limit) {
      found.append((match, .town(town, photos: counts(in: town).photos)))
    }
    return group("map", found)
  }

  /// Sorts suggestions by how well they answer; equal ones stay in their order.
  private func group(
    _ name: String, _ found: [(match: NameQuery.Match, item: Item)]
  ) -> Group? {
    let sorted = found.enumerated().sorted { left, right in
      left.element.match != right.element.match
        ? left.element.match < right.element.match : left.offset < right.offset
    }.map(\.element).prefix(limit)
    guard let first = sorted.first else { return nil }
    return Group(name: name, items: sorted.map(\.item), match: first.match)
  }
}

extension Suggestions.Item {
  /// Writes the suggestion with `kind` and `group`, and the members of its kind.
  func write(_ group: String, _ library: ServedLibrary, to writer: inout JSONWriter) {
    writer.object { writer in
      switch self {
      case .position(let position):
        writer.member("kind", "position")
        writer.write(position.coordinate)
        writer.member("note", position.note.map(Self.name))
      case .photos(let town, let days, let counts):
        writer.member("kind", "photos")
        writer.write(town)
        writer.write(days)
        writer.write(counts)
      case .days(let days, let counts):
        writer.member("kind", "days")
        writer.write(days)
        writer.write(counts)
      case .album(let album):
        writer.member("kind", "album")
        writer.member("name", album.name)
        AlbumAnswer.write(album, library, to: &writer)
      case .place(let place, let meters):
        writer.member("kind", "place")
        writer.member("id", place.id.description)
        writer.member("name", place.title)
        writer.member("placeKind", place.kind.isEmpty ? OwnPlace.unnamedKind : place.kind)
        writer.write(place.coordinate)
        writer.member("distance", meters?.decimeters)
      case .town(let town, let photos):
        writer.member("kind", "town")
        writer.write(town)
        writer.member("photos", photos)
      }
      writer.member("group", group)
    }
  }
}

extension Suggestions.Item {
  /// The name of an origin of a position in the API.
  private static func name(_ note: WrittenPosition.Note) -> String {
    switch note {
    case .middleOfMap: "middle"
    case .endOfRoute: "end"
    case .nearTown: "town"
    }
  }
}

/// Writes the description of albums.
enum AlbumAnswer {
  /// Writes the members `photos cover box`, and if known `firstCaptured lastCaptured`.
  static func write(
    _ album: AlbumList.Album, _ library: ServedLibrary, to writer: inout JSONWriter
  ) {
    writer.member("photos", album.photoCount)
    writer.member("cover", library.name(ofPhoto: album.cover))
    writer.key("box")
    album.box.write(to: &writer)
    writer.member("firstCaptured", album.captured?.first.localISO8601)
    writer.member("lastCaptured", album.captured?.last.localISO8601)
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ place: Coordinate) {
    member("latitude", degrees: place.latitude)
    member("longitude", degrees: place.longitude)
  }

  fileprivate mutating func write(_ town: Town) {
    member("name", town.name)
    member("country", town.country)
    write(town.coordinate)
    member("reach", town.reachMeters.decimeters)
  }

  fileprivate mutating func write(_ days: Suggestions.Days) {
    member("from", days.firstYear)
    member("to", days.lastYear)
    member("month", days.month)
  }

  fileprivate mutating func write(_ counts: Suggestions.Counts) {
    member("photos", counts.photos)
    member("spots", counts.spots)
  }
}
