import ArgumentParser
import PhotoLibrary
import ProgramSettings
import Spatial
import SpotExport
import TerminalOutput

/// `photospots near`
struct NearCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "near",
    abstract: "List the spots and your own places near a position, nearest first.",
    discussion: """
      The position is latitude and longitude in degrees: near 48.8584 2.2945, near -33.8568 \
      151.2153, near 48.8584,2.2945 or near 48°51'30"N 2°17'40"E; or N48 51.5 E2 17.67, a geo: \
      URI, a link of OpenStreetMap, Google Maps or Apple Maps, or a full Plus code.

      It can also be a name: that of one of your own places, of an album, or of a town in any \
      language: near Wien, near "Paris, France". With a year or a month behind it, only spots with a \
      photo taken then are listed: near Barcelona 2013.
      """)

  @Argument(help: ArgumentHelp("Latitude and longitude, or a name.", valueName: "lat lon"))
  var place: [String]

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The search radius: 100m, 1.5km; up to 20037508 m (default: the setting proximityRadius).",
      valueName: "m"))
  var radius: MetersArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("List the K nearest spots at any distance.", valueName: "k"))
  var nearest: CountArgument?

  @OptionGroup var listing: ListingArguments
  @OptionGroup var index: IndexArguments
  @OptionGroup var store: StoreArguments
  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    if PositionArgument.name(place) == nil { try PositionArgument.validate(place) }
    try nearest?.check("--nearest")
    if let radius, !(0...20_037_508).contains(radius.meters) {
      throw ValidationError("--radius is out of range 0–20037508 m")
    }
  }

  func run() throws {
    let settings = try settings.resolve()
    let library = try QueriedLibrary(index, store, settings, listing)
    let named = try PositionArgument.name(place).map {
      try NamedPosition($0, in: library, listing, settings)
    }
    if let named { StandardError.note("this is \(named.text)") }
    let place = try named?.coordinate ?? PositionArgument.coordinate(place)
    let filter = try listing.filter(library, taken: named?.taken)
    let spots = try listing.joined(library, settings)
    let reach = try radius?.meters ?? named?.radiusMeters ?? settings.proximityRadiusMeters
    let radiusMeters = radius == nil && nearest != nil ? .infinity : reach
    var found =
      if let nearest {
        try spots.nearest(nearest.count, orPinsTo: place, where: filter.accepts)
          .filter { $0.distanceMeters <= radiusMeters }
      } else {
        try spots.spots(orPinsWithin: radiusMeters, of: place).filter { filter.accepts($0.spot) }
      }
    let swapped =
      try named == nil
      ? SwappedPosition(
        of: place, found: found.first?.distanceMeters, withinMeters: reach
      ) { swapped in
        try spots.spots(orPinsWithin: reach, of: swapped).filter { filter.accepts($0.spot) }.count
      } : nil
    if let limit = listing.limit { found.removeLast(max(0, found.count - limit.count)) }
    try listing.show(
      found.map { SpotListing(spot: $0.spot, approach: .init(from: place, to: $0.spot)) }, library)
    if let swapped {
      return StandardError.note(swapped.text(index.commands(listing.state)))
    }
    guard found.isEmpty else { return }
    if let closest = try spots.nearest(1, to: place, where: filter.accepts).first {
      StandardError.note(
        """
        no spot within \(Distance.text(radiusMeters)); the nearest is \
        \(Distance.text(closest.distanceMeters)) away (--nearest 1 shows it)
        """)
    } else {
      try filter.reportEmptyResult(in: library)
    }
  }
}
