public import CivilTime
public import KeptPlaces
import PhotoLibrary
import Spatial
import SystemPackage

/// A change to the places of the user's own, as requested.
public struct PlaceWork: Sendable {
  enum Change: Sendable {
    case add(PlaceFields)
    case change(PlaceID, PlaceChange)
    case remove(PlaceID)
    case restore(PlaceID)
    case addNote(PlaceID, PlaceNote)
    case changeNote(PlaceID, noteID: String, text: String)
    case removeNote(PlaceID, noteID: String)
  }

  let change: Change
  /// The state of the place that the change is made for; `nil` for any.
  var expected: KeptPlace?

  init(change: Change) { self.change = change }

  /// Applies the change to a document.
  ///
  /// - Parameters:
  ///   - document: The current places.
  ///   - now: The current time.
  /// - Returns: The id of the place.
  /// - Throws: `PlaceError` where the place no longer exists, was changed meanwhile, or a value
  ///   exceeds a limit; the document is then unchanged.
  public func apply(
    to document: inout PlaceDocument, now: Instant
  ) throws(PlaceError) -> PlaceID {
    if let expected {
      guard let current = document[expected.id] else { throw .missing(expected.id) }
      guard current == expected else { throw .changed(expected.id) }
    }
    switch change {
    case .add(let fields): return try document.add(fields, now: now).id
    case .change(let id, let change):
      return try document.change(id, now: now) { change.apply(to: &$0) }.id
    case .remove(let id):
      try document.remove(id, now: now)
      return id
    case .restore(let id): return try document.restore(id, now: now).id
    case .addNote(let id, let note):
      return try document.change(id, now: now) { $0.notes.append(note) }.id
    case .changeNote(let id, let noteID, let text):
      return try document.change(id, now: now) { fields in
        for place in fields.notes.indices where fields.notes[place].id == noteID {
          fields.notes[place].text = text
        }
      }.id
    case .removeNote(let id, let noteID):
      return try document.change(id, now: now) { fields in
        fields.notes.removeAll { $0.id == noteID }
      }.id
    }
  }
}

/// Changes to the fields of a place; `nil` leaves a field unchanged.
struct PlaceChange: Sendable {
  var coordinate: Coordinate?
  var name: String?
  var kind: String?
  /// The new radius; `.some(nil)` removes the place's own radius.
  var radiusMeters: Double??
  /// The id of the spot to pin the place to; `.some(nil)` unpins it.
  var spotID: String??
  var collections: [String]?
  /// The photos to detach and to attach.
  var photos: (removed: [FilePath], added: [FilePath]) = ([], [])

  func apply(to fields: inout PlaceFields) {
    if let coordinate { fields.coordinate = coordinate }
    if let name { fields.name = name }
    if let kind { fields.kind = kind }
    if let radiusMeters { fields.alertRadiusMeters = radiusMeters }
    if let spotID { fields.spotID = spotID }
    if let collections { fields.collections = collections }
    let removed = Set(photos.removed)
    fields.photos.removeAll { removed.contains($0) }
    let known = Set(fields.photos)
    fields.photos += photos.added.filter { !known.contains($0) }
  }
}

extension Problem {
  /// Creates the problem for a rejected change of a place.
  public init(_ error: PlaceError) {
    let parameter: String? =
      switch error {
      case .missing, .notRemoved, .changed, .exists, .path: nil
      case .radius: "radius"
      case .spotID: "spot"
      case .tooLong, .tooMany, .empty: "body"
      }
    switch error {
    case .missing: self.init(.notFound, "There is no place with this id, or it was removed.")
    case .notRemoved:
      self.init(
        .notFound, "There is no removed place with this id; removed places are kept for 30 days.")
    case .changed: self = .precondition
    case .exists, .path, .radius, .spotID, .tooLong, .tooMany, .empty:
      self.init(.badParameter, "\(error).", parameter: parameter)
    }
  }
}
