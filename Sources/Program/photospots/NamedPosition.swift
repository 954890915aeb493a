import ArgumentParser
import Encodings
import KeptPlaces
import PageServer
import PhotoLibrary
import ProgramSettings
import Spatial
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

  /// Finds what a name stands for. An own place of that name comes first, then an album, then a
  /// town in any language (``Gazetteer/towns(called:)``).
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
    if let place = try Self.place(name, listing, settings) ?? Self.album(name, library) {
      self = place
      return
    }
    let towns = Gazetteer.world.towns(called: name)
    guard let town = towns.first else {
      throw ValidationError(
        """
        '\(name.escaped)' is no position, and none of your places, albums and the larger towns has this name. Write \
        a name in full, or the latitude first, in one of these notations: \(WrittenPositionError.notations)
        """)
    }
    guard towns.count == 1 else { throw Self.several(name, towns.map(Self.text(of:))) }
    self.init(
      coordinate: town.coordinate, radiusMeters: town.reachMeters, text: Self.text(of: town))
  }

  private init(coordinate: Coordinate, radiusMeters: Double?, text: String) {
    (self.coordinate, self.radiusMeters, self.text) = (coordinate, radiusMeters, text)
  }

  private static func place(
    _ name: String, _ listing: ListingArguments, _ settings: Settings
  ) throws -> NamedPosition? {
    guard !listing.leavesPlacesOut else { return nil }
    let store = try OwnPlaces(stateFolder: listing.state.folder, settings, log: .terminal).store
    let wanted = name.lowercased()
    let found = try store.load().ownPlaces.filter { $0.name.lowercased() == wanted }
    guard let place = found.first else { return nil }
    guard found.count == 1 else {
      throw several(name, found.map { "your place \($0.id)" }.sorted())
    }
    return NamedPosition(
      coordinate: place.coordinate, radiusMeters: nil, text: "your place '\(place.name.escaped)'")
  }

  /// Returns the position of the spot with most photos in the albums of a name.
  private static func album(_ name: String, _ library: QueriedLibrary) throws -> NamedPosition? {
    guard let photos = library.photos else { return nil }
    let albums = AlbumName.named(name, among: photos.albums)
    guard !albums.isEmpty else { return nil }
    let filter = PhotoFilter(albums: albums)
    let spot = try library.spots.listed(in: nil).first { spot in
      spot.members.contains { filter.accepts(photos.shot(at: Int($0))) }
    }
    return spot.map {
      NamedPosition(
        coordinate: $0.coordinate, radiusMeters: nil,
        text: "the spot with most photos in the album '\(name.escaped)'")
    }
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
