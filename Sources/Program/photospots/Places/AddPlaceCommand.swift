import ArgumentParser
import CivilTime
import Encodings
import KeptPlaces
import LocationFeeds
import PhotoLibrary
import ProgramSettings
import Spatial
import SpotAlerts
import SpotWatcher
import SystemPackage
import TerminalOutput

/// The command `photospots places add`.
struct AddPlaceCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a place.",
    discussion: """
      The position is written as for 'near', or as 'here of DEVICE': the last position that \
      'watch' or 'serve' received from the device ('photospots devices' lists them; - is the \
      device without a name). With --spot, the default is the position of the spot.
      """)

  @Argument(
    help: ArgumentHelp(
      "Latitude and longitude, or 'here of' and a device.", valueName: "lat lon"))
  var position: [String] = []

  @Option(
    help: ArgumentHelp(
      "The name (default: the name of the spot or town).", valueName: "text"))
  var name: String?

  @Option(help: ArgumentHelp("The kind of place, such as viewpoint.", valueName: "text"))
  var kind: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The alert radius, 10 to 5000 m (default: the setting proximityRadius).", valueName: "m"))
  var radius: MetersArgument?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A collection of the place.", valueName: "name"))
  var collection: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A note about the place.", valueName: "text"))
  var note: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A photo of the place.", valueName: "file"), completion: .file())
  var photo: [String] = []

  @Option(
    help: ArgumentHelp("The spot to pin the place to.", valueName: "spot"),
    completion: Completions.spots)
  var spot: String?

  @OptionGroup var index: IndexArguments
  @OptionGroup var places: PlaceArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    guard spot == nil || !position.isEmpty else { return }
    guard Self.device(position) == nil else { return }
    try PositionArgument.validate(position)
  }

  func run() throws {
    let pinned = try spot.map {
      try PinnedSpot.find(
        $0, index, places.state, radius: places.settings.resolve().clusterRadiusMeters)
    }
    let now = Instant.now
    var fields = PlaceFields(
      coordinate: try coordinate(pinned), name: name ?? "", kind: kind ?? "",
      alertRadiusMeters: radius?.meters, spotID: pinned?.id,
      notes: note.map { PlaceNote(text: $0.argumentText, time: now) },
      photos: try AttachedPhotos.paths(photo), collections: collection)
    if name == nil {
      fields.name = pinned?.placeName ?? PlaceName.title(of: fields.coordinate)
    }
    try places.update("kept") { [fields] document, now throws(PlaceError) in
      try document.add(fields, now: now)
    }
  }

  private func coordinate(_ pinned: PhotoSpot?) throws -> Coordinate {
    if position.isEmpty, let pinned { return pinned.coordinate }
    guard let device = Self.device(position) else {
      return try PositionArgument.coordinate(position)
    }
    return try Self.position(of: device, in: places.state)
  }

  /// Returns the device named by `here of DEVICE`; `nil` for any other text.
  private static func device(_ position: [String]) -> String? {
    let words = position.joined(separator: " ").split(separator: " ", maxSplits: 2)
    guard words.count == 3, words[0].lowercased() == "here", words[1].lowercased() == "of" else {
      return nil
    }
    return String(words[2])
  }

  /// Returns the last position of a device.
  private static func position(of device: String, in state: StateArguments) throws -> Coordinate {
    let reports = try DeviceLog.reports(in: state.folder) { damage in
      StandardError.writeLine("photospots: \(damage)")
    }
    let name = device == "-" ? nil : device
    guard let report = reports.first(where: { $0.device == name }),
      let position = report.fix?.coordinate
    else {
      let names = reports.filter { $0.fix != nil }.prefix(8)
        .map { $0.device?.escaped ?? "-" }.joined(separator: ", ")
      let (watch, serve) = (
        state.commands.text("watch", "SOURCE"), state.commands.text("serve")
      )
      throw MessageError(
        "no position of '\(device.escaped)' is recorded; "
          + (names.isEmpty
            ? "run '\(watch)' or '\(serve)' to receive one"
            : "devices with a position: \(names)"))
    }
    let age = Instant.now.seconds(since: report.heard)
    if age > 600 {
      StandardError.note("'\(device.escaped)' was there \(DurationText.text(age)) ago")
    }
    return position
  }
}

/// The spot to which a place is pinned.
enum PinnedSpot {
  /// Finds a spot of the index by its id or a prefix of it.
  static func find(
    _ text: String, _ index: IndexArguments, _ state: StateArguments, radius: Double
  ) throws -> PhotoSpot {
    let photos = try index.open(clusterRadius: radius)
    let spots = SpotIndex(photos, clusterRadius: radius)
    let id = try SpotReference.id(
      text, in: spots, advice: "'\(index.commands(state).text("spots"))' lists them")
    guard let spot = try spots.spot(ofID: id), !photos.isCutOff else {
      throw MessageError.cutOff
    }
    return spot
  }
}

extension String {
  /// The text of an argument without the leading space that keeps the parser from treating a
  /// negative number as an option.
  var argumentText: String { hasPrefix(" -") ? String(dropFirst()) : self }
}
