import ArgumentParser
import CivilTime
import PhotoLibrary
import Spatial
import SpotExport

/// `photospots spots`
struct SpotsCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "spots", abstract: "List every spot, those with the most photos first.")

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only spots in this box, edges in degrees; W > E crosses the 180° meridian.",
      valueName: "s,w,n,e"))
  var box: BoxArgument?

  @Option(
    help: ArgumentHelp(
      "Only spots whose photos were not taken again in this time: 1y, 90d.", valueName: "d"))
  var notRecreatedSince: SecondsArgument?

  @OptionGroup var listing: ListingArguments
  @OptionGroup var index: IndexArguments
  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    if let notRecreatedSince, notRecreatedSince.seconds < 0 {
      throw ValidationError("--not-recreated-since must not be negative")
    }
  }

  func run() throws {
    let settings = try settings.resolve()
    let radius = try settings.clusterRadiusMeters
    let photos = try index.open(clusterRadius: radius)
    let filter = listing.filter(photos)
    let all = try listing.joined(SpotIndex(photos, clusterRadius: radius), settings)
    let recreated = RecreationTimes(stateFolder: listing.state.folder).times(in: all)
    let latest = notRecreatedSince.map { Instant.now.advanced(bySeconds: -$0.seconds) }
    let isWanted = { (spot: PhotoSpot) in
      guard let latest, let time = recreated[spot.id] else { return true }
      return time < latest
    }
    let candidates = box.map { all.listed(in: $0.box) } ?? all.listed
    let spots = Array(
      candidates.lazy.filter { isWanted($0) && filter.accepts($0) }
        .prefix(listing.limit?.count ?? .max))
    try listing.show(
      spots.map { SpotListing(spot: $0, lastRecreated: recreated[$0.id]) }, photos,
      clusterRadiusMeters: radius)
    if spots.isEmpty { filter.tellOfNothing(in: photos) }
  }
}
