import CivilTime

/// The bounds of what a place can hold. Texts beyond them are cut, and further elements left out.
package enum RecordLimits {
  /// The longest name in Unicode scalars.
  package static let nameLength = 200
  /// The longest kind.
  package static let kindLength = 60
  /// The longest note.
  package static let noteLength = 10_000
  /// The longest name of a collection.
  package static let collectionLength = 100
  /// The most collections of a place.
  package static let collectionCount = 100
  /// The most notes of a place.
  package static let noteCount = 1000
  /// The most photos of a place.
  package static let photoCount = 1000
  /// The alert radii in metres.
  package static let radiusMeters = 10.0...5000.0
  /// The most places of a file.
  package static let recordCount = 2_000_000
}

/// Texts as a place can hold them.
enum PlaceText {
  /// A line: runs of white space and control characters are one space each, and the ends are bare.
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

  /// A text of lines: line feeds and tabs stay, other control characters go, and the ends are bare.
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
  /// Sets the name, within its limit.
  mutating func set(name: String) {
    self.name = PlaceText.line(name, limit: RecordLimits.nameLength)
  }

  /// Sets the kind, within its limit; an empty one is none.
  mutating func set(kind: String) {
    let kind = PlaceText.line(kind, limit: RecordLimits.kindLength)
    if !kind.isEmpty { self.kind = kind }
  }

  /// Adds a note, unless it is empty or one that is there says the same.
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

  /// Sets the alert radius to the nearest that a place can have; zero and less is none.
  mutating func set(radiusMeters: Double?) {
    guard let radiusMeters, radiusMeters > 0, radiusMeters.isFinite else { return }
    let range = RecordLimits.radiusMeters
    alertRadiusMeters = min(max(radiusMeters, range.lowerBound), range.upperBound)
  }

  /// Adds a photo by its absolute path.
  mutating func add(photo path: [UInt8]) {
    guard path.first == UInt8(ascii: "/"), path.count <= 4096, !path.contains(0),
      photos.count < RecordLimits.photoCount, !photos.contains(path)
    else { return }
    photos.append(path)
  }
}
