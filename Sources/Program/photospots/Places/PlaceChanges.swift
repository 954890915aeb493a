import ArgumentParser
import CivilTime
import Encodings
import GeoDocuments
import KeptPlaces
import PhotoLibrary
import PlaceTransfer
import ProcessControl
import ProgramSettings
import Storage
import SystemPackage
import TerminalOutput

/// The command `photospots places note`.
struct NotePlaceCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "note", abstract: "Add a dated note to a place.")

  @Argument(help: ArgumentHelp("The id of the place.", valueName: "place"))
  var place: String
  @Argument(help: "The note.")
  var text: String

  @OptionGroup var places: PlaceArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    let note = PlaceNote(text: text, time: .now)
    try places.change(place, "noted at") { fields throws(PlaceError) in fields.notes.append(note) }
  }
}

/// The command `photospots places attach`.
struct AttachCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "attach", abstract: "Attach photos to a place; the files are not moved.")

  @Argument(help: ArgumentHelp("The id of the place.", valueName: "place"))
  var place: String
  @Argument(help: "The photos.", completion: .file())
  var photos: [String]

  @OptionGroup var places: PlaceArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    let paths = try AttachedPhotos.paths(photos)
    try places.change(place, "attached to") { fields throws(PlaceError) in fields.photos += paths }
  }
}

/// The command `photospots places detach`.
struct DetachCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "detach", abstract: "Detach photos from a place; the files are not deleted.")

  @Argument(help: ArgumentHelp("The id of the place.", valueName: "place"))
  var place: String
  @Argument(help: "The photos.", completion: .file())
  var photos: [String]

  @OptionGroup var places: PlaceArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    let paths = photos.map(Paths.absolute)
    let id = try places.id(place)
    let attached = try places.store().load()[id]?.photos ?? []
    if let other = paths.first(where: { !attached.contains($0) }) {
      throw MessageError(
        """
        \(other.escaped) is not attached; \
        '\(places.state.commands.text("places show", "\(id)"))' lists the photos
        """)
    }
    try places.change(place, "detached from") { fields throws(PlaceError) in
      fields.photos.removeAll { paths.contains($0) }
    }
  }
}

/// The command `photospots places collect`.
struct CollectCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "collect", abstract: "Add a place to a collection.")

  @Argument(help: ArgumentHelp("The id of the place.", valueName: "place"))
  var place: String
  @Argument(help: "The name of the collection.")
  var name: String

  @OptionGroup var places: PlaceArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    try places.change(place, "collected") { fields throws(PlaceError) in
      fields.collections.append(name)
    }
  }
}

/// The command `photospots places uncollect`.
struct UncollectCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "uncollect", abstract: "Remove a place from a collection.")

  @Argument(help: ArgumentHelp("The id of the place.", valueName: "place"))
  var place: String
  @Argument(help: "The name of the collection.")
  var name: String

  @OptionGroup var places: PlaceArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    let id = try places.id(place)
    guard try places.store().load()[id]?.collections.contains(name) == true else {
      throw MessageError(
        """
        the place is not in '\(name.escaped)'; \
        '\(places.state.commands.text("places show", "\(id)"))' lists its collections
        """)
    }
    try places.change(place, "uncollected") { fields throws(PlaceError) in
      fields.collections.removeAll { $0 == name }
    }
  }
}

/// The command `photospots places rename`.
struct RenamePlaceCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename a place.")

  @Argument(help: ArgumentHelp("The id of the place.", valueName: "place"))
  var place: String
  @Argument(help: "The name.")
  var name: String

  @OptionGroup var places: PlaceArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    try places.change(place, "renamed") { fields throws(PlaceError) in fields.name = name }
  }
}

/// The command `photospots places move`.
struct MovePlaceCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Change the position of a place.")

  @Argument(help: ArgumentHelp("The id of the place.", valueName: "place"))
  var place: String
  @Argument(help: ArgumentHelp("Latitude and longitude, as for 'near'.", valueName: "lat lon"))
  var position: [String]

  @OptionGroup var places: PlaceArguments
  @OptionGroup var output: OutputArguments

  func validate() throws { try PositionArgument.validate(position) }

  func run() throws {
    let coordinate = try PositionArgument.coordinate(position)
    try places.change(place, "moved") { fields throws(PlaceError) in
      fields.coordinate = coordinate
    }
  }
}

/// The command `photospots places radius`.
struct RadiusCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "radius", abstract: "Set the alert radius of a place.")

  @Argument(help: ArgumentHelp("The id of the place.", valueName: "place"))
  var place: String
  @Argument(
    help: ArgumentHelp(
      "10 to 5000 m, or default for the setting proximityRadius.", valueName: "m"))
  var meters: String

  @OptionGroup var places: PlaceArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    guard meters.lowercased() != "default", MetersArgument(argument: meters) == nil else { return }
    throw ValidationError(
      "the radius '\(meters.escaped)' is not a length; write 10 to 5000 m, or default")
  }

  func run() throws {
    let radius = MetersArgument(argument: meters)?.meters
    try places.change(place, "set") { fields throws(PlaceError) in
      fields.alertRadiusMeters = radius
    }
  }
}

