import CivilTime
import Encodings
import GeoDocuments
import Spatial
import SystemPackage
import TestSupport
import Testing

/// Reads a golden file.
func golden(_ name: String) throws -> [UInt8] {
  let folder = FilePath(#filePath).removingLastComponent().appending("Golden")
  return try Corpus.contents(of: folder.appending(name))
}

/// Reads the places of a text.
func placeFile(
  _ bytes: [UInt8], format: PlaceFormat? = nil, columns: String? = nil, title: String? = nil
) throws -> PlaceFile {
  let options = PlaceReading.Options(
    format: format, columns: columns.flatMap(PlaceColumns.init), title: title)
  guard case .places(let file) = try PlaceReading.read(bytes, options) else {
    throw WrongContent()
  }
  return file
}

func placeFile(_ text: String, columns: String? = nil) throws -> PlaceFile {
  try placeFile(Array(text.utf8), columns: columns)
}

struct WrongContent: Error {}

extension PlaceRecord {
  /// The record as a line of its set values.
  var line: String {
    var parts = [
      "\(name) @ \(Degrees.text(coordinate.latitude)) \(Degrees.text(coordinate.longitude))"
    ]
    if let ownID { parts.append("own \(ownID)") }
    if let sourceID { parts.append("id \(sourceID)") }
    if let kind { parts.append("kind \(kind)") }
    if let alertRadiusMeters { parts.append("radius \(alertRadiusMeters)") }
    if let created { parts.append("created \(created.iso8601)") }
    if !collections.isEmpty { parts.append("in \(collections)") }
    for note in notes { parts.append("note \(note.text.debugDescription)") }
    for photo in photos { parts.append("photo \(String(decoding: photo, as: UTF8.self))") }
    return parts.joined(separator: "; ")
  }
}

extension PlaceRecord {
  /// The record without what only its file says of it.
  var fields: PlaceRecord {
    var fields = self
    fields.hasAllCollections = false
    fields.hasAllNotes = false
    fields.emptyFields = []
    return fields
  }
}

extension PlaceFile {
  /// The skipped elements by reason.
  var skippedTexts: [String] {
    skipped.map { "\($0.count) \($0.reason.rawValue) \($0.examples)" }
  }
}

extension PlaceRecord {
  /// A place with all fields, with texts that are hostile to every format.
  static func random(using generator: inout SeededGenerator) -> PlaceRecord {
    func degrees(_ range: ClosedRange<Double>) -> Double {
      // Files have seven decimals.
      (Double.random(in: range, using: &generator) * 1e7).rounded() / 1e7
    }
    func text(_ count: Int) -> String {
      let pieces = [
        "a", "Z", "ä", "漢", "😀", " ", "<img onerror=alert(1)>", "&amp;", "&", "]]>", "\"", "'",
        "|", "\\", ",", ";", "=1+1", "-", "@x", "%41", "\u{EF41}", "{", "}", "<br>", "-->",
        "e\u{301}",
      ]
      return (0..<Int.random(in: 1...count, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }.joined()
    }
    func time() -> Instant {
      Instant(
        millisecondsSince1970: Int64.random(
          in: -1_000_000_000...4_000_000_000_000, using: &generator))
    }
    func trimmed(_ text: String) -> String {
      String(text.split(separator: " ").joined(separator: " "))
    }
    let latitude = degrees(-90...90)
    let longitude = degrees(-180...180)
    // In range, as both are rounded inwards or exact at the ends.
    var record = PlaceRecord(
      coordinate: Coordinate(
        latitude: min(max(latitude, -90), 90), longitude: min(max(longitude, -180), 180))
        ?? Coordinate(latitude: 1, longitude: 2)!)
    record.name = trimmed(text(6))
    if Bool.random(using: &generator) { record.kind = trimmed("k" + text(2)) }
    if Bool.random(using: &generator) {
      record.alertRadiusMeters = Double(Int.random(in: 10...5000, using: &generator))
    }
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      let note = "n" + text(5) + "\n\n" + text(3) + "."
      let time = time()
      if !record.notes.contains(where: { $0.text == note && $0.time == time }) {
        record.notes.append(Note(text: note, time: time))
      }
    }
    for place in 0..<Int.random(in: 0...3, using: &generator) {
      record.collections.append(trimmed("c\(place)" + text(2)))
    }
    for place in 0..<Int.random(in: 0...2, using: &generator) {
      let bytes = (0..<5).map { _ in UInt8.random(in: 1...255, using: &generator) }
      record.photos.append(Array("/photos/\(place)".utf8) + bytes.map { $0 == 0x2F ? 0x30 : $0 })
    }
    if Bool.random(using: &generator) { record.created = time() }
    if Bool.random(using: &generator) { record.changed = time() }
    let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")
    record.ownID = String((0..<16).map { _ in digits.randomElement(using: &generator) ?? "0" })
    return record
  }
}
