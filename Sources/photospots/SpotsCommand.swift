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
    let photos = try index.load()
    var spots = photos.spots(clusterRadius: try settings.clusterRadiusMeters)
    if let box { spots.removeAll { !box.box.contains($0.coordinate) } }
    let filter = listing.filter(photos)
    spots.removeAll { !filter.accepts($0.members[...]) }
    if let limit = listing.limit { spots.removeLast(max(0, spots.count - limit.count)) }
    try listing.show(
      spots.map { SpotListing(spot: $0) }, photos,
      clusterRadiusMeters: settings.clusterRadiusMeters)
    if spots.isEmpty { filter.tellOfNothing(in: photos) }
  }
}