/// The command `photospots places pin`.
struct PinCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "pin", abstract: "Pin a place to a spot, which then has its name and notes.")

  @Argument(help: ArgumentHelp("The id of the place.", valueName: "place"))
  var place: String
  @Argument(help: "The id of the spot.", completion: Completions.spots)
  var spot: String

  @OptionGroup var index: IndexArguments
  @OptionGroup var places: PlaceArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    let radius = try places.settings.resolve().clusterRadiusMeters
    let id = try PinnedSpot.find(spot, index, places.state, radius: radius).id
    try places.change(place, "pinned") { fields throws(PlaceError) in fields.spotID = id }
  }
}

/// The command `photospots places unpin`.
struct UnpinCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "unpin", abstract: "Unpin a place from its spot.")

  @Argument(help: ArgumentHelp("The id of the place.", valueName: "place"))
  var place: String

  @OptionGroup var places: PlaceArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    try places.change(place, "unpinned") { fields throws(PlaceError) in fields.spotID = nil }
  }
}

/// The command `photospots places remove`.
struct RemovePlaceCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a place; 'restore' restores it within 30 days.")

  @Argument(help: ArgumentHelp("The id of the place.", valueName: "place"))
  var place: String

  @OptionGroup var places: PlaceArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    let id = try places.id(place)
    try places.update("removed") { document, now throws(PlaceError) in
      try document.remove(id, now: now)
      guard let removed = document.removedPlace(id, now: now) else { throw .missing(id) }
      return removed
    }
  }
}

/// The command `photospots places restore`.
struct RestorePlaceCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Restore a removed place with its notes, photos and collections.",
    discussion: """
      A place that was removed more than 30 days ago comes back from an export or a backup: \
      'photospots places restore PLACE --from FILE', by its id or its name there. All removed places \
      of a file come back by 'photospots places import FILE --restore'.
      """)

  @Argument(
    help: ArgumentHelp("The id of the place; with --from, or its name.", valueName: "place"))
  var place: String

  @Option(
    help: ArgumentHelp("Restore it from this export or backup.", valueName: "file"),
    completion: .file())
  var from: String?

  @Option(
    help: ArgumentHelp(
      "The folder for photos of the file that are no longer where they were.", valueName: "dir"),
    completion: .directory)
  var photosTo: String?

  @OptionGroup var places: PlaceArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    guard photosTo == nil || from != nil else { throw ValidationError("--photos-to needs --from") }
  }

  func run() throws {
    if let from { return try restore(from: Paths.absolute(from)) }
    let commands = places.state.commands
    let id = try PlaceReference.id(
      place, among: try places.store().load().removedPlaces(now: .now),
      advice: """
        '\(commands.text("places list", "--removed"))' lists the places that can be restored; one that \
        was removed longer ago comes back from a file: \
        '\(commands.text("places restore", "PLACE", "--from", "FILE"))', or \
        '\(commands.text("places import", "FILE", "--restore"))'
        """)
    try places.update("restored") { document, now throws(PlaceError) in
      try document.restore(id, now: now)
    }
  }

  private func restore(from path: FilePath) throws {
    let interruption = Interruption(try StopSignal.observe())
    let file = try PlaceImport(path, .init(), orUntil: interruption)
    let id = try PlaceReference.id(
      place, among: file.choices,
      advice: "\(path.escaped) has \(Count.text(file.choices.count, "place"))")
    guard try places.store().load()[id] == nil else {
      throw MessageError(
        """
        the place \(id) is not removed; '\(places.state.commands.text("places import", "FILE"))' takes \
        what the file says of it
        """)
    }
    let item = file.selecting(id)
    let photos: ArchivedPhotos
    do throws(ArchivedPhotos.Refusal) {
      photos = try ArchivedPhotos(item, folder: photosTo.map(Paths.absolute), asks: true)
    } catch { throw MessageError(PlaceImportText.text(error)) }
    try photos.write(orUntil: interruption)
    try places.update("restored") { document, now throws(PlaceError) in
      _ = try item.apply(
        to: &document, photos: photos, restoresRemoved: true, radiusMeters: 0, now: now)
      guard let place = document[id] else { throw .missing(id) }
      return place
    }
    for line in photos.lines(isDryRun: false) { StandardError.writeLine(line) }
  }
}

/// The command `photospots places merge`.
struct MergePlacesCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge the places of another places.json.",
    discussion: """
      The later value of each field is kept, so that nothing is lost. Merging a file again changes \
      nothing. The other file is not changed.
      """)

  @Argument(help: "The file.", completion: .file())
  var file: String

  @OptionGroup var places: PlaceArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    let other = try document(at: Paths.absolute(file))
    let (before, after) = try places.store().update(now: .now) { document throws(PlaceError) in
      let before = document
      document.merge(other)
      return (before, document)
    }
    StandardError.note(
      "\(Count.text(after.count, "place")) now, \(Count.text(before.count)) before")
    try StandardOutput.write(PlaceCounts(other, before: before, after: after).text + "\n")
  }

  /// Reads the other file. The store's advice about a damaged file and one in another format is for
  /// the file of one's own places.
  private func document(at path: FilePath) throws -> PlaceDocument {
    do throws(PlaceStoreError) { return try PlaceStore.document(at: path) } catch {
      guard case .foreign = error else {
        throw MessageError("nothing was merged: \(error.descriptionOfCopy)")
      }
      throw MessageError(
        """
        nothing was merged: \(path.escaped) is not a places.json of PhotoSpots. Other files of places, such as GPX \
        and KML, are read by: \(places.state.commands.text("places import", path.quoted))
        """)
    }
  }
}
