package import CivilTime
package import Spatial

/// A place as read from, or to be written to, a file of another program.
package struct PlaceRecord: Hashable, Sendable {
  /// A text about a place.
  package struct Note: Hashable, Sendable {
    /// The text; it may have several lines.
    package var text: String
    /// The time of the note; `nil` where the file has none.
    package var time: Instant?
    /// The id among the notes of the place, in files of this program; `nil` where there is none.
    package var id: String?

    /// Creates a note.
    package init(text: String, time: Instant? = nil, id: String? = nil) {
      (self.text, self.time, self.id) = (text, time, id)
    }
  }

  /// A field that may be emptied in a file of this program, with its name in tables.
  package enum EmptyField: String, CaseIterable, Sendable {
    case name, radius, notes
  }

  /// The position.
  package var coordinate: Coordinate
  /// The name; empty where the place has none.
  package var name = ""
  /// The kind, in free text; `nil` where there is none.
  package var kind: String?
  /// The notes, newest first.
  package var notes: [Note] = []
  /// The names of the collections that the place belongs to, without duplicates.
  package var collections: [String] = []
  /// The radius in metres within which the place alerts, within ``RecordLimits/radiusMeters``;
  /// `nil` where there is none.
  package var alertRadiusMeters: Double?
  /// The creation time; `nil` where the file has none.
  package var created: Instant?
  /// The time of the last change; `nil` where the file has none.
  package var changed: Instant?
  /// The absolute paths of the photos, as bytes.
  package var photos: [[UInt8]] = []
  /// The place's id in this program, in files written by it.
  package var ownID: String?
  /// The place's id in the other program, if it is unique beyond the file.
  package var sourceID: String?

  /// Whether ``collections`` are all of the place, so that others were removed in the file. Only a
  /// file of this program says so.
  package var hasAllCollections = false
  /// The number of the record's version in its file; of several, the latest counts.
  package var version: Int?
  /// Whether ``notes`` are all of the place, in the same way.
  package var hasAllNotes = false
  /// The fields that a file of this program holds, and that are empty in it.
  package var emptyFields: Set<EmptyField> = []
  /// The pictures of the file's archive that the place shows, by their names in it.
  package var archivedPictures: [String] = []
  /// The names of the photos' files in the archive, by the paths of the photos. Only an archive of
  /// this program says so.
  package var archiveNames: [[UInt8]: String] = [:]
  /// The parts that are not kept, until the record is added to its file, which counts them.
  var losses: [PlaceFile.Reason] = []
  /// The names of values without a field, until the record is added to its file.
  var unread: [String] = []

  /// Creates a record with only a position.
  package init(coordinate: Coordinate) {
    self.coordinate = coordinate
  }

  /// Returns bytes that identify the record: ``sourceID``, or without one the name and the position
  /// to 1e-6°.
  ///
  /// Their hash is the id of the imported place, so repeated imports result in the same place.
  ///
  /// - Parameter format: The format, within which ``sourceID`` is unique.
  /// - Returns: The bytes.
  package func key(format: PlaceFormat) -> [UInt8] {
    var key = Array(format.rawValue.utf8) + [0]
    if let sourceID {
      key += Array("id".utf8) + [0] + Array(sourceID.utf8)
    } else {
      let steps = [coordinate.latitude, coordinate.longitude].map {
        String(Int64(saturating: ($0 * 1e6).rounded()))
      }
      key += Array("at".utf8) + [0] + Array("\(steps[0]) \(steps[1]) ".utf8)
      // Files that were imported earlier had single spaces in names.
      key += Array(PlaceText.singleSpaced(name).utf8)
    }
    return key
  }

  /// Returns whether a text has the form of an id of this program: sixteen digits of Crockford's
  /// base32 in lower case.
  package static func isPlaceID(_ text: String) -> Bool {
    text.utf8.count == 16
      && text.utf8.allSatisfy { "0123456789abcdefghjkmnpqrstvwxyz".utf8.contains($0) }
  }
}
