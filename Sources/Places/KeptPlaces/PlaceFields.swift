import CivilTime
import Encodings
public import PhotoLibrary
public import Spatial
import Storage
public import SystemPackage

/// The values of a place's fields, for reading and changing.
public struct PlaceFields: Equatable, Sendable {
  /// The position, stored to 1e-7°, about a centimetre.
  public var coordinate: Coordinate
  /// The name; empty where the place has none.
  public var name: String
  /// The kind, in the user's own words.
  public var kind: String
  /// The radius in metres within which the place alerts; `nil` for the watcher's radius.
  public var alertRadiusMeters: Double?
  /// The id of the spot that the place is pinned to; `nil` where it is not pinned.
  public var spotID: String?
  /// The notes; newest first in fields read from a place.
  public var notes: [PlaceNote]
  /// The absolute paths of the attached photos.
  public var photos: [FilePath]
  /// The names of the collections that the place belongs to.
  public var collections: [String]

  /// Creates the fields of a place.
  public init(
    coordinate: Coordinate, name: String = "", kind: String = OwnPlace.unnamedKind,
    alertRadiusMeters: Double? = nil, spotID: String? = nil, notes: [PlaceNote] = [],
    photos: [FilePath] = [], collections: [String] = []
  ) {
    self.coordinate = coordinate
    self.name = name
    self.kind = kind
    self.alertRadiusMeters = alertRadiusMeters
    self.spotID = spotID
    self.notes = notes
    self.photos = photos
    self.collections = collections
  }
}

/// The limits of a place's fields. Lengths are in Unicode scalars.
public enum PlaceLimits {
  /// The maximum length of a name.
  public static let name = 200
  /// The maximum length of a kind.
  public static let kind = 60
  /// The maximum length of a note.
  public static let note = 10_000
  /// The maximum length of a collection's name.
  public static let collection = 100
  /// The maximum number of notes of a place.
  public static let noteCount = 1000
  /// The maximum number of photos of a place.
  public static let photoCount = 1000
  /// The maximum number of collections of a place.
  public static let collectionCount = 100
  /// The range of alert radii in metres.
  public static let alertRadiusMeters = 10.0...5000
  /// The maximum length of a path in bytes: PATH_MAX of Linux (limits.h).
  static let path = 4096
}

/// The reason why a place cannot be changed as requested.
public enum PlaceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no place with the id, or it was removed.
  case missing(PlaceID)
  /// There is no removed place with the id.
  case notRemoved(PlaceID)
  /// The place was changed since it was read.
  case changed(PlaceID)
  /// The id is in use.
  case exists(PlaceID)
  /// A text is longer than the maximum, in characters.
  case tooLong(field: String, maximum: Int)
  /// There would be more elements than the maximum.
  case tooMany(field: String, maximum: Int)
  /// A text is empty or consists of white space.
  case empty(field: String)
  /// The radius is out of range.
  case radius(Double)
  /// The id of a spot is malformed.
  case spotID
  /// The path of a photo is not absolute, or too long.
  case path

  /// The problem, with advice about it.
  public var description: String {
    switch self {
    case .missing(let id): "there is no place \(id); 'photospots places list' lists them"
    case .notRemoved(let id):
      """
      there is no removed place \(id); 'photospots places list --removed' lists them, and one that was \
      removed more than 30 days ago comes back from a backup: 'photospots places restore \(id) --from \
      FILE', or all of them by 'photospots places import FILE --restore'
      """
    case .changed(let id): "place \(id) was changed meanwhile; read it again"
    case .exists(let id): "there is already a place \(id)"
    case .tooLong(let field, let maximum):
      "\(field) has at most \(maximum) characters; shorten it"
    case .tooMany(let field, let maximum):
      "a place has at most \(maximum) \(field); remove some first"
    case .empty(let field): "\(field) is empty; write some text"
    case .radius:
      "the radius of a place must be 10 to 5000 m, or absent for the radius of the settings"
    case .spotID: "the id of a spot must have 12 letters and digits; 'photospots spots' lists them"
    case .path: "the path of a photo must be absolute and have at most \(PlaceLimits.path) bytes"
    }
  }
}

