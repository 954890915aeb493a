import CivilTime

/// The limits of a place's fields. Longer texts are cut, and further elements ignored.
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

/// Normalises texts for the fields of a place.
enum PlaceText {
  /// Returns a text as a single line of limited length. Runs of white space and control characters
  /// become one space each; those at the ends are removed.
  static func line(_ text: String, limit: Int) -> String {
    var line = String.UnicodeScalarView()
    var count = 0
    var isSpacePending = false
    for scalar in text.unicodeScalars {
      if isSpace(scalar) || isControl(scalar) {
        isSpacePending = count > 0
        continue
      }
      let added = isSpacePending ? 2 : 1
      guard count + added <= limit else { break }
      if isSpacePending { line.append(" ") }
      line.append(scalar)
      count += added
      isSpacePending = false
    }
    return String(line)
  }

  /// Returns a text of several lines, of limited length. Line feeds and tabs are kept; other
  /// control characters, and white space at the ends, are removed.
  static func lines(_ text: String, limit: Int = RecordLimits.noteLength) -> String {
    var lines = String.UnicodeScalarView()
    var count = 0
    var isAfterReturn = false
    for scalar in text.unicodeScalars {
      let isFeed = scalar == "\n" || scalar == "\r" || scalar == "\u{85}" || scalar == "\u{2028}"
      let isSecond = isAfterReturn && scalar == "\n"
      isAfterReturn = scalar == "\r"
      if isSecond || (isControl(scalar) && !isFeed && scalar != "\t") { continue }
      if count == 0, isFeed || isSpace(scalar) { continue }
      guard count < limit else { break }
      lines.append(isFeed ? "\n" : scalar)
      count += 1
    }
    while let last = lines.last, isSpace(last) || last == "\n" { lines.removeLast() }
    return String(lines)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar == "\u{FEFF}"
  }
}

extension PlaceRecord {
  /// Sets the name, cut to its maximum length.
  mutating func set(name: String) {
    self.name = PlaceText.line(name, limit: RecordLimits.nameLength)
  }

  /// Sets the kind, cut to its maximum length; an empty one is ignored.
  mutating func set(kind: String) {
    let kind = PlaceText.line(kind, limit: RecordLimits.kindLength)
    if !kind.isEmpty { self.kind = kind }
  }

  /// Adds a note, unless it is empty or a note with the same text and time exists.
  mutating func add(note: String, time: Instant? = nil) {
    let text = PlaceText.lines(note)
    guard !text.isEmpty, notes.count < RecordLimits.noteCount,
      !notes.contains(where: { $0.text == text && $0.time == time })
    else { return }
    notes.append(Note(text: text, time: time))
  }

  /// Adds the place to a collection, unless the name is empty.
  mutating func add(collection: String) {
    let name = PlaceText.line(collection, limit: RecordLimits.collectionLength)
    guard !name.isEmpty, collections.count < RecordLimits.collectionCount,
      !collections.contains(name)
    else { return }
    collections.append(name)
  }

  /// Sets the alert radius to the nearest valid value; zero and negative values are ignored.
  mutating func set(radiusMeters: Double?) {
    guard let radiusMeters, radiusMeters > 0, radiusMeters.isFinite else { return }
    let range = RecordLimits.radiusMeters
    alertRadiusMeters = min(max(radiusMeters, range.lowerBound), range.upperBound)
  }

  /// Adds a photo by its absolute path; an invalid path is ignored.
  mutating func add(photo path: [UInt8]) {
    guard path.first == UInt8(ascii: "/"), path.count <= 4096, !path.contains(0),
      photos.count < RecordLimits.photoCount, !photos.contains(path)
    else { return }
    photos.append(path)
  }
}
