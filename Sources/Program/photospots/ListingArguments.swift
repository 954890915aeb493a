import ArgumentParser
import CivilTime
import Encodings
import KeptPlaces
import PageServer
import PhotoLibrary
import PhotoMetadata
import ProcessControl
import ProgramSettings
import Spatial
import SpotAlerts
import SpotExport
import SpotWatcher
import SystemPackage
import TerminalOutput

/// The flags that `near` and `spots` share, and their implementation.
struct ListingArguments: ParsableArguments {
  /// The output format.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, geojson, geojsonseq, gpx, kml, csv
  }

  @Option(help: "The output format.")
  var format = Format.text

  @Option(parsing: .unconditional, help: ArgumentHelp("List at most n entries.", valueName: "n"))
  var limit: CountArgument?

  @Flag(help: "List the photos of each spot, and the files of each photo.")
  var photos = false

  @Flag(help: "Only spots with a favourite (five stars).")
  var favorites = false

  @Option(
    help: ArgumentHelp(
      "Only spots with a photo at least this old: 30d, 2y, 12h, 30min.", valueName: "d"),
    transform: AgeArgument.init)
  var minAge: AgeArgument?

  @Option(
    help: ArgumentHelp(
      "Only spots with a photo taken then: 2013, 2013-06, 2013-06-12, 2010..2013.",
      valueName: "when"))
  var taken: PeriodArgument?

  @Option(
    help: ArgumentHelp(
      "Only spots with a photo in a folder of this name, or of a name that begins with it.",
      valueName: "name"),
    completion: Completions.albums)
  var album: String?

  @Flag(name: .customLong("no-places"), help: "Leave your own places out.")
  var leavesPlacesOut = false

  @OptionGroup var state: StateArguments

  func validate() throws {
    try limit?.check("--limit")
    try Self.check(album: album)
    if let minAge, minAge.seconds < 0 { throw ValidationError("--min-age must not be negative") }
  }

  /// Checks that the name of an album is not empty. Every name begins with an empty one, so all
  /// albums would match.
  static func check(album: String?) throws {
    guard album?.isEmpty == true else { return }
    throw ValidationError("--album is empty: write the name of an album, or omit --album")
  }

  /// Returns the number of the user's own places; zero with `--no-places`.
  func placeCount(_ settings: Settings) throws -> Int {
    try leavesPlacesOut
      ? 0 : OwnPlaces(stateFolder: state.folder, settings, log: .terminal).store.load().count
  }

  /// Returns the spots joined with the user's own places, unless `--no-places` is given.
  func joined(_ library: QueriedLibrary, _ settings: Settings) throws -> any SpotSource {
    guard !leavesPlacesOut else { return library.spots }
    return try OwnPlaces(stateFolder: state.folder, settings, log: .terminal)
      .joined(with: library.spots, clusterRadius: library.clusterRadiusMeters)
  }

  /// Returns a filter that accepts spots with a shot that meets all conditions.
  ///
  /// - Parameters:
  ///   - library: The library.
  ///   - period: The days named elsewhere; those of `--taken` win.
  ///   - folders: The names of folders named elsewhere; `--album` wins.
  /// - Returns: The filter.
  /// - Throws: A `MessageError` if a condition needs single photos and the library has none.
  func filter(
    _ library: QueriedLibrary, taken period: CivilPeriod? = nil, albums folders: Set<[UInt8]>? = nil
  ) throws -> ListingFilter {
    let taken = taken?.period ?? period
    if library.photos == nil { try checkNeedsNoPhotos(taken) }
    guard favorites || minAge != nil || taken != nil || album != nil || folders != nil else {
      return ListingFilter(accepts: { _ in true }, album: nil)
    }
    let takenBefore = minAge.map { Instant.now.advanced(bySeconds: -$0.seconds) }
    guard let index = library.photos else {
      // A spot stores its number of favourites and the time of its earliest photo.
      return ListingFilter(
        accepts: { [favorites] spot in
          guard let takenBefore else { return !favorites || spot.favoriteCount > 0 }
          return spot.firstCaptured.map { $0.instant <= takenBefore } ?? false
        }, album: nil)
    }
    let albums = album.map { AlbumName.matches($0, among: index.albums) } ?? folders
    let filter = PhotoFilter(
      isFavorite: favorites, takenBefore: takenBefore, taken: taken, albums: albums)
    return ListingFilter(
      accepts: { spot in spot.members.contains { filter.accepts(index.shot(at: Int($0))) } },
      album: albums?.isEmpty == true ? album : nil)
  }

  private func checkNeedsNoPhotos(_ taken: CivilPeriod?) throws {
    let flags = [
      photos ? "--photos" : nil, album == nil ? nil : "--album", taken == nil ? nil : "--taken",
      favorites && minAge != nil ? "--favorites together with --min-age" : nil,
    ].compactMap(\.self)
    guard let flag = flags.first else { return }
    throw MessageError(
      "\(flag) cannot be used with --store, since it needs single photos; use the index file instead"
    )
  }

  /// Returns the muted spots. If their list cannot be read, reports the error and returns none,
  /// since listings work without it.
  private func mutedSpots() -> [MutedSpot] {
    do throws(MuteListError) {
      return try MuteList(in: state.folder).load().filter { $0.isInForce(at: .now) }
    } catch {
      StandardError.writeLine("photospots: \(error)")
      return []
    }
  }

  /// Writes spots to standard output, with muted ones marked.
  func show(
    _ listings: [SpotListing], _ library: QueriedLibrary
  ) throws {
    let index = library.photos
    let mutes = mutedSpots()
    var listings = listings
    for row in listings.indices {
      let spot = listings[row].spot
      if photos, let index {
        listings[row].photos = spot.members.map { index.shot(at: Int($0)) }
      }
      listings[row].muting = mutes.muting(of: spot, radiusMeters: library.clusterRadiusMeters)
    }
    SpotListing.distinguish(&listings)
    guard index?.isCutOff != true else { throw MessageError.cutOff }
    var writer = JSONWriter(layout: .indented)
    switch format {
    case .text:
      let lines = SpotText.lines(listings, columns: StandardOutput.columns)
      return try StandardOutput.write(text: lines)
    case .gpx: return try StandardOutput.write(SpotListing.gpx(listings))
    case .kml: return try StandardOutput.write(SpotListing.kml(listings))
    case .csv: return try StandardOutput.write(SpotListing.csv(listings))
    case .geojsonseq:
      return try StandardOutput.write(json: SpotListing.geoJSONSequence(listings))
    case .json: SpotListing.writeJSON(listings, to: &writer)
    case .geojson: SpotListing.writeGeoJSON(listings, to: &writer)
    }
    writer.newline()
    try StandardOutput.write(json: writer.bytes)
  }
}

