import ArgumentParser
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

  @OptionGroup var listing: ListingArguments
  @OptionGroup var index: IndexArguments
  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    let settings = try settings.resolve()
    let radius = try settings.clusterRadiusMeters
    let photos = try index.open(clusterRadius: radius)
    let filter = listing.filter(photos)
    let all = SpotIndex(photos, clusterRadius: radius)
    let candidates = box.map { all.listed(in: $0.box) } ?? all.listed
    let spots = Array(
      candidates.lazy.filter(filter.accepts).prefix(listing.limit?.count ?? .max))
    try listing.show(
      spots.map { SpotListing(spot: $0) }, photos, clusterRadiusMeters: radius)
    if spots.isEmpty { filter.tellOfNothing(in: photos) }
  }
}
