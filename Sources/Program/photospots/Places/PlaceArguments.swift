import ArgumentParser
import CivilTime
import Encodings
import KeptPlaces
import PageServer
import PhotoLibrary
import ProgramSettings
import Storage
import SystemPackage
import TerminalOutput

/// The options of every subcommand of `places`.
struct PlaceArguments: ParsableArguments {
  /// The output format of places.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Option(help: "The output format.")
  var format = Format.text

  @OptionGroup var state: StateArguments
  @OptionGroup var settings: SettingsArguments

  /// Opens the places of the state folder.
  func store() throws -> PlaceStore {
    try settings.resolve().placeStore(stateFolder: state.folder, log: .terminal)
  }

  /// Changes the places and prints the changed place.
  ///
  /// - Parameters:
  ///   - verb: The past participle for the printed line, for example `kept`.
  ///   - change: Makes the change and returns the place.
  /// - Throws: The error of the store or of standard output.
  func update(
    _ verb: String,
    _ change: (inout PlaceDocument, Instant) throws(PlaceError) -> KeptPlace
  ) throws {
    let now = Instant.now
    let place = try store().update(now: now) { document throws(PlaceError) in
      try change(&document, now)
    }
    switch format {
    case .text: try StandardOutput.write(PlaceText.line(place, verb: verb))
    case .json: try StandardOutput.write(json: PlaceText.json(place))
    }
  }

  /// Changes fields of the place that a reference names.
  func change(
    _ reference: String, _ verb: String,
    _ change: (inout PlaceFields) throws(PlaceError) -> Void
  ) throws {
    let id = try id(reference)
    try update(verb) { document, now throws(PlaceError) in
      try document.change(id, now: now, change)
    }
  }

  /// Returns the id of the place that a reference names.
  func id(_ text: String) throws -> PlaceID {
    try PlaceReference.id(
      text, among: try store().load().places,
      advice: "'\(state.commands.text("places list"))' lists them")
  }
}

/// The lookup of places by their ids or unique prefixes of them.
enum PlaceReference {
  /// The minimum length of an id's prefix.
  private static let minimumLength = 4

  /// Finds a place by its id or a prefix of it, ignoring case.
  ///
  /// A name is not enough, since several places may have it, but the error message has the ids.
  static func id(_ text: String, among places: [KeptPlace], advice: String) throws -> PlaceID {
    let named = places.filter { $0.name.lowercased() == text.lowercased() }.map(\.id.description)
    let advice =
      named.isEmpty
      ? advice
      : """
      places are chosen by their ids, and that of this name is \
      \(named.prefix(4).joined(separator: " or "))\(named.count > 4 ? " or …" : "")
      """
    return try id(
      text, among: places.map { ($0.id, nil) },
      missing: named.isEmpty ? "there is no such place" : "this is a name and no id", advice: advice
    )
  }

  /// Finds a place by its id, a prefix of it, or its name where it has one, ignoring the case of
  /// ids.
  static func id(
    _ text: String, among places: [(id: PlaceID, name: String?)],
    missing: String = "there is no such place", advice: String
  ) throws -> PlaceID {
    let start = text.lowercased()
    let isLongEnough = start.utf8.count >= minimumLength
    var matches =
      isLongEnough ? places.map(\.id).filter { $0.description.hasPrefix(start) } : []
    if matches.isEmpty { matches = places.filter { $0.name == text }.map(\.id) }
    guard let match = matches.first else {
      let short = isLongEnough ? "" : "; write at least \(minimumLength) characters of an id"
      throw MessageError("\(missing): '\(text.escaped)'\(short); \(advice)")
    }
    guard matches.count == 1 else {
      let some = matches.prefix(4).map(\.description).joined(separator: ", ")
      throw MessageError(
        "'\(text.escaped)' stands for several places: \(some)\(matches.count > 4 ? ", …" : "")"
      )
    }
    return match
  }
}

/// The photos named on the command line.
enum AttachedPhotos {
  /// Returns the absolute paths of the photos, which must exist.
  static func paths(_ arguments: [String]) throws -> [FilePath] {
    try arguments.map { argument in
      let path = Paths.absolute(argument)
      let size: Int64?
      do throws(Errno) { size = try Disk.size(of: path) } catch {
        throw MessageError("\(path.escaped) cannot be looked at: \(error)")
      }
      guard size != nil else {
        throw MessageError("there is no file \(path.escaped); name a photo on this machine")
      }
      return path
    }
  }
}
