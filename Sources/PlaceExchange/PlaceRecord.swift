package import CivilTime
package import Spatial

/// A place as a file of another program holds it, or as it goes into one.
package struct PlaceRecord: Hashable, Sendable {
  /// A text about a place.
  package struct Note: Hashable, Sendable {
    /// The text; it may have several lines.
    package var text: String
    /// When the note was taken; `nil` where the file does not say.
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
  /// The kind in free text; `nil` where none is given.
  package var kind: String?
  /// The notes, newest first.
  package var notes: [Note] = []
  /// The names of the collections that the place belongs to, each once.
  package var collections: [String] = []
  /// The radius within which the place alerts, within ``RecordLimits/radiusMeters``; `nil` where
  /// none is given.
  package var alertRadiusMeters: Double?
  /// When the place was kept; `nil` where the file does not say.
  package var created: Instant?
  /// When the place was changed last; `nil` where the file does not say.
  package var changed: Instant?
  /// The absolute paths of its photos as the system's bytes.
  package var photos: [[UInt8]] = []
  /// The id that the place has in this program, in files that this program wrote.
  package var ownID: String?
  /// The id that the other program gives the place, where that is unique beyond the file.
  package var sourceID: String?

  /// Creates a record with a position alone.
  package init(coordinate: Coordinate) {
    self.coordinate = coordinate
  }

  /// Returns the bytes that tell the record from others: those of ``sourceID``, or of the name and
  /// the position to 1e-6° where there is none.
  ///
  /// A hash of them is the id of the place that the record becomes, the same at each import.
  ///
  /// - Parameter format: The family of formats that the id is unique in.
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

  /// Whether a text has the form of an id of this program: sixteen digits of Crockford's base32 in
  /// lower case.
  package static func isPlaceID(_ text: String) -> Bool {
    text.utf8.count == 16
      && text.utf8.allSatisfy { "0123456789abcdefghjkmnpqrstvwxyz".utf8.contains($0) }
  }
}
