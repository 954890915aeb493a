import ArgumentParser
import CivilTime
import Encodings
import KeptPlaces
import PhotoLibrary
import ProgramSettings
import Storage
import TerminalOutput

/// The command `photospots places list`.
struct ListPlacesCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the places by name.")

  @Option(help: ArgumentHelp("Only places of a collection.", valueName: "name"))
  var collection: String?

  @Option(help: ArgumentHelp("Only places of a kind.", valueName: "text"))
  var kind: String?

  @Flag(help: "Only places removed in the last 30 days.")
  var removed = false

  @OptionGroup var places: PlaceArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    let document = try places.store().load()
    let all = removed ? document.removedPlaces(now: .now) : document.places
    let chosen = all.filter { place in
      (kind.map { place.kind.lowercased() == $0.lowercased() } ?? true)
        && (collection.map { name in
          place.collections.contains { $0.lowercased() == name.lowercased() }
        } ?? true)
    }
    let named = chosen.map { (name: PlaceText.name($0), place: $0) }
    let listed = named.sorted { ($0.name, $0.place.id) < ($1.name, $1.place.id) }.map(\.place)
    switch places.format {
    case .text: try StandardOutput.write(PlaceText.rows(listed))
    case .json: try StandardOutput.write(json: PlaceText.json(listed))
    }
    if listed.isEmpty {
      StandardError.note(
        all.isEmpty && !removed
          ? "there are no places; '\(places.state.commands.text("places add"))' adds one"
          : "no place matches")
    }
  }
}

/// The command `photospots places show`.
struct ShowPlaceCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a place with its notes, photos and collections.")

  @Argument(help: ArgumentHelp("The id of the place.", valueName: "place"))
  var place: String

  @OptionGroup var places: PlaceArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    let document = try places.store().load()
    let id = try PlaceReference.id(
      place, among: document.places + document.removedPlaces(now: .now),
      advice: "'\(places.state.commands.text("places list"))' lists them")
    guard let found = document[id] ?? document.removedPlace(id, now: .now) else { return }
    switch places.format {
    case .text: try StandardOutput.write(PlaceText.details(found))
    case .json: try StandardOutput.write(json: PlaceText.json(found))
    }
  }
}

/// The command `photospots places duplicates`.
struct DuplicatesCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "duplicates",
    abstract: "Find duplicate places, and merge them with --merge.",
    discussion: """
      Two places are probable duplicates if they are within the cluster radius of each other and \
      have the same name, or one of them has no name; or if they share a photo. A merge adds the \
      notes, photos and collections of the newer place to the older one and removes the newer one, \
      which 'restore' restores.
      """)

  @Flag(help: "Merge them.")
  var merge = false

  @OptionGroup var places: PlaceArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    let radius = try places.settings.resolve().clusterRadiusMeters
    let store = try places.store()
    let document = try store.load()
    var duplicates = document.duplicates(within: radius)
    if merge, !duplicates.isEmpty {
      let now = Instant.now
      duplicates = try store.update(now: now) { document throws(PlaceError) in
        // The document may have changed in the meantime.
        let found = document.duplicates(within: radius)
        for duplicate in found {
          try document.join(duplicate.newer, to: duplicate.older, now: now)
        }
        return found
      }
    }
    switch places.format {
    case .text:
      try StandardOutput.write(duplicates.map { line($0, document) }.joined())
      if duplicates.isEmpty { StandardError.note("there are no duplicate places") }
    case .json:
      var writer = JSONWriter(layout: .indented)
      writer.array { writer in
        for duplicate in duplicates { write(duplicate, to: &writer) }
      }
      writer.newline()
      try StandardOutput.write(json: writer.takeBytes())
    }
  }

  private func line(_ duplicate: PlaceDuplicate, _ document: PlaceDocument) -> String {
    func name(_ id: PlaceID) -> String {
      let name = document[id].map { PlaceText.name($0).escaped } ?? ""
      return "\(id) '\(name)'"
    }
    let reason =
      switch duplicate.reason {
      case .sameName(let meters): "the same name, \(Distance.text(meters)) apart"
      case .noOtherName(let meters): "\(Distance.text(meters)) apart, and one has no name"
      case .samePhoto(let path): "the same photo \(path.escaped)"
      }
    let beginning = "\(name(duplicate.newer)) \(merge ? "joined to" : "is probably") "
    return StandardOutput.row(beginning, "\(name(duplicate.older)): \(reason)") + "\n"
  }

  private func write(_ duplicate: PlaceDuplicate, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("older", duplicate.older.description)
      writer.member("newer", duplicate.newer.description)
      switch duplicate.reason {
      case .sameName(let meters):
        writer.member("reason", "sameName")
        writer.member("distance", (meters * 10).rounded() / 10)
      case .noOtherName(let meters):
        writer.member("reason", "noOtherName")
        writer.member("distance", (meters * 10).rounded() / 10)
      case .samePhoto(let path):
        writer.member("reason", "samePhoto")
        writer.member("photo", name: path.bytes)
      }
      writer.member("merged", merge)
    }
  }
}
