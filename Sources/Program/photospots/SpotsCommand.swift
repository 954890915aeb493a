import ArgumentParser
import CivilTime
import PageServer
import PhotoLibrary
import ProcessControl
import ProgramSettings
import Spatial
import SpotExport
import TerminalOutput

/// `photospots spots`
struct SpotsCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "spots", abstract: "List all spots, those with the most photos first.")

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only spots in this box, edges in degrees; W > E crosses the 180° meridian.",
      valueName: "s,w,n,e"),
    transform: BoxArgument.init)
  var box: BoxArgument?

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp(
      "Only spots in a town, in any language, or an album, or around one of your places.",
      valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Only spots without a photo taken again in this time: 1y, 90d, 12h.", valueName: "d"),
    transform: AgeArgument.init)
  var notRecreatedSince: AgeArgument?

  @OptionGroup var listing: ListingArguments
  @OptionGroup var index: IndexArguments
  @OptionGroup var store: StoreArguments
  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    if let notRecreatedSince, notRecreatedSince.seconds < 0 {
      throw ValidationError("--not-recreated-since must not be negative")
    }
  }

  func run() throws {
    let settings = try settings.resolve()
    let library = try QueriedLibrary(index, store, settings, listing)
    let named = try name.map { try NamedPosition($0, in: library, listing, settings) }
    if let named, named.albums == nil { StandardError.note("this is \(named.text)") }
    let filter = try listing.filter(library, taken: named?.taken, albums: named?.albums)
    let all = try listing.joined(library, settings)
    // A store has no files, so recreations are assigned to the spots that were recorded with them.
    let recreated = RecreationTimes(stateFolder: listing.state.folder, log: .terminal)
      .times(in: all as? SpotIndex ?? SpotIndex(spots: []))
    let latest = notRecreatedSince.map { Instant.now.advanced(bySeconds: -$0.seconds) }
    let reach = try named?.radiusMeters ?? settings.proximityRadiusMeters
    let isWanted = { (spot: PhotoSpot) in
      if let named, named.albums == nil, spot.coordinate.distance(to: named.coordinate) > reach {
        return false
      }
      guard let latest, let time = recreated[spot.id] else { return true }
      return time < latest
    }
    let spots = Array(
      try all.listed(in: box?.box).lazy.filter { isWanted($0) && filter.accepts($0) }
        .prefix(listing.limit?.count ?? .max))
    try listing.show(
      spots.map { SpotListing(spot: $0, lastRecreated: recreated[$0.id]) }, library)
    if spots.isEmpty { try filter.reportEmptyResult(in: library) }
  }
}
