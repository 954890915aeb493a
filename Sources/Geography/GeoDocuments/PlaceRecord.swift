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

    /// Creates a note.
    package init(text: String, time: Instant? = nil) {
      (self.text, self.time) = (text, time)
    }
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
      key += Array("at".utf8) + [0] + Array("\(steps[0]) \(steps[1]) ".utf8) + Array(name.utf8)
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
