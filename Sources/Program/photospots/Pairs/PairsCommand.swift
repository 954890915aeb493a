import ArgumentParser
import Encodings
import PhotoLibrary
import Pictures
import ProgramSettings
import SystemPackage
import TerminalOutput
import ThenAndNow

/// The command `photospots pairs`.
struct PairsCommand: PhotoSpotsSubcommand {
  /// The output format of pairs.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  static let configuration = CommandConfiguration(
    commandName: "pairs",
    abstract: "Find photos of the same view taken years apart, the best first.",
    discussion: """
      The photos of a spot are aligned with each other, from any camera; the score, from 0 to 100, \
      rates the alignment. A later photo is listed once, with the oldest photo that it matches, \
      and is marked 'taken again' if it matches well. Results are stored, so that the next run \
      compares only new photos. At most 80 photos and 240 pairs of a spot are compared: the \
      nearest in position, direction and focal length, of each year in turn. JPEG and most RAW \
      files are compared, HEIC where libheif is installed, but not PNG, WebP and GIF.
      """)

  @Option(
    help: ArgumentHelp("Only pairs of this spot.", valueName: "id"), completion: Completions.spots)
  var spot: String?

  @Option(
    help: ArgumentHelp(
      "Only pairs with a photo in a folder of this name, or of a name that begins with it.",
      valueName: "name"),
    completion: Completions.albums)
  var album: String?

  @Option(
    help: ArgumentHelp("The minimum number of years between two photos, 0–200.", valueName: "years")
  )
  var minYears = 5.0

  @Option(parsing: .unconditional, help: ArgumentHelp("List at most n entries.", valueName: "n"))
  var limit: CountArgument?

  @Flag(help: "List every pair of a view, instead of each later photo once.")
  var all = false

  @Option(help: "The output format.")
  var format = Format.text

  @Flag(help: "The same as --format json.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Also write a page that shows the first \(PairPageFile.maximumPairs) pairs with sliders.",
      valueName: "file"),
    completion: .file(extensions: ["html"]))
  var html: String?

  @OptionGroup var index: IndexArguments
  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    try limit?.check("--limit")
    try ListingArguments.check(album: album)
    try Paths.checkIsNamed(html, as: "--html")
    guard (0...200).contains(minYears) else {
      throw ValidationError("--min-years \(minYears) is out of range 0–200")
    }
  }

  func run() throws {
    let radius = try settings.resolve().clusterRadiusMeters
    let photos = try index.open(clusterRadius: radius)
    let spots = SpotIndex(photos, clusterRadius: radius)
    let filter = albumFilter(photos)
    // An output path that cannot be used is reported before the search.
    let page = try html.map { try PairPageFile(path: Paths.absolute($0)) }
    let monitor = PairMonitor()
    let pairs = try search(photos, spots, filter, monitor)
    let listed = Array(
      (all ? pairs.sorted { $0.isBetter(than: $1) } : FoundPair.listed(of: pairs))
        .prefix(limit?.count ?? .max))
    let listing = PairListing(pairs: listed, index: photos, spots: spots)
    try listing.show(asJSON: json || format == .json)
    guard !photos.isCutOff else { throw MessageError.cutOff }
    try reportRest(monitor)
    if listed.isEmpty { reportEmptyResult(filter, photos) }
    if let page { try write(listing, to: page) }
    if monitor.progress.unreadable > 0 { throw ExitCode.someUnreadable }
  }

  /// Returns a filter of the photos of the album.
  private func albumFilter(_ photos: PhotoIndex) -> (photos: PhotoFilter?, unknown: String?) {
    guard let album else { return (nil, nil) }
    let albums = AlbumName.matches(album, among: photos.albums)
    return (PhotoFilter(albums: albums), albums.isEmpty ? album : nil)
  }

  private func search(
    _ photos: PhotoIndex, _ spots: SpotIndex,
    _ filter: (photos: PhotoFilter?, unknown: String?), _ monitor: PairMonitor
  ) throws -> [FoundPair] {
    let places = try spot.map { text in
      let id = try SpotReference.id(
        text, in: spots, advice: "'\(index.commands().text("spots"))' lists them")
      return spots.place(ofID: id).map { [$0] } ?? []
    }
    guard filter.unknown == nil else { return [] }
    _ = try StopSignal.observe()
    let search = PairSearch(
      photos, spots: spots, folder: Paths.caches.appending("pairs"), minimumYears: minYears,
      isWanted: { photo in
        filter.photos.map { $0.accepts(photos.shot(at: Int(photo))) } ?? true
      }, maker: .confined, monitor: monitor
    ) { error in
      StandardError.writeLine(
        "photospots: the comparisons cannot be stored in \(Paths.caches.escaped): \(error)")
    }
    let display = ProgressDisplay(monitor)
    defer { display.stop() }
    return search?.pairs(
      ofSpotsAt: places ?? Array(spots.spots.indices), threads: PictureStore.processors) ?? []
  }

  private func write(_ listing: PairListing, to page: PairPageFile) throws {
    let path = page.path.escaped
    let (count, uncertainty) = try page.write(
      listing.pairs, of: listing.index, listing.spots, by: .confined,
      isCancelled: { StopSignal.isRequested })
    if let uncertainty {
      StandardError.writeLine(
        "photospots: \(path) is written, but may not survive a crash: \(uncertainty)")
    }
    StandardError.note("\(count == 1 ? "1 pair" : "\(count) pairs") on the page \(path)")
  }

  private func reportEmptyResult(
    _ filter: (photos: PhotoFilter?, unknown: String?), _ photos: PhotoIndex
  ) {
    if photos.photoCount == 0 || filter.unknown != nil {
      ListingFilter(accepts: { _ in true }, album: filter.unknown).reportEmptyResult(in: photos)
    } else {
      StandardError.note(
        "no two photos of the same view were taken at least \(Self.years(minYears)) years apart")
    }
  }

  /// Formats a number of years, with one decimal unless it is a whole number.
  private static func years(_ years: Double) -> String {
    Fixed.text(years, decimals: years == years.rounded() ? 0 : 1)
  }

  /// Reports the number of compared photos, and the photos that could not be compared.
  ///
  /// - Throws: A `MessageError` if the search was interrupted. The pairs are then incomplete, and
  ///   an existing page is not replaced.
  private func reportRest(_ monitor: PairMonitor) throws {
    let progress = monitor.progress
    StandardError.detail(
      """
      compared \(Count.text(progress.compared)) pairs in \(Count.text(progress.done)) spots; \
      \(Count.text(progress.known)) were compared in earlier runs
      """)
    for (count, what) in [
      (progress.withoutPicture, "no picture can be made"),
      (progress.damaged, "the picture is cut off, or too plain to be compared"),
      (
        progress.gone, "gone or changed since the last '\(index.commands().text("index"))'"
      ),
      (progress.unreadable, "the file cannot be read"),
    ] where count > 0 {
      StandardError.note("\(Count.text(count)) \(count == 1 ? "photo" : "photos"): \(what)")
    }
    if monitor.isCancelled {
      throw MessageError(
        "interrupted. The comparisons are saved; run the same command again to continue.")
    }
  }
}