/// The condition for listing a spot.
struct ListingFilter {
  /// Returns whether a spot is listed.
  let accepts: (PhotoSpot) -> Bool
  /// The requested album, if no album matches it.
  let album: String?

  /// Reports why a list is empty.
  func reportEmptyResult(in library: QueriedLibrary) throws {
    if let index = library.photos { return reportEmptyResult(in: index) }
    let anywhere = Coordinate(uncheckedLatitude: 0, longitude: 0)
    StandardError.note(
      try library.spots.nearest(1, to: anywhere).isEmpty
        ? "the store holds no spots of this owner" : "no spot matches")
  }

  /// Reports why a list of an index is empty.
  func reportEmptyResult(in index: PhotoIndex) {
    if index.photoCount == 0 {
      StandardError.note("the index holds no photo with a position")
    } else if let album {
      let names = index.albums.map(CommandLineBytes.text)
      let hint =
        Spelling.nearest(to: album, among: names).map {
          "; did you mean '\(CommandLineBytes.bytes(of: $0).escaped)'?"
        } ?? ""
      let name = CommandLineBytes.bytes(of: album).escaped
      StandardError.note("no album has a name that begins with '\(name)'\(hint)")
    } else {
      StandardError.note("no spot matches")
    }
  }
}

extension [MutedSpot] {
  /// Returns the duration for which these entries mute a spot; `nil` if it is not muted.
  fileprivate func muting(of spot: PhotoSpot, radiusMeters: Double) -> SpotListing.Muting? {
    let ends = filter {
      $0.covers(spotID: spot.id, center: spot.coordinate, radiusMeters: radiusMeters)
    }.map(\.until)
    guard !ends.isEmpty else { return nil }
    return ends.contains(nil) ? .unlimited : ends.compactMap(\.self).max().map { .until($0) }
  }
}
