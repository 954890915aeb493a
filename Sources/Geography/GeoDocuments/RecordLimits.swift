import CivilTime
import Encodings

/// The limits of a place's fields. Longer texts are cut, and further elements left out; both are
/// counted.
package enum RecordLimits {
  /// The maximum length of a name in Unicode scalars.
  package static let nameLength = 200
  /// The maximum length of a kind.
  package static let kindLength = 60
  /// The maximum length of a note.
  package static let noteLength = 10_000
  /// The maximum length of a collection's name.
  package static let collectionLength = 100
  /// The maximum number of collections of a place.
  package static let collectionCount = 100
  /// The maximum number of notes of a place.
  package static let noteCount = 1000
  /// The maximum number of photos of a place.
  package static let photoCount = 1000
  /// The range of alert radii in metres.
  package static let radiusMeters = 10.0...5000.0
  /// The maximum number of places in a file.
  package static let recordCount = 2_000_000
}

/// Texts for the fields of a place.
enum PlaceText {
  /// Returns a text as a single line of limited length in Unicode scalars.
  static func line(_ text: String, limit: Int) -> String {
    let line = StoredText.line(text)
    guard line.utf8.count > limit else { return line }
    return cut(line, limit: limit).text
  }

  /// Returns a text of several lines without white space at its ends.
  static func lines(_ text: String) -> String { StoredText.trimmed(StoredText.lines(text)) }

  /// Returns the text of a description, which may be HTML.
  static func plain(_ text: String) -> String {
    lines(PlainText.isMarkup(text) ? PlainText.text(ofMarkup: text) : PlainText.resolved(text))
  }

  /// Returns a text with single spaces in place of each run of white space.
  static func singleSpaced(_ text: String) -> String {
    text.unicodeScalars.split { $0.properties.isWhitespace }.map { String($0) }
      .joined(separator: " ")
  }

  /// Returns the beginning of a text, and whether it is shorter than the text.
  static func cut(_ text: String, limit: Int) -> (text: String, isCut: Bool) {
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return (text, false) }
    return (StoredText.trimmed(String(scalars[..<end])), true)
  }
}

extension PlaceRecord {
  /// Sets the name, cut to its maximum length.
  mutating func set(name: String) {
    self.name = cut(StoredText.line(name), RecordLimits.nameLength)
  }

  /// Sets the kind, cut to its maximum length; an empty one is ignored.
  mutating func set(kind: String) {
    let kind = cut(StoredText.line(kind), RecordLimits.kindLength)
    if !kind.isEmpty { self.kind = kind }
  }

  /// Adds a note without the white space at its ends, unless it is empty or a note with the same
  /// text and time exists.
  mutating func add(note: String, time: Instant? = nil) {
    add(ownNote: PlaceText.lines(note), time: time)
  }

  /// Adds a note as this program wrote it, with all white space.
  mutating func add(ownNote note: String, time: Instant?, id: String? = nil) {
    let text = cut(StoredText.lines(note), RecordLimits.noteLength)
    guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }),
      !notes.contains(where: { $0.text == text && $0.time == time })
    else { return }
    guard notes.count < RecordLimits.noteCount else { return losses.append(.tooMany) }
    notes.append(Note(text: text, time: time, id: id))
  }

  /// Adds the place to a collection, unless the name is empty.
  mutating func add(collection: String) {
    let name = cut(StoredText.line(collection), RecordLimits.collectionLength)
    guard !name.isEmpty, !collections.contains(name) else { return }
    guard collections.count < RecordLimits.collectionCount else { return losses.append(.tooMany) }
    collections.append(name)
  }

  /// Sets the time of creation, unless it is known; a text in an unknown form is counted.
  mutating func set(created text: String) {
    guard !PlaceText.line(text, limit: 1).isEmpty, created == nil else { return }
    created = Instant(written: text)
    if created == nil { losses.append(.unreadableTime) }
  }

  /// Sets the time of the last change; a text in an unknown form is counted.
  mutating func set(changed text: String) {
    guard !PlaceText.line(text, limit: 1).isEmpty else { return }
    changed = Instant(written: text)
    if changed == nil { losses.append(.unreadableTime) }
  }

  /// Sets the alert radius from a number with or without a unit. Zero removes it, and a text in an
  /// unknown form is counted.
  mutating func set(radius text: String) {
    guard !PlaceText.line(text, limit: 1).isEmpty else { return }
    guard let meters = WrittenLength.meters(text), meters >= 0 else {
      return losses.append(.unreadableRadius)
    }
    guard meters > 0 else { return }
    let range = RecordLimits.radiusMeters
    alertRadiusMeters = min(max(meters, range.lowerBound), range.upperBound)
    if !range.contains(meters) { losses.append(.limitedRadius) }
  }

  /// Adds a photo by its absolute path; an invalid path is counted.
  mutating func add(photo path: [UInt8]) {
    guard path.first == UInt8(ascii: "/"), path.count <= 4096, !path.contains(0) else {
      return losses.append(.photoPath)
    }
    guard !photos.contains(path) else { return }
    guard photos.count < RecordLimits.photoCount else { return losses.append(.tooMany) }
    photos.append(path)
  }

  private mutating func cut(_ text: String, _ limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    let cut = PlaceText.cut(text, limit: limit)
    if cut.isCut { losses.append(.longText) }
    return cut.text
  }
}
