import ArgumentParser
import CivilTime
import Interchange
import PhotoLibrary
import PhotoMetadata
import Spatial
import SpotAlerts
import SpotExport
import SpotWatcher
import SystemPackage

/// The flags that `near` and `spots` share, and what they do.
struct ListingArguments: ParsableArguments {
  /// How spots are written.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, geojson, gpx, kml, csv
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
      "Only spots with a photo at least this old: 30d, 2y.", valueName: "d"))
  var minAge: SecondsArgument?

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
    if let minAge, minAge.seconds < 0 { throw ValidationError("--min-age must not be negative") }
  }

  /// Spots together with places of one's own, where these are wanted.
  func joined(_ library: QueriedLibrary, _ settings: Settings) throws -> any SpotSource {
    guard !leavesPlacesOut else { return library.spots }
    return try OwnPlaces(stateFolder: state.folder, settings)
      .joined(with: library.spots, clusterRadius: library.clusterRadiusMeters)
  }

  /// Tells of a spot whether it has a shot that meets all conditions at once.
  ///
  /// - Throws: A ``Failure`` for what only single photos tell, of a library without them.
  func filter(_ library: QueriedLibrary) throws -> ListingFilter {
    if library.photos == nil { try checkNeedsNoPhotos() }
    guard favorites || minAge != nil || album != nil else {
      return ListingFilter(accepts: { _ in true }, album: nil)
    }
    let takenBefore = minAge.map { Instant.now.advanced(bySeconds: -$0.seconds) }
    guard let index = library.photos else {
      // A spot knows how many favourites it has, and when its earliest photo was taken.
      return ListingFilter(
        accepts: { [favorites] spot in
          guard let takenBefore else { return !favorites || spot.favoriteCount > 0 }
          return spot.firstCaptured.map { $0.instant <= takenBefore } ?? false
        }, album: nil)
    }
    let albums = album.map { AlbumName.matches($0, among: index.albums) }
    let filter = PhotoFilter(isFavorite: favorites, takenBefore: takenBefore, albums: albums)
    return ListingFilter(
      accepts: { spot in spot.members.contains { filter.accepts(index.shot(at: Int($0))) } },
      album: albums?.isEmpty == true ? album : nil)
  }

  private func checkNeedsNoPhotos() throws {
    let flags = [
      photos ? "--photos" : nil, album == nil ? nil : "--album",
      favorites && minAge != nil ? "--favorites together with --min-age" : nil,
    ].compactMap(\.self)
    guard let flag = flags.first else { return }
    throw Failure(
      "\(flag) cannot be used with --store, since it needs single photos; use the index file instead"
    )
  }

  /// The muted spots; none where their list cannot be used, which is told: an answer does not need
  /// it.
  private func mutedSpots() -> [MutedSpot] {
    do throws(MuteListError) {
      return try MuteList(in: state.folder).load().filter { $0.isInForce(at: .now) }
    } catch {
      StandardError.writeLine("photospots: \(error)")
      return []
    }
  }

  /// Writes spots as results, those marked that are muted.
  func show(
    _ listings: [SpotListing], _ library: QueriedLibrary
  ) throws {
    let index = library.photos
    let mutes = mutedSpots()
    let listings = listings.map { listing in
      SpotListing(
        spot: listing.spot, approach: listing.approach,
        photos: photos
          ? index.map { index in listing.spot.members.map { index.shot(at: Int($0)) } } : nil,
        muting: mutes.muting(of: listing.spot, radiusMeters: library.clusterRadiusMeters),
        lastRecreated: listing.lastRecreated)
    }
    guard index?.isCutOff != true else { throw Failure.cutOff }
    var writer = JSONWriter(layout: .indented)
    switch format {
    case .text:
      let lines = SpotText.lines(listings, columns: StandardOutput.columns)
      return try StandardOutput.write(text: lines)
    case .gpx: return try StandardOutput.write(SpotListing.gpx(listings))
    case .kml: return try StandardOutput.write(SpotListing.kml(listings))
    case .csv: return try StandardOutput.write(SpotListing.csv(listings))
    case .json: SpotListing.writeJSON(listings, to: &writer)
    case .geojson: SpotListing.writeGeoJSON(listings, to: &writer)
    }
    writer.newline()
    try StandardOutput.write(json: writer.bytes)
  }
}

/// Which spots are listed.
struct ListingFilter {
  /// Whether a spot of the index is listed.
  let accepts: (PhotoSpot) -> Bool
  /// The album that was asked for, where none is called so.
  let album: String?

  /// Says why a list has nothing in it.
  func reportEmptyResult(in library: QueriedLibrary) throws {
    if let index = library.photos { return reportEmptyResult(in: index) }
    let anywhere = Coordinate(uncheckedLatitude: 0, longitude: 0)
    StandardError.note(
      try library.spots.nearest(1, to: anywhere).isEmpty
        ? "the store holds no spots of this owner" : "no spot matches")
  }

  /// Says why a list of an index has nothing in it.
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
  /// How long a spot is muted by those in force; `nil` where it is not.
  fileprivate func muting(of spot: PhotoSpot, radiusMeters: Double) -> SpotListing.Muting? {
    let ends = filter {
      $0.covers(spotID: spot.id, center: spot.coordinate, radiusMeters: radiusMeters)
    }.map(\.until)
    guard !ends.isEmpty else { return nil }
    return ends.contains(nil) ? .unlimited : ends.compactMap(\.self).max().map { .until($0) }
  }
}
