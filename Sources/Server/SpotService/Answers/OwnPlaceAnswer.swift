import CivilTime
import Encodings
import KeptPlaces
import PhotoLibrary
import Spatial
import Storage
import SystemPackage

/// Writes the description of a place of the user's own.
struct OwnPlaceAnswer {
  /// The maximum number of notes, and of photos, in an item of a list.
  static let listedCount = 5

  let library: ServedLibrary
  let places: ServedPlaces

  /// Writes a place with the members `id latitude longitude name kind radius collections notes
  /// noteCount photos photoCount spot created changed removed`, and if known `distance bearing`.
  ///
  /// Photos are written as those of a spot; a file that is not in the index has only `name`.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - approach: The distance and direction of the place.
  ///   - isListed: Whether the place is an item of a list, which has only the newest notes and the
  ///     first photos.
  ///   - writer: Receives the object.
  func write(
    _ place: KeptPlace, approach: SpotAnswer.Approach? = nil, isListed: Bool,
    to writer: inout JSONWriter
  ) {
    let (notes, photos) = (place.notes, shots(of: place.photos))
    let limit = isListed ? Self.listedCount : .max
    writer.object { writer in
      writer.member("id", place.id.description)
      writer.member("latitude", degrees: place.coordinate.latitude)
      writer.member("longitude", degrees: place.coordinate.longitude)
      writer.member("name", place.title)
      writer.member("kind", place.kind.isEmpty ? OwnPlace.unnamedKind : place.kind)
      writer.nullable("radius", place.alertRadiusMeters)
      writer.array("collections") { writer in
        for name in place.collections { writer.string(name) }
      }
      writer.array("notes") { writer in
        for note in notes.prefix(limit) {
          writer.object { writer in
            writer.member("id", note.id)
            writer.member("time", note.time.iso8601)
            writer.member("text", note.text)
          }
        }
      }
      writer.member("noteCount", notes.count)
      writer.array("photos") { writer in
        for photo in photos.prefix(limit) { write(photo, to: &writer) }
      }
      writer.member("photoCount", photos.count)
      writer.nullable("spot", places.spotID(of: place))
      writer.member("created", place.createdTime.iso8601)
      writer.member("changed", place.changedTime.iso8601)
      writer.nullable("removed", place.removedTime?.iso8601)
      writer.member("distance", approach?.distanceMeters.decimeters)
      writer.member("bearing", approach.map { $0.bearingDegrees.decimeters })
    }
  }

  /// A photo in the index, or a file that is not in it.
  private enum Shot: Hashable {
    case photo(Int32)
    case file(FilePath)
  }

  /// Returns the shots of files without duplicates, in the order of the files.
  private func shots(of files: [FilePath]) -> [Shot] {
    var seen: Set<Shot> = []
    return files.compactMap { file in
      let shot = library.photo(ofFileAt: file).map { Shot.photo($0) } ?? .file(file)
      return seen.insert(shot).inserted ? shot : nil
    }
  }

  private func write(_ shot: Shot, to writer: inout JSONWriter) {
    switch shot {
    case .photo(let number):
      let spot = library.spotPlace(ofPhoto: number).map { library.spots.spots[$0].id }
      PhotoAnswer(library: library).write(number, spotID: spot, to: &writer)
    case .file(let path):
      writer.object { $0.member("name", name: path.name) }
    }
  }

  /// Writes `ownPlace`, an object of `id name kind notes` (a number), for a place that is pinned to
  /// a spot.
  static func writePin(_ place: OwnPlace?, to writer: inout JSONWriter) {
    guard let place else { return }
    writer.object("ownPlace") { writer in
      writer.member("id", place.id)
      writer.member("name", place.name)
      writer.member("kind", place.kind)
      writer.member("notes", place.notes.count)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func nullable(_ key: String, _ value: Double?) {
    self.key(key)
    if let value { number(value) } else { null() }
  }

  fileprivate mutating func nullable(_ key: String, _ value: String?) {
    self.key(key)
    if let value { string(value) } else { null() }
  }
}