extension PlaceFields {
  /// Returns the fields in the form to be stored: rounded position, texts without control
  /// characters, no duplicate collections.
  ///
  /// - Parameters:
  ///   - before: The current fields; values that they already contain are not checked again.
  ///   - cutsTexts: Whether texts and lists beyond a limit are cut; otherwise they are an error.
  /// - Returns: The fields to store.
  /// - Throws: ``PlaceError`` where a field cannot be stored.
  func checked(
    since before: PlaceFields? = nil, cutsTexts: Bool = false
  ) throws(PlaceError) -> PlaceFields {
    var fields = self
    fields.coordinate = Position(coordinate).coordinate
    let check = FieldCheck(cutsTexts: cutsTexts)
    fields.name = try check.line(name, "the name", PlaceLimits.name, before?.name)
    fields.kind = try check.line(kind, "the kind", PlaceLimits.kind, before?.kind)
    if fields.kind.isEmpty { fields.kind = OwnPlace.unnamedKind }
    if let radius = alertRadiusMeters, !PlaceLimits.alertRadiusMeters.contains(radius) {
      guard cutsTexts, radius.isFinite else { throw .radius(radius) }
      fields.alertRadiusMeters = PlaceLimits.clamped(radius)
    }
    if let spotID, spotID != before?.spotID, !Self.isSpotID(spotID) { throw .spotID }
    fields.notes = try check.notes(notes, before?.notes ?? [])
    fields.photos = try check.photos(photos, before?.photos ?? [])
    fields.collections = try check.collections(collections, before?.collections ?? [])
    return fields
  }

  private static func isSpotID(_ text: String) -> Bool {
    text.utf8.count == 12
      && text.utf8.allSatisfy { "0123456789abcdefghjkmnpqrstvwxyz".utf8.contains($0) }
  }
}

extension PlaceLimits {
  /// Returns the nearest valid radius.
  static func clamped(_ radiusMeters: Double) -> Double {
    min(max(radiusMeters, alertRadiusMeters.lowerBound), alertRadiusMeters.upperBound)
  }
}

/// Checks texts and lists against ``PlaceLimits``.
private struct FieldCheck {
  let cutsTexts: Bool

  /// Returns a text as a single line.
  func line(
    _ text: String, _ field: String, _ maximum: Int, _ before: String?
  ) throws(PlaceError) -> String {
    // Compared by bytes, since canonically equivalent strings are equal.
    if let before, ByteText(before) == ByteText(text) { return text }
    return try cut(StoredText.line(text), field, maximum)
  }

  private func cut(
    _ text: String, _ field: String, _ maximum: Int
  ) throws(PlaceError) -> String {
    let scalars = text.unicodeScalars
    guard text.utf8.count > maximum, scalars.count > maximum else { return text }
    guard cutsTexts else { throw .tooLong(field: field, maximum: maximum) }
    return StoredText.trimmed(String(String.UnicodeScalarView(scalars.prefix(maximum))))
  }

  private func bounded<Element>(
    _ elements: [Element], _ field: String, _ maximum: Int, _ before: Int
  ) throws(PlaceError) -> [Element] {
    // A merge may have added elements beyond the limit.
    guard elements.count > max(maximum, before) else { return elements }
    guard cutsTexts else { throw .tooMany(field: field, maximum: maximum) }
    return Array(elements.prefix(maximum))
  }

  /// Returns notes without control characters. Those that have not changed are not checked again.
  func notes(_ notes: [PlaceNote], _ before: [PlaceNote]) throws(PlaceError) -> [PlaceNote] {
    let known = Dictionary(before.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    var checked: [PlaceNote] = []
    for note in notes {
      if let same = known[note.id], same.time == note.time,
        ByteText(same.text) == ByteText(note.text)
      {
        checked.append(note)
        continue
      }
      let text = StoredText.lines(note.text)
      guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
        if cutsTexts { continue }
        throw .empty(field: "the note")
      }
      var kept = note
      kept.text = try cut(text, "a note", PlaceLimits.note)
      checked.append(kept)
    }
    return try bounded(checked, "notes", PlaceLimits.noteCount, before.count)
  }

  func photos(_ photos: [FilePath], _ before: [FilePath]) throws(PlaceError) -> [FilePath] {
    let known = Set(before)
    for path in photos where path.isRelative || path.bytes.count > PlaceLimits.path {
      guard known.contains(path) else { throw .path }
    }
    return try bounded(photos, "photos", PlaceLimits.photoCount, before.count)
  }

  func collections(_ names: [String], _ before: [String]) throws(PlaceError) -> [String] {
    var checked: [String] = []
    for name in names {
      let name = try line(
        name, "the name of a collection", PlaceLimits.collection,
        before.first { ByteText($0) == ByteText(name) })
      guard !name.isEmpty else {
        if cutsTexts { continue }
        throw .empty(field: "the name of a collection")
      }
      // Canonically equivalent names count as the same collection.
      if !checked.contains(name) { checked.append(name) }
    }
    return try bounded(checked, "collections", PlaceLimits.collectionCount, before.count)
  }
}
