import ArgumentParser
import CivilTime
import Encodings
import KeptPlaces
import PageServer
import PhotoLibrary
import ProgramSettings
import Spatial
import TerminalOutput
import Towns

/// A position that a name stands for: that of one of the user's own places, of an album, or of a
/// town.
struct NamedPosition {
  /// The position.
  let coordinate: Coordinate
  /// The search radius in metres that fits what was found; `nil` for the usual one.
  let radiusMeters: Double?
  /// What was found, for a note.
  let text: String
  /// The names of its folders if it is an album.
  let albums: Set<[UInt8]>?
  /// The days that the name has with it, as in `Barcelona 2013`; `nil` if it names none.
  let taken: CivilPeriod?

  /// Finds what a name stands for. An own place of that name comes first, then an album, then a
  /// town in any language (``Gazetteer/towns(called:)``): of several, the one with photos. The
  /// beginning of an album's name is not enough. What else has the name is in ``text``. If nothing
  /// has the name and it begins or ends with a year or a month, the days are those, and the rest is
  /// the name (``NameQuery``).
  ///
  /// - Parameters:
  ///   - name: The name. That of a town may be followed by a comma and its country.
  ///   - library: The library with the albums.
  ///   - listing: The options with the user's places.
  ///   - settings: The settings.
  /// - Throws: A `ValidationError` if nothing has this name, or several do.
  init(
    _ name: String, in library: QueriedLibrary, _ listing: ListingArguments, _ settings: Settings
  ) throws {
    let query = NameQuery(name)
    if let found = try Self.found(name, nil, library, listing, settings) {
      self = found
    } else if let taken = query.taken, !query.name.isEmpty,
      let found = try Self.found(query.name, taken, library, listing, settings)
    {
      self = found
    } else {
      throw ValidationError(
        """
        '\(name.escaped)' is no position, and none of your places, albums and the larger towns has this name. Write \
        a name in full, or the latitude first, in one of these notations: \(WrittenPositionError.notations)
        """)
    }
  }

  private init(
    coordinate: Coordinate, radiusMeters: Double? = nil, text: String,
    albums: Set<[UInt8]>? = nil, taken: CivilPeriod?
  ) {
    (self.coordinate, self.radiusMeters) = (coordinate, radiusMeters)
    (self.text, self.albums, self.taken) = (text, albums, taken)
  }

  /// Returns what a name before some days stands for; `nil` if nothing has it.
  private static func found(
    _ name: String, _ taken: CivilPeriod?, _ library: QueriedLibrary, _ listing: ListingArguments,
    _ settings: Settings
  ) throws -> NamedPosition? {
    let towns = Gazetteer.world.towns(called: name)
    if let place = try place(name, taken, listing, settings) {
      let album = try album(name, taken, library).map { _ in "an album" }
      return place.before([album, text(of: towns)].compactMap { $0 })
    }
    if let album = try album(name, taken, library) {
      return album.before([text(of: towns)].compactMap { $0 })
    }
    guard var town = towns.first else { return nil }
    var note = ""
    if towns.count > 1 {
      let known = try towns.filter {
        try !library.spots.spots(within: $0.reachMeters, of: $0.coordinate).isEmpty
      }
      guard known.count == 1 else { throw several(name, towns.map(text(of:))) }
      town = known[0]
      note = ", of \(towns.count) towns of this name the one with photos"
    }
    return NamedPosition(
      coordinate: town.coordinate, radiusMeters: town.reachMeters, text: text(of: town) + note,
      taken: taken)
  }

  private static func place(
    _ name: String, _ taken: CivilPeriod?, _ listing: ListingArguments, _ settings: Settings
  ) throws -> NamedPosition? {
    guard !listing.leavesPlacesOut else { return nil }
    let store = try OwnPlaces(stateFolder: listing.state.folder, settings, log: .terminal).store
    let query = NameQuery(name)
    let found = try store.load().ownPlaces.filter { query.match($0.name) == .whole }
    guard let place = found.first else { return nil }
    guard found.count == 1 else {
      throw several(name, found.map { "your place \($0.id)" }.sorted())
    }
    return NamedPosition(
      coordinate: place.coordinate, text: "your place '\(place.name.escaped)'", taken: taken)
  }

  /// Returns the position of the spot with most photos that has one in the albums of a name, taken
  /// on some days.
  private static func album(
    _ name: String, _ taken: CivilPeriod?, _ library: QueriedLibrary
  ) throws -> NamedPosition? {
    guard let photos = library.photos else { return nil }
    let albums = AlbumName.named(name, among: photos.albums)
    guard !albums.isEmpty else { return nil }
    let filter = PhotoFilter(taken: taken, albums: albums)
    let spot = try library.spots.listed(in: nil).first { spot in
      spot.members.contains { filter.accepts(photos.shot(at: Int($0))) }
    }
    return spot.map {
      NamedPosition(
        coordinate: $0.coordinate, text: "the spot with most photos in the album '\(name.escaped)'",
        albums: albums, taken: taken)
    }
  }

  /// Returns the position with a note about what else has the name and comes later.
  private func before(_ others: [String]) -> NamedPosition {
    guard !others.isEmpty else { return self }
    return NamedPosition(
      coordinate: coordinate, radiusMeters: radiusMeters,
      text: "\(text); it comes before \(others.joined(separator: " and ")) of this name",
      albums: albums, taken: taken)
  }

  /// Returns words for towns of one name, with what to write for the first; `nil` for none.
  private static func text(of towns: [Town]) -> String? {
    guard let town = towns.first else { return nil }
    let first = "'\(town.name), \(town.countryCode)'"
    return towns.count == 1 ? "the town \(first)" : "\(towns.count) towns such as \(first)"
  }

  private static func several(_ name: String, _ readings: [String]) -> ValidationError {
    let listed = readings.prefix(6).joined(separator: "; ")
    let others = readings.count > 6 ? "; and \(readings.count - 6) more" : ""
    return ValidationError(
      """
      '\(name.escaped)' may be \(listed)\(others). Give the position, or a town with its country as in 'Paris, France'
      """)
  }

  private static func text(of town: Town) -> String {
    "\(town.name), \(town.country), at \(PlaceName.text(of: town.coordinate))"
  }
}
