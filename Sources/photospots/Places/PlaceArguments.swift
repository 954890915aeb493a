import ArgumentParser
import CivilTime
import Interchange
import KeptPlaces
import Storage
import SystemPackage

/// The flags of every subcommand of `places`.
struct PlaceArguments: ParsableArguments {
  /// How places are written.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Option(help: "How to write places.")
  var format = Format.text

  @OptionGroup var state: StateArguments
  @OptionGroup var settings: SettingsArguments

  /// The places of the state folder.
  func store() throws -> PlaceStore {
    try settings.resolve().placeStore(stateFolder: state.folder)
  }

  /// Changes places, and says how one of them is then.
  ///
  /// - Parameters:
  ///   - verb: What was done: `kept`.
  ///   - change: Makes the change and returns the place.
  /// - Throws: The error of the store, or of standard output.
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

  /// Changes fields of the place that a text names.
  func change(
    _ reference: String, _ verb: String,
    _ change: (inout PlaceFields) throws(PlaceError) -> Void
  ) throws {
    let id = try id(reference)
    try update(verb) { document, now throws(PlaceError) in
      try document.change(id, now: now, change)
    }
  }

  /// Looks up which place a text names.
  func id(_ text: String) throws -> PlaceID {
    try PlaceReference.id(
      text, among: try store().load().places, advice: "'photospots places list' lists them")
  }
}

extension Settings {
  /// The file of places; `nil` where it lies in the state folder.
  var placesFile: FilePath? {
    get throws {
      guard case .placesFile(let path) = try value(.placesFile) else { return nil }
      return path.flatMap(Places.expanded)
    }
  }

  /// The places of a state folder; what is found damaged is told on standard error.
  func placeStore(stateFolder: FilePath) throws -> PlaceStore {
    PlaceStore(stateFolder: stateFolder, file: try placesFile) { notice in
      StandardError.writeLine("photospots: \(notice)")
    }
  }
}

/// The naming of places by their ids, which may be shortened where that is unique.
enum PlaceReference {
  /// The fewest characters of an id that name a place.
  private static let minimumLength = 4

  /// Looks up the place that a text names: by its id or the beginning of it, in either case.
  static func id(_ text: String, among places: [KeptPlace], advice: String) throws -> PlaceID {
    let start = text.lowercased()
    let isLongEnough = start.utf8.count >= minimumLength
    let matches =
      isLongEnough ? places.map(\.id).filter { $0.description.hasPrefix(start) } : []
    guard let match = matches.first else {
      let short = isLongEnough ? "" : "; write \(minimumLength) of its characters at least"
      throw Failure("there is no such place: '\(text.escaped)'\(short); \(advice)")
    }
    guard matches.count == 1 else {
      let some = matches.prefix(4).map(\.description).joined(separator: ", ")
      throw Failure(
        "'\(text.escaped)' begins several ids: \(some)\(matches.count > 4 ? ", …" : "")")
    }
    return match
  }
}

/// Photos that are named on the command line.
enum AttachedPhotos {
  /// The absolute paths of photos, which must be there.
  static func paths(_ arguments: [String]) throws -> [FilePath] {
    try arguments.map { argument in
      let path = Places.absolute(argument)
      guard (try? Disk.size(of: path)).flatMap({ $0 }) != nil else {
        throw Failure("there is no file \(path.escaped); name a photo that is on this machine")
      }
      return path
    }
  }
}
